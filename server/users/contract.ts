import { z } from 'zod';
import {
  Address,
  Done,
  endpoint,
  Id,
  Instant,
  idParams,
  ListQuery,
  list,
  one,
  ROLES,
  Role,
  requiredText,
  text,
} from '#contract/platform';

/** What a deleted account is called wherever the other side still sees it. */
export const DELETED_USER_NAME = 'Deleted user';

export const User = z.object({
  _id: Id,
  name: z.string(),
  email: z.string(),
  role: Role,
  phone: z.string(),
  address: Address,
  createdAt: Instant,
});
export type User = z.infer<typeof User>;

/** Enough of a person to name them. */
export const Person = z.object({ _id: Id, name: z.string() });
export type Person = z.infer<typeof Person>;

export const PersonWithRole = Person.extend({ role: Role });
export type PersonWithRole = z.infer<typeof PersonWithRole>;

/** Enough of a person to reach them; empty where an account was deleted. */
export const Contact = Person.extend({ email: z.string(), phone: z.string() });
export type Contact = z.infer<typeof Contact>;

/** Fields left out keep what they were, within the address too. */
export const UpdateProfile = z.object({
  name: requiredText(100, 'Name is required'),
  phone: text(40).optional(),
  address: z
    .object({
      street: Address.shape.street.unwrap(),
      city: Address.shape.city.unwrap(),
      state: Address.shape.state.unwrap(),
      zipCode: Address.shape.zipCode.unwrap(),
    })
    .partial()
    .optional(),
});
export type UpdateProfile = z.infer<typeof UpdateProfile>;

export const UserListQuery = ListQuery.extend({
  /** Part of a name or email. */
  search: text(200).optional(),
  role: Role.optional(),
});
export type UserListQuery = z.infer<typeof UserListQuery>;

export const usersApi = {
  updateProfile: endpoint({
    method: 'PUT',
    path: '/users/profile',
    summary: "Change the signed-in user's own name, phone and address",
    access: ROLES,
    body: UpdateProfile,
    answer: one(User),
    rate: 'writes',
  }),
  list: endpoint({
    method: 'GET',
    path: '/users',
    summary: 'All users, newest first',
    access: ['admin'],
    query: UserListQuery,
    answer: list(User),
    rate: 'search',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/users/:id',
    summary: 'Delete an account that is no admin',
    access: ['admin'],
    params: idParams('User not found'),
    answer: Done,
    rate: 'writes',
    failures: [403, 404],
  }),
};
