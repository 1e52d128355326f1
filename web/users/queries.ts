import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '#contract/platform';
import type { User } from '#contract/users';
import { api, type ListAnswer } from '../lib/api.ts';
import { paging } from '../lib/pages.ts';
import { remove } from '../realtime/reducer.ts';
import { toast, toastError } from '../ui/toast.ts';

/** What the list of users is narrowed down to; what is left out is not asked for. */
export type UserFilters = { search?: string | undefined; role?: Role | undefined };

const PAGE = 40;

/** All users, newest first, for admins. */
export const usersQuery = (filters: UserFilters = {}) =>
  infiniteQueryOptions({
    queryKey: ['users', filters] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<User>>('/users', {
        query: { ...filters, limit: PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** Deletes an account that is no admin's. */
export function useDeleteUser() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (user: User) => api.del(`/users/${user._id}`),
    onSuccess: (_, user) => {
      remove(cache, ['users'], user._id);
      toast.success('User deleted successfully!');
    },
    onError: toastError,
  });
}
