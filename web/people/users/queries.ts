import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { usersApi } from '#contract/people/users/constants';
import type { DeleteUserQuery, User, UserListQuery } from '#contract/people/users/users';
import { t } from '#contract/platform/text/constants/texts';
import { call } from '../../platform/api/api.ts';
import { paging, rootKeys } from '../../platform/queries/pages.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { byField, type FeatureReducers, remove, upsert } from '../../platform/realtime/reducer.ts';

/** The filters and the sort of the list of users. */
type UserFilters = {
  [Name in Exclude<keyof UserListQuery, 'limit' | 'cursor'>]?: UserListQuery[Name] | undefined;
};

const PAGE_SIZE = 40;

/** All users, newest first, for admins. */
export const usersQuery = (filters: UserFilters = {}) =>
  infiniteQueryOptions({
    queryKey: [...rootKeys.users, filters],
    queryFn: ({ pageParam, signal }) =>
      call(usersApi.list, { query: { ...filters, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
  });

/** Deletes an account, which must not be an admin's; its farm goes to the successor, or closes, as is said. */
export const useDeleteUser = () =>
  useCommand(
    ({ user, ...query }: { user: Pick<User, '_id'> } & DeleteUserQuery) =>
      call(usersApi.remove, { params: { id: user._id }, query }),
    {
      onSuccess: (cache, _, { user }) => remove(cache, rootKeys.users, user._id),
      done: t('User deleted successfully!'),
    },
  );

const newestFirst = byField('createdAt', 'desc');

/**
 * Returns whether the list under this key contains the user; undefined where only the server knows their
 * place: in a text search, among farms with nothing for sale, in a range of days, or in another sort.
 */
function belongs(user: User, key: QueryKey): boolean | undefined {
  const { role, state, search, from, to, sort } = (key[1] ?? {}) as UserFilters;
  if (role !== undefined && role !== user.role) return false;
  // A new user is neither suspended nor out of reach, and a farm has nothing for sale yet.
  if (state === 'suspended' || state === 'unreachable') return false;
  return search || state || from || to || sort ? undefined : true;
}

/** Keeps the admin's list of users current. */
export const userReducers = {
  'user.created': (cache, event) =>
    upsert(cache, rootKeys.users, event.data, { order: newestFirst, belongs }),
  // Only the server knows which filters it fits now.
  'user.suspensionChanged': (cache) => refetch(cache, rootKeys.users),
  'user.deleted': (cache, event) => remove(cache, rootKeys.users, event.data._id),
} satisfies FeatureReducers;
