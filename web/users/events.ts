import type { QueryKey } from '@tanstack/react-query';
import type { User } from '#contract/users';
import { byField, type FeatureReducers, remove, upsert } from '../realtime/reducer.ts';
import { type UserFilters, usersKeys } from './keys.ts';

const newestFirst = byField('createdAt', 'desc');

/**
 * Returns whether the list under this key contains the user; undefined where only the server knows their
 * place: in a text search, a range of days, or another sort.
 */
function belongs(user: User, key: QueryKey): boolean | undefined {
  const { role, search, from, to, sort } = (key[1] ?? {}) as UserFilters;
  if (role !== undefined && role !== user.role) return false;
  return search || from || to || sort ? undefined : true;
}

/** Keeps the admin's list of users current. */
export const userReducers = {
  'user.created': (cache, event) =>
    upsert(cache, usersKeys.all, event.data, { order: newestFirst, belongs }),
  'user.deleted': (cache, event) => remove(cache, usersKeys.all, event.data._id),
} satisfies FeatureReducers;
