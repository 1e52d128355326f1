import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { notificationsApi } from '#contract/people/notifications/constants';
import type {
  NotificationSubject,
  Preferences,
} from '#contract/people/notifications/notifications';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { retryDelay, shouldRetry } from '../../platform/queries/query-client.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { notificationsKeys } from './keys.ts';
import { mergeRead } from './merge.ts';

/** The page size of notifications: the orders of a busy morning, which are shown as one. */
const PAGE_SIZE = 50;

/** The signed-in user's notifications, newest first; each page has the unread count. */
export const notificationsQuery = () =>
  infiniteQueryOptions({
    queryKey: notificationsKeys.list(),
    queryFn: ({ pageParam, signal }) =>
      call(notificationsApi.list, { query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
  });

/** Marks these notifications, or all of them, as read. Optimistic. */
export function useMarkNotificationsRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[] | null) =>
      call(notificationsApi.markRead, { body: ids ? { ids } : {} }),
    onMutate: (ids) => mergeRead(cache, ids),
    onSuccess: ({ data }, ids) => mergeRead(cache, ids, data.unreadCount),
    onError: (error) => {
      toastError(error);
      void cache.invalidateQueries({ queryKey: notificationsKeys.list() });
    },
  });
}

/**
 * Marks what is about an order, a product or a conversation as read, because it is in view. `ids` are those that are
 * loaded. Nobody waits for it, so a failure says nothing.
 */
export function useMarkSubjectRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ subject }: { subject: NotificationSubject; ids: readonly string[] }) =>
      call(notificationsApi.markRead, { body: { subject } }),
    retry: shouldRetry,
    retryDelay,
    onMutate: ({ ids }) => mergeRead(cache, ids),
    onSuccess: ({ data }, { ids }) => mergeRead(cache, ids, data.unreadCount),
    onError: () => cache.invalidateQueries({ queryKey: notificationsKeys.list() }),
  });
}

/** The preferences for notifications by email and push. */
export const preferencesQuery = () =>
  queryOptions({
    queryKey: notificationsKeys.preferences(),
    queryFn: async ({ signal }) => (await call(notificationsApi.preferences, { signal })).data,
  });

/** Changes the preferences. Optimistic; refetched on failure. */
export function useUpdatePreferences() {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: 'notification preferences' },
    mutationFn: (body: Partial<Preferences>) => call(notificationsApi.updatePreferences, { body }),
    onMutate: (change) => showPreferences(cache, change),
    onSuccess: (_, change) => showPreferences(cache, change),
    onError: (error) => {
      toastError(error);
      void cache.invalidateQueries({ queryKey: notificationsKeys.preferences() });
    },
  });
}

function showPreferences(cache: QueryClient, change: Partial<Preferences>): void {
  cache.setQueryData<Preferences>(
    notificationsKeys.preferences(),
    (before) => before && { ...before, ...change },
  );
}
