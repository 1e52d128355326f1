import { OrganicCertificate } from '#contract/farm/certificate/certificate';
import {
  ANSWER_MINUTES,
  farmersApi as calls,
  DELIVERY_RADIUS_MAX_MILES,
  ESTABLISHED_YEAR_MIN,
  PRACTICE_LENGTH_MAX,
  WEEKDAYS,
  WEIGHT_TOLERANCE_PERCENT,
} from '#contract/farm/farmers/constants';
import {
  OPENING_SPANS_MAX,
  overlappingSpan,
  spansOf,
} from '#contract/farm/farmers/constants/hours';
import { pauseFields } from '#contract/farm/pause/pause';
import {
  DELIVERY_AREA_LENGTH_MAX,
  DELIVERY_AREAS_MAX,
  distinctAreas,
  isAreaName,
} from '#contract/farm/places/constants/areas';
import { EnteredPosition, Position } from '#contract/farm/places/places';
import { dayRuleFields } from '#contract/farm/schedule/schedule';
import { event, Reference } from '#contract/platform/events/event';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Address,
  ExpectedVersion,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  named,
  one,
  oneLine,
  optionalUrl,
  PartialAddress,
  requiredText,
  TimeZone,
  text,
  WallTime,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { mayMeetOrders } from '#contract/platform/orders/closing';
import { t } from '#contract/platform/text/constants/texts';
import { writeTyped } from '#contract/platform/text/constants/typed-numbers';
import { clockMs } from '#contract/platform/time/constants';
import { UploadUrl } from '#contract/platform/uploads/uploads';

