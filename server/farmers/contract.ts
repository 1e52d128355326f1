import { z } from 'zod';
import {
  Address,
  endpoint,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  one,
  optionalUrl,
  requiredText,
  text,
  WallTime,
} from '#contract/platform';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export const ESTABLISHED_YEAR_MIN = 1900;

/** Opening and closing wall-clock time; both empty on a closed day. */
export const OpeningHours = z.object({
  open: z.union([z.literal(''), WallTime]).default(''),
  close: z.union([z.literal(''), WallTime]).default(''),
});
export type OpeningHours = z.infer<typeof OpeningHours>;

const Day = OpeningHours.prefault({});
export const BusinessHours = z.object({
  monday: Day,
  tuesday: Day,
  wednesday: Day,
  thursday: Day,
  friday: Day,
  saturday: Day,
  sunday: Day,
});
export type BusinessHours = z.infer<typeof BusinessHours>;

export const FarmProfile = z.object({
  farmName: z.string(),
  description: z.string(),
  establishedYear: z.number().int().nullable(),
  socialMedia: z.object({ facebook: z.string(), instagram: z.string(), twitter: z.string() }),
  farmingPractices: z.array(z.string()),
  businessHours: BusinessHours,
  acceptsPickup: z.boolean(),
  acceptsDelivery: z.boolean(),
  /** Miles. */
  deliveryRadius: z.number().nullable(),
});
export type FarmProfile = z.infer<typeof FarmProfile>;

/** Fields left out keep what they were; so do links and days left out. */
export const UpdateFarmProfile = z.object({
  farmName: requiredText(120, 'Farm name is required'),
  description: requiredText(5000, 'Description is required'),
  establishedYear: z
    .number()
    .int('Give a whole year.')
    .min(ESTABLISHED_YEAR_MIN, `The year cannot be before ${ESTABLISHED_YEAR_MIN}.`)
    .refine((year) => year <= new Date().getFullYear(), 'The year cannot be in the future.')
    .nullable()
    .optional(),
  socialMedia: z
    .object({ facebook: optionalUrl, instagram: optionalUrl, twitter: optionalUrl })
    .partial()
    .optional(),
  farmingPractices: z
    .array(requiredText(80, 'A practice cannot be blank.'))
    .max(30, 'List at most 30 practices.')
    .optional(),
  businessHours: z.partialRecord(z.enum(WEEKDAYS), OpeningHours).optional(),
  acceptsPickup: z.boolean().optional(),
  acceptsDelivery: z.boolean().optional(),
  deliveryRadius: z
    .number()
    .min(0, 'The radius cannot be negative.')
    .max(10_000, 'The radius can be at most 10,000 miles.')
    .nullable()
    .optional(),
});
export type UpdateFarmProfile = z.infer<typeof UpdateFarmProfile>;

/** A farm in the list of farms. */
export const FarmerCard = z.object({
  _id: Id,
  name: z.string(),
  address: Address,
  createdAt: Instant,
  farmName: z.string(),
  description: z.string(),
  farmingPractices: z.array(z.string()),
  productCount: z.number().int(),
});
export type FarmerCard = z.infer<typeof FarmerCard>;

export const FarmerDetail = z.object({
  farmer: z.object({
    _id: Id,
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    address: Address,
    createdAt: Instant,
  }),
  profile: FarmProfile,
});
export type FarmerDetail = z.infer<typeof FarmerDetail>;

export const FarmerListQuery = ListQuery.extend({
  /** Part of a farm's or farmer's name. */
  search: text(200).optional(),
});
export type FarmerListQuery = z.infer<typeof FarmerListQuery>;

export const farmersApi = {
  list: endpoint({
    method: 'GET',
    path: '/users/farmers',
    summary: 'All farms, by name of the farm',
    access: 'public',
    changedBy: {
      any: [
        'farmer.updated',
        'user.created',
        'user.deleted',
        'product.created',
        'product.updated',
        'product.deleted',
      ],
    },
    query: FarmerListQuery,
    answer: list(FarmerCard),
    rate: 'search',
  }),
  detail: endpoint({
    method: 'GET',
    path: '/users/farmers/:id',
    summary: 'A farm with its profile',
    access: 'public',
    changedBy: { own: ['farmer.updated', 'user.deleted'] },
    params: idParams('Farmer not found'),
    answer: one(FarmerDetail),
    failures: [404],
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/users/farmers/profile',
    summary: "Change the signed-in farmer's farm profile",
    access: ['farmer'],
    body: UpdateFarmProfile,
    answer: one(FarmProfile),
    rate: 'writes',
  }),
};
