import { Confirmation } from '#contract/people/auth/confirmation';
import { usersApi as calls, USER_SORTS, USER_STATES } from '#contract/people/users/constants';
import { ephemeralEvent, event, Reference } from '#contract/platform/events/event';
import { ROLES } from '#contract/platform/http/constants';
import { asciiSearch } from '#contract/platform/http/email';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Address,
  dayRangeFields,
  ExpectedVersion,
  Id,
  Instant,
  idParams,
  isDayRange,
  ListQuery,
  list,
  NO_DAY_IN_RANGE,
  nameCursor,
  named,
  one,
  oneLine,
  PartialAddress,
  Role,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { MARKET_TEXT_MAX } from '#contract/platform/market/constants/choices';
import { GENERAL_PREFERENCES, SHORTAGE_PREFERENCES } from '#contract/platform/orders/constants';
import { FARM_ROLES } from '#contract/platform/session/constants';
import { t } from '#contract/platform/text/constants/texts';

export const FarmRole = z.enum(FARM_ROLES).meta({ id: 'FarmRole' });

export const User = named('User', {
  _id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  phone: z.string(),
  address: Address,
  createdAt: Instant,
  /** Grows with each change of the profile. Absent only in events that an older server recorded. */
  version: z.int().optional(),
  /** The farm this person works for; null for none. Told to the person alone. */
  membership: z.object({ farmId: Id, role: FarmRole }).nullable().optional(),
  /** Whether the person proved that the email is theirs. Told to the person and to admins. */
  isEmailVerified: z.boolean().optional(),
  /** A mail server refuses the email permanently; absent unless one does. Told to the person and to admins. */
  isEmailUnreachable: z.literal(true).optional(),
  /** What a consumer wishes for lines that say nothing of a shortage. Told to the consumer alone. */
  onShortDefault: z.enum(SHORTAGE_PREFERENCES).optional(),
  /** The language they chose to read the market in (BCP 47), null for none. Told to the person alone. */
  language: z.string().nullable().optional(),
  /** Whether the account is suspended. Told to admins alone. */
  isSuspended: z.boolean().optional(),
});
export type User = z.infer<typeof User>;

/** A person's id and name. */
export const Person = named('Person', { _id: Id, name: z.string() });
export type Person = z.infer<typeof Person>;

export const PersonWithRole = Person.extend({ role: Role }).meta({ id: 'PersonWithRole' });
export type PersonWithRole = z.infer<typeof PersonWithRole>;

/** A person with contact details, which are empty for a deleted account. */
export const Contact = Person.extend({ email: z.string(), phone: z.string() }).meta({
  id: 'Contact',
});
export type Contact = z.infer<typeof Contact>;

/** Omitted fields keep their values, also within the address. */
export const UpdateProfile = z.object({
  name: oneLine(100, () => t('Name is required')).optional(),
  phone: text(40).optional(),
  address: PartialAddress.optional(),
  /** For one product there is no general one to take instead. */
  onShortDefault: z
    .enum(GENERAL_PREFERENCES, { error: () => t('Choose what to do about a shortage.') })
    .optional(),
  /** One of the market's languages; null takes the choice back. */
  language: z.string().max(MARKET_TEXT_MAX.locale).nullable().optional(),
  expectedVersion: ExpectedVersion,
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

export const UserListQuery = ListQuery.extend({
  ...dayRangeFields,
  /** Words of a name or an email in any order, or part of a phone number, however it is written. */
  search: text(200).overwrite(asciiSearch).optional(),
  role: Role.optional(),
  state: z.enum(USER_STATES).optional(),
  sort: z.enum(USER_SORTS).default('newest'),
  cursor: nameCursor,
}).refine(isDayRange, NO_DAY_IN_RANGE);
export type UserListQuery = z.infer<typeof UserListQuery>;

/** The membership of the person who takes over the farm that would close with the account. */
export const DeleteUserQuery = z.object({
  successor: Id.optional(),
  /** Closes the farm that other owners could go on with. */
  closes: z.enum(['true', 'false']).optional(),
});
export type DeleteUserQuery = z.infer<typeof DeleteUserQuery>;

const Orders = z
  .object({ count: z.int(), ids: z.array(Id) })
  .meta({ id: 'CountedOrders', description: 'How many orders, and the ids of the first.' });

/** The open orders of somebody or of a farm, by their status. */
export const OpenOrders = named('OpenOrders', { pending: Orders, accepted: Orders });
export type OpenOrders = z.infer<typeof OpenOrders>;

/** What the deletion of one's own account concerns. */
export const DeletionOutlook = named('DeletionOutlook', {
  /** Of the person as a customer. */
  orders: OpenOrders,
  /** Of the farm that they work for; null for none. */
  farmOrders: OpenOrders.nullable(),
});
export type DeletionOutlook = z.infer<typeof DeletionOutlook>;

/** Deleting one's own account. */
export const DeleteOwnAccount = Confirmation.extend({
  /** As {@link DeleteUserQuery} has it. */
  successor: Id.optional(),
  /** As `closes` of {@link DeleteUserQuery}. */
  closeFarm: z.boolean().optional(),
});
export type DeleteOwnAccount = z.infer<typeof DeleteOwnAccount>;

export const userEvents = {
  'user.created': event({
    data: User,
    summary: 'An account was opened.',
    audience: 'Admins.',
    rooms: [['admins']],
    changesPublicReads: true,
  }),
  'user.deleted': event({
    data: Reference,
    summary: 'An account was deleted, or goes on under another id.',
    audience: 'Admins.',
    rooms: [['admins']],
    changesPublicReads: true,
  }),
  'account.changed': event({
    data: Reference,
    summary:
      'A person verified their email or phone, or changed their profile, addresses, preferences or stock alerts; or was notified of one; or their email can be reached no more, or again.',
    audience: 'The person.',
    rooms: [['user']],
  }),
  'presence.changed': ephemeralEvent({
    data: z.object({ userId: Id, online: z.boolean(), lastSeenAt: Instant.nullable() }),
    summary:
      'Somebody came or went. A farm is online while any of its people is who may write for it.',
    audience: 'Those watching them.',
  }),
};

export const usersApi = endpoints(calls, {
  updateProfile: {
    summary: "Change the signed-in user's own name, phone, address and wish for shortages",
    access: ROLES,
    body: UpdateProfile,
    answer: one(User),
  },
  list: {
    summary: 'All users, newest first or as sorted',
    access: ['admin'],
    query: UserListQuery,
    answer: list(User),
    rate: 'search',
  },
  outlook: {
    summary: "The open orders that the deletion of the signed-in user's own account concerns",
    access: ROLES,
    answer: one(DeletionOutlook),
  },
  removeOwn: {
    summary:
      "Delete the signed-in user's own account; their farm goes on, goes to a successor or closes",
    access: ROLES,
    body: DeleteOwnAccount,
    rate: 'login',
    failures: [409],
    notRepeatable: 'The account that would keep the answer is gone.',
  },
  remove: {
    summary: 'Delete an account that is no admin; its farm goes on, goes to a successor or closes',
    access: ['admin'],
    params: idParams(() => t('User not found')),
    query: DeleteUserQuery,
    failures: [403],
  },
  mailAgain: {
    summary: 'Mail to an account again whose address a mail server refused',
    access: ['admin'],
    params: idParams(() => t('User not found')),
  },
});

declare module '#contract/platform/session/constants' {
  interface SignedInUser extends User {}
}
