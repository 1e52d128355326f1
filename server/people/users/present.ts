import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { Contact, Person, PersonWithRole, User } from '#contract/people/users/users';
import type { Address } from '#contract/platform/http/http';
import type { Membership } from '#contract/platform/session/constants';
import type { Prisma, User as UserRow } from '../../../prisma/generated/client.ts';

/** Selects the columns that name a person. */
export const personSelect = {
  id: true,
  name: true,
  role: true,
  deletedAt: true,
} as const satisfies Prisma.UserSelect;

/** Selects the columns to contact a person. */
export const contactSelect = {
  ...personSelect,
  email: true,
  phone: true,
  isFarm: true,
} as const satisfies Prisma.UserSelect;

/** A row read by Prisma, or by Postgres as JSON, where an instant is a text. */
type FromPrismaOrJson<Row extends { deletedAt: unknown }> = Omit<Row, 'deletedAt'> & {
  deletedAt: Date | string | null;
};
export type PersonRow = FromPrismaOrJson<Prisma.UserGetPayload<{ select: typeof personSelect }>>;
export type ContactRow = FromPrismaOrJson<Prisma.UserGetPayload<{ select: typeof contactSelect }>>;

/** Presents a person by name; all deleted people have the same name. */
export const presentPerson = (row: PersonRow): Person => ({
  _id: row.id,
  name: row.deletedAt ? DELETED_USER_NAME : row.name,
});

/** Presents a person by name and role. */
export const presentPersonWithRole = (row: PersonRow): PersonWithRole => ({
  ...presentPerson(row),
  role: row.role,
});

/**
 * Presents a person with email and phone, which are empty for a deleted account. A farm that its founder has
 * left has no email.
 */
export const presentContact = (row: ContactRow): Contact => ({
  ...presentPerson(row),
  email: row.deletedAt || row.isFarm ? '' : row.email,
  phone: row.deletedAt ? '' : row.phone,
});

/** Presents a person's address. */
export const presentAddress = (row: {
  street: string;
  city: string;
  state: string;
  zipCode: string;
}): Address => ({
  street: row.street,
  city: row.city,
  state: row.state,
  zipCode: row.zipCode,
});

const unreachableFlag = ({ unreachableAt }: { unreachableAt?: Date | null }) =>
  unreachableAt ? { isEmailUnreachable: true as const } : {};

/** Selects what {@link presentUser} returns to the person alone. */
export const membershipInclude = {
  membership: { select: { farmId: true, role: true } },
} as const satisfies Prisma.UserInclude;

/** Presents a whole account, for its owner and admins; with the membership, if it was read. */
export const presentUser = (
  row: Pick<
    UserRow,
    | 'id'
    | 'name'
    | 'email'
    | 'role'
    | 'phone'
    | 'createdAt'
    | 'street'
    | 'city'
    | 'state'
    | 'zipCode'
    | 'version'
    | 'onShortDefault'
  > & {
    language?: string | null;
    membership?: Membership | null;
    emailVerifiedAt?: Date | null;
    unreachableAt?: Date | null;
  },
): User => ({
  _id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  phone: row.phone,
  address: presentAddress(row),
  createdAt: row.createdAt.toISOString(),
  version: row.version,
  ...(row.membership === undefined
    ? {}
    : {
        membership: row.membership,
        language: row.language ?? null,
        isEmailVerified: row.emailVerifiedAt != null,
        ...unreachableFlag(row),
      }),
  ...(row.membership !== undefined && row.role === 'consumer'
    ? { onShortDefault: row.onShortDefault }
    : {}),
});

/** Presents that a mail server refuses somebody's email, and what it replied; null unless it does. */
export const presentUnreachable = ({
  unreachableAt,
  unreachableReason,
}: Pick<UserRow, 'unreachableAt' | 'unreachableReason'>) =>
  unreachableAt && { since: unreachableAt.toISOString(), reply: unreachableReason };

/** Presents a whole account as {@link presentUser} does, with what only admins may read. */
export const presentUserForAdmins = (
  row: Parameters<typeof presentUser>[0] &
    Pick<UserRow, 'suspendedAt' | 'emailVerifiedAt' | 'unreachableAt'>,
): User => ({
  ...presentUser(row),
  isEmailVerified: row.emailVerifiedAt !== null,
  ...unreachableFlag(row),
  isSuspended: row.suspendedAt !== null,
});
