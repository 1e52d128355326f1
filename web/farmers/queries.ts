import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { FarmerCard, FarmerDetail, FarmProfile, UpdateFarmProfile } from '#contract/farmers';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { paging } from '../lib/pages.ts';
import { refetch } from '../realtime/in-flight.ts';
import { toast, toastError } from '../ui/toast.ts';

/** As many at once as the server gives: the names are searched in the browser. */
const PAGE = 200;

/** All farms, by name, as far as they are loaded. */
export const farmersQuery = () =>
  infiniteQueryOptions({
    queryKey: ['farmers', 'list'] as const,
    queryFn: ({ pageParam, signal }) =>
      api.get<ListAnswer<FarmerCard>>('/users/farmers', {
        query: { limit: PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** The first few farms, for the home page. */
export const firstFarmersQuery = (limit: number) =>
  queryOptions({
    queryKey: ['farmers', 'first', limit] as const,
    queryFn: async ({ signal }) =>
      (await api.get<ListAnswer<FarmerCard>>('/users/farmers', { query: { limit }, signal })).data,
  });

/** A farm with its profile. */
export const farmerQuery = (id: string) =>
  queryOptions({
    queryKey: ['farmers', 'detail', id] as const,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<FarmerDetail>>(`/users/farmers/${encodeURIComponent(id)}`, { signal }))
        .data,
  });

/** Changes the farm profile of the signed-in farmer, whose id is given. */
export function useUpdateFarmProfile(farmerId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: UpdateFarmProfile) =>
      api.put<Answer<FarmProfile>>('/users/farmers/profile', input),
    onSuccess: ({ data: profile }) => {
      cache.setQueryData(
        farmerQuery(farmerId).queryKey,
        (detail) => detail && { ...detail, profile },
      );
      refetch(cache, ['farmers']);
      toast.success('Farmer profile updated successfully!');
    },
    onError: toastError,
  });
}
