import { queryOptions, replaceEqualDeep, useMutation } from '@tanstack/react-query';
import type { AdminStats, Connected, FeedItem } from '#contract/admin';
import { type Answer, api, type ListAnswer } from '../lib/api.ts';
import { toastError } from '../ui/toast.ts';

/** How much of the feed the dashboard keeps. */
export const FEED_LENGTH = 60;

/** The figures of the whole market. */
export const adminStatsQuery = () =>
  queryOptions({
    queryKey: ['admin', 'stats'] as const,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<AdminStats>>('/admin/stats', { signal })).data,
  });

/** What happened on the market, latest first. */
export const adminFeedQuery = () =>
  queryOptions({
    queryKey: ['admin', 'feed'] as const,
    queryFn: async ({ signal }) =>
      (
        await api.get<ListAnswer<FeedItem>>('/admin/feed', {
          query: { limit: FEED_LENGTH },
          signal,
        })
      ).data,
    // A line tells how an order was at that time: no newer version of it may take its place.
    structuralSharing: replaceEqualDeep,
  });

/** Who is connected; events alone tell it, so there is nothing to fetch. */
export const connectedQuery = () =>
  queryOptions({
    queryKey: ['admin', 'connected'] as const,
    queryFn: (): Connected | null => null,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Opens the board of job queues to this browser, and goes there: it is a page of its own. */
export function useOpenQueues() {
  return useMutation({
    mutationFn: () => api.post('/admin/queues-session'),
    onSuccess: () => window.location.assign('/admin/queues'),
    onError: toastError,
  });
}
