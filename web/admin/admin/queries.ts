import { queryOptions, replaceEqualDeep, useMutation } from '@tanstack/react-query';
import type { Connected } from '#contract/admin/admin/admin';
import { adminApi } from '#contract/admin/admin/constants';
import { call } from '../../platform/api/api.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { adminKeys } from './keys.ts';

/** The number of feed items that the dashboard shows. */
export const FEED_LENGTH = 60;

/** The figures of the whole market. */
export const adminStatsQuery = () =>
  queryOptions({
    queryKey: adminKeys.stats(),
    queryFn: async ({ signal }) => (await call(adminApi.stats, { signal })).data,
  });

/** The live feed of the market, latest first. */
export const adminFeedQuery = () =>
  queryOptions({
    queryKey: adminKeys.feed(),
    queryFn: async ({ signal }) =>
      (await call(adminApi.feed, { query: { limit: FEED_LENGTH }, signal })).data,
    // Without `keepNewer`: an item shows the order as it was at that time.
    structuralSharing: replaceEqualDeep,
  });

/** Who is connected; filled by events only. */
export const connectedQuery = () =>
  queryOptions({
    queryKey: adminKeys.connected(),
    queryFn: (): Connected | null => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Grants this browser access to the job queue board and navigates to it. */
export function useOpenQueues() {
  return useMutation({
    mutationFn: () => call(adminApi.openQueues),
    onSuccess: () => window.location.assign('/admin/queues'),
    onError: toastError,
  });
}