/** Opening and closing wall-clock time; both empty on a closed day. */
export const OpeningHours = named('OpeningHours', {
  open: z.union([z.literal(''), WallTime]).default(''),
  close: z.union([z.literal(''), WallTime]).default(''),
  /** Further hours of the day, in any order; absent without any. */
  more: z
    .array(z.object({ open: WallTime, close: WallTime }))
    .max(OPENING_SPANS_MAX - 1, {
      error: () => t('A day has at most {max} ranges of hours.', { max: OPENING_SPANS_MAX }),
    })
    .optional(),
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

/** The hours of one or more days of the week on which a farm is open, as its wall clock shows them. */
export const Opening = named('Opening', {
  days: z.array(z.enum(WEEKDAYS)),
  open: WallTime,
  close: WallTime,
});
export type Opening = z.infer<typeof Opening>;

/** A pickup place of a farm as cards show it: only active ones that have hours. */
export const PickupSpot = named('PickupSpot', {
  town: z.string(),
  openings: z.array(Opening),
  /** Absent where the farm gives none. */
  position: Position.optional(),
});
export type PickupSpot = z.infer<typeof PickupSpot>;

/** How and when a farm's goods can be had, in a form that is small enough for every card of a list. */
export const Handoff = named('Handoff', {
  pickup: z.boolean(),
  delivery: z.boolean(),
  /** Miles; null where the farm sets no limit. */
  deliveryRadius: z.number().nullable(),
  /**
   * When one can pick up at the farm's active places; without any that has hours, or without pickup, when the
   * farm is open. Only days with hours, those with the same ones together, by the first; a day may have several.
   */
  openings: z.array(Opening),
  /** Where one can pick up, by the names of the places; absent where that is at the farm itself. */
  places: z.array(PickupSpot).optional(),
  /** When the farm is open, where `openings` are those of its places; absent for others, and in answers of an older server. */
  ownOpenings: z.array(Opening).optional(),
  /** The farm's, by whose clock its days and hours are. Absent only in answers of an older server. */
  timeZone: z.string().optional(),
  ...dayRuleFields,
  ...pauseFields,
});
export type Handoff = z.infer<typeof Handoff>;

export const FarmProfile = named('FarmProfile', {
  farmName: z.string(),
  description: z.string(),
  establishedYear: z.int().nullable(),
  socialMedia: z.object({ facebook: z.string(), instagram: z.string(), twitter: z.string() }),
  farmingPractices: z.array(z.string()),
  businessHours: BusinessHours,
  /** Whether the farm's page shows the email. Absent only in answers of an older server. */
  showsEmail: z.boolean().optional(),
  acceptsPickup: z.boolean(),
  acceptsDelivery: z.boolean(),
  /** Miles. */
  deliveryRadius: z.number().nullable(),
  /**
   * Postcodes and cities it delivers to, nowhere else; empty where it lists none. Absent only in answers
   * of an older server.
   */
  deliveryAreas: z.array(z.string()).optional(),
  /** The address of a picture of the people or the place, shown small; null without one. */
  photo: z.string().nullable(),
  /** The address of the wide picture over the farm's page and on its card; null without one. */
  cover: z.string().nullable(),
  /** Grows with each change. Absent only in answers of an older server. */
  version: z.int().optional(),
  /** IANA name; the market's until the farm chooses its own. */
  timeZone: z.string(),
  /** Whether a pickup needs a slot of one of its places. Absent only in answers of an older server. */
  hasSlots: z.boolean().optional(),
  /**
   * The phone and address of the farm itself, once its founder has left; null while they are that
   * person's. Told with the farm's own page and changes alone.
   */
  contact: z.object({ phone: z.string(), address: Address }).nullable().optional(),
  /** Where the farm itself is; null where it does not say. Absent only in answers of an older server. */
  position: Position.nullable().optional(),
  /** Minutes that consumers have to answer a change of their order. Absent only in answers of an older server. */
  answerMinutes: z.int().optional(),
  /**
   * Percent that a weighed line may cost more than expected without the consumer's yes. Absent only in answers
   * of an older server.
   */
  weightTolerancePercent: z.int().optional(),
  /** When nobody of it is alerted, by its clock; null for never. Absent only in answers of an older server. */
  quietHours: z.object({ from: WallTime, to: WallTime }).nullable().optional(),
  /** Its organic certificate, which may be over; null without one. Absent only in answers of an older server. */
  certificate: OrganicCertificate.nullable().optional(),
  ...pauseFields,
});
export type FarmProfile = z.infer<typeof FarmProfile>;

/** Omitted fields, links and days keep their values. */
export const UpdateFarmProfile = z.object({
  farmName: oneLine(120, () => t('Farm name is required')),
  description: requiredText(5000, () => t('Description is required')),
  establishedYear: z
    .int({ error: () => t('Give a whole year.') })
    .min(ESTABLISHED_YEAR_MIN, {
      error: () => t("The year can't be before {year}.", { year: ESTABLISHED_YEAR_MIN }),
    })
    .refine((year) => year <= new Date(clockMs()).getFullYear(), {
      error: () => t("The year can't be in the future."),
    })
    .nullable()
    .optional(),
  socialMedia: z
    .object({ facebook: optionalUrl, instagram: optionalUrl, twitter: optionalUrl })
    .partial()
    .optional(),
  farmingPractices: z
    .array(oneLine(PRACTICE_LENGTH_MAX, () => t("A practice can't be blank.")))
    .max(30, { error: () => t('List at most 30 practices.') })
    .optional(),
  /**
   * A day without `more` has the hours that it says alone; where these are as they were it keeps its further ones, for
   * clients that do not know of them.
   */
  businessHours: z
    .partialRecord(z.enum(WEEKDAYS), OpeningHours)
    .superRefine((hours, context) => {
      for (const [day, { open, close, more = [] }] of Object.entries(hours)) {
        const over = overlappingSpan(spansOf({ open, close, more }));
        if (over < 0 && (more.length === 0 || (open !== '' && close !== ''))) continue;
        context.addIssue({
          code: 'custom',
          path: over > 0 ? [day, 'more', over - 1, 'open'] : [day, 'open'],
          message:
            over < 0
              ? t('Give the first hours of the day too.')
              : t('These hours overlap with others of this day.'),
        });
      }
    })
    .optional(),
  acceptsPickup: z.boolean().optional(),
  acceptsDelivery: z.boolean().optional(),
  deliveryRadius: z
    .number({
      error: () => t('Enter a number of miles, such as {example}.', { example: writeTyped(12.5) }),
    })
    .min(0, { error: () => t("The radius can't be negative.") })
    .max(DELIVERY_RADIUS_MAX_MILES, {
      error: () =>
        t('The radius can be at most {max, number} miles.', { max: DELIVERY_RADIUS_MAX_MILES }),
    })
    .nullable()
    .optional(),
  deliveryAreas: z
    .array(
      oneLine(DELIVERY_AREA_LENGTH_MAX, () => t("An area can't be blank.")).refine(isAreaName, {
        error: () => t('Enter a postcode or the name of a city.'),
      }),
    )
    .max(DELIVERY_AREAS_MAX, {
      error: () => t('List at most {max} areas.', { max: DELIVERY_AREAS_MAX }),
    })
    .transform(distinctAreas)
    .optional(),
  showsEmail: z.boolean().optional(),
  /** One of the farmer's own uploads; null removes it. */
  photo: UploadUrl.nullable().optional(),
  cover: UploadUrl.nullable().optional(),
  expectedVersion: ExpectedVersion,
  timeZone: TimeZone.optional(),
  /** Of the farm itself: only once its founder has left. */
  contact: z
    .object({ phone: text(40).optional(), address: PartialAddress.optional() })
    .nullable()
    .optional(),
  position: EnteredPosition.optional(),
  answerMinutes: z
    .int({ error: () => t('Enter whole minutes.') })
    .min(ANSWER_MINUTES.min, {
      error: () => t('Give at least {min} minutes.', { min: ANSWER_MINUTES.min }),
    })
    .max(ANSWER_MINUTES.max, {
      error: () => t('Give at most {max} minutes.', { max: ANSWER_MINUTES.max }),
    })
    .optional(),
  weightTolerancePercent: z
    .int({ error: () => t('Enter a whole number.') })
    .min(WEIGHT_TOLERANCE_PERCENT.min, { error: () => t("The tolerance can't be negative.") })
    .max(WEIGHT_TOLERANCE_PERCENT.max, {
      error: () =>
        t('The tolerance can be at most {max} percent.', { max: WEIGHT_TOLERANCE_PERCENT.max }),
    })
    .optional(),
});
export type UpdateFarmProfile = z.infer<typeof UpdateFarmProfile>;

/** A farm in the list of farms. */
export const FarmerCard = named('FarmerCard', {
  _id: Id,
  name: z.string(),
  address: Address,
  createdAt: Instant,
  farmName: z.string(),
  description: z.string(),
  farmingPractices: z.array(z.string()),
  productCount: z.int(),
  /** Absent only in answers of an older server. */
  handoff: Handoff.optional(),
  /** As in the profile; absent only in answers of an older server. */
  photo: z.string().nullable().optional(),
  cover: z.string().nullable().optional(),
  position: Position.nullable().optional(),
});
export type FarmerCard = z.infer<typeof FarmerCard>;

/** A pickup place as everyone sees it on the farm's page. */
export const PublicPlace = named('PublicPlace', {
  _id: Id,
  name: z.string(),
  address: Address,
  /** How to find it, and what to do there. */
  directions: z.string(),
  phone: z.string(),
  position: Position.nullable(),
  /** When one can pick up there, closed days aside. */
  openings: z.array(Opening),
});
export type PublicPlace = z.infer<typeof PublicPlace>;

export const FarmerDetail = named('FarmerDetail', {
  farmer: z.object({
    _id: Id,
    name: z.string(),
    /** Empty where the farm does not show it. */
    email: z.string(),
    phone: z.string(),
    address: Address,
    createdAt: Instant,
  }),
  profile: FarmProfile,
  /** As on the farm's card; absent only in answers of an older server. */
  handoff: Handoff.optional(),
  /**
   * Its pickup places that are active and have hours, by name; none without pickup, and for those who see the page of
   * a farm that is off the market alone. Absent only in answers of an older server.
   */
  places: z.array(PublicPlace).optional(),
  /** It is off the market for now. Told to those who still find it; absent otherwise. */
  isSuspended: z.boolean().optional(),
  /** Nobody but its people and admins finds it yet; absent otherwise. */
  isDraft: z.literal(true).optional(),
});
export type FarmerDetail = z.infer<typeof FarmerDetail>;

export const FarmerListQuery = ListQuery.extend({
  /** Part of the name of a farm or farmer, or of the town of one or of its pickup places. */
  search: text(200).optional(),
});
export type FarmerListQuery = z.infer<typeof FarmerListQuery>;

export const farmerEvents = {
  'farmer.updated': event({
    data: Reference,
    summary: 'A farm or its farmer changed.',
    audience:
      'Everyone connected; of a draft its people and admins, of a suspended farm those who have ordered there too.',
    rooms: [['everyone']],
    changesPublicReads: true,
  }),
  'farmer.deleted': event({
    data: Reference,
    summary: 'A farm was deleted, and all its products with it, without an event for each.',
    audience: 'Everyone who could see the farm, or can now.',
    rooms: [['everyone'], ['farm', 'admins'], ['farm', 'admins', 'user']],
    changesPublicReads: true,
  }),
};

export const farmersApi = endpoints(calls, {
  list: {
    summary: 'All farms, by name of the farm',
    access: 'public',
    invalidatedBy: {
      'farmer.updated': 'anyId',
      'farmer.deleted': 'anyId',
      'farmer.listingChanged': 'anyId',
      'user.created': 'anyId',
      'user.deleted': 'anyId',
      'product.created': 'anyId',
      'product.updated': 'anyId',
      'product.deleted': 'anyId',
      'category.changed': 'never',
      'market.updated': 'never',
    },
    query: FarmerListQuery,
    answer: list(FarmerCard),
    rate: 'search',
  },
  detail: {
    summary:
      'A farm with its profile; a draft only for its people and admins, one that is suspended for its customers too',
    access: 'optional',
    invalidatedBy: {
      'farmer.updated': 'sameId',
      'farmer.deleted': 'sameId',
      'farmer.listingChanged': 'sameId',
      'user.created': 'never',
      'user.deleted': 'never',
      'product.created': 'never',
      'product.updated': 'never',
      'product.deleted': 'never',
      'category.changed': 'never',
      'market.updated': 'never',
    },
    params: idParams(() => t('Farmer not found')),
    answer: one(FarmerDetail),
  },
  updateProfile: {
    summary: "Change the signed-in farmer's farm profile",
    ...forFarm('changeFarm'),
    body: UpdateFarmProfile,
    ...mayMeetOrders(FarmProfile),
  },
});
