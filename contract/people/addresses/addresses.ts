import { addressesApi as calls } from '#contract/people/addresses/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Address,
  Id,
  idParams,
  named,
  one,
  optionalLine,
  RequiredAddress,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** One of a person's addresses. */
export const UserAddress = named('UserAddress', {
  _id: Id,
  /** What the person calls it; may be empty. */
  label: z.string(),
  address: Address,
  /** Whether it is the address of the profile. At most one is. */
  isPreferred: z.boolean(),
});
export type UserAddress = z.infer<typeof UserAddress>;

export const CreateAddress = z.object({
  label: optionalLine(60).default(''),
  address: RequiredAddress,
  /** The first one is preferred in any case. */
  isPreferred: z.boolean().default(false),
});
export type CreateAddress = z.infer<typeof CreateAddress>;

/** Omitted fields keep their values; an address is given as a whole. */
export const UpdateAddress = z.object({
  label: optionalLine(60).optional(),
  address: RequiredAddress.optional(),
  /** One stops being preferred when another one is. */
  isPreferred: z
    .literal(true, { error: () => t('Choose another address to prefer instead.') })
    .optional(),
});
export type UpdateAddress = z.infer<typeof UpdateAddress>;

const params = idParams(() => t('Address not found'));

export const addressesApi = endpoints(calls, {
  list: {
    summary: "The signed-in user's addresses, the one ordered to last first",
    access: ROLES,
    answer: one(z.array(UserAddress)),
  },
  create: {
    summary: 'Keep another address, at most ten; the preferred one is that of the profile',
    access: ROLES,
    body: CreateAddress,
    answer: one(UserAddress),
    status: 201,
  },
  update: {
    summary: 'Change one of the own addresses, or prefer it',
    access: ROLES,
    params,
    body: UpdateAddress,
    answer: one(UserAddress),
  },
  remove: {
    summary: 'Remove one of the own addresses; of the rest the one used last is preferred then',
    access: ROLES,
    params,
  },
});
