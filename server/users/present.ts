import type { Address } from '#contract/platform';
import {
  type Contact,
  DELETED_USER_NAME,
  type Person,
  type PersonWithRole,
  type User,
} from '#contract/users';
import type { Prisma, User as UserRow } from '../../prisma/generated/client.ts';

/** What naming a person takes. */
export const personSelect = {
  id: true,
  name: true,
  role: true,
  deletedAt: true,
} as const satisfies Prisma.UserSelect;

/** What reaching a person takes. */
export const contactSelect = {
  ...personSelect,
  email: true,
  phone: true,
} as const satisfies Prisma.UserSelect;

type PersonRow = Prisma.UserGetPayload<{ select: typeof personSelect }>;
type ContactRow = Prisma.UserGetPayload<{ select: typeof contactSelect }>;

/** A person by name; a deleted one has only the name everyone deleted has. */
export const presentPerson = (row: PersonRow): Person => ({
  _id: row.id,
  name: row.deletedAt ? DELETED_USER_NAME : row.name,
});

/** A person by name and role. */
export const presentPersonWithRole = (row: PersonRow): PersonWithRole => ({
  ...presentPerson(row),
  role: row.role,
});

/** A person and how to reach them; empty where the account was deleted. */
export const presentContact = (row: ContactRow): Contact => ({
  ...presentPerson(row),
  email: row.deletedAt ? '' : row.email,
  phone: row.deletedAt ? '' : row.phone,
});

/** A person's address as the wire has it. */
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

/** A whole account, for its owner and admins. */
export const presentUser = (row: UserRow): User => ({
  _id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  phone: row.phone,
  address: presentAddress(row),
  createdAt: row.createdAt.toISOString(),
});
