import type { QueryKey } from '@tanstack/react-query';
import type { User } from '#contract/people/users/users';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { byField, type FeatureReducers, remove, upsert } from '../../platform/realtime/reducer.ts';
import { type UserFilters, usersKeys } from './keys.ts';

const newestFirst = byField('createdAt', 'desc');

/**
 * Returns whether the list under this key contains the user; undefined where only the server knows their
 * place: in a text search, among farms with nothing for sale, in a range of days, or in another sort.
 */
function belongs(user: User, key: QueryKey): boolean | undefined {
  const { role, state, search, from, to, sort } = (key[1] ?? {}) as UserFilters;
  if (role !== undefined && role !== user.role) return false;
  // Whoever has just come is not suspended, and a farm has nothing for sale yet.
  if (state === 'suspended') return false;
  return search || state || from || to || sort ? undefined : true;
}

/** Keeps the admin's list of users current. */
export const userReducers = {
  'user.created': (cache, event) =>
    upsert(cache, usersKeys.all, event.data, { order: newestFirst, belongs }),
  // Only the server knows which filters it fits now.
  'user.suspensionChanged': (cache) => refetch(cache, usersKeys.all),
  'user.deleted': (cache, event) => remove(cache, usersKeys.all, event.data._id),
} satisfies FeatureReducers;
