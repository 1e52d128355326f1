import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { usersApi } from '#contract/people/users/constants';
import type { DeleteUserQuery, User } from '#contract/people/users/users';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { remove } from '../../platform/realtime/reducer.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';
import { type UserFilters, usersKeys } from './keys.ts';

const PAGE_SIZE = 40;

/** All users, newest first, for admins. */
export const usersQuery = (filters: UserFilters = {}) =>
  infiniteQueryOptions({
    queryKey: usersKeys.list(filters),
    queryFn: ({ pageParam, signal }) =>
      call(usersApi.list, {
        query: { ...filters, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** Deletes an account, which must not be an admin's; its farm goes to the successor, or closes, as is said. */
export function useDeleteUser() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ user, ...query }: { user: Pick<User, '_id'> } & DeleteUserQuery) =>
      call(usersApi.remove, { params: { id: user._id }, query }),
    onSuccess: (_, { user }) => {
      remove(cache, usersKeys.all, user._id);
      toast.success('User deleted successfully!');
    },
    onError: toastError,
  });
}
