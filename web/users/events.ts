import type { QueryKey } from '@tanstack/react-query';
import type { User } from '#contract/users';
import { byField, type FeatureReducers, remove, upsert } from '../realtime/reducer.ts';
import type { UserFilters } from './queries.ts';

const newestFirst = byField('createdAt', 'desc');

/** Whether the list under this key holds the user; undefined where words are searched for. */
function belongs(user: User, key: QueryKey): boolean | undefined {
  const { role, search } = (key[1] ?? {}) as UserFilters;
  if (role !== undefined && role !== user.role) return false;
  return search ? undefined : true;
}

/** Keeps the admin's list of users true. */
export const userReducers = {
  'user.created': (cache, event) =>
    upsert(cache, ['users'], event.data, { order: newestFirst, belongs }),
  'user.deleted': (cache, event) => remove(cache, ['users'], event.data._id),
} satisfies FeatureReducers;
