import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Preferences } from '#contract/notifications';
import { type Answer, api } from '../lib/api.ts';
import { paging } from '../lib/pages.ts';
import { toastError } from '../ui/toast.ts';
import { mergeRead, NOTIFICATIONS_KEY, type NotificationPage } from './merge.ts';

/** How many notifications are loaded at once. */
const PAGE = 20;

/** The signed-in user's notifications, newest first, each part with the count of unread ones. */
export const notificationsQuery = () =>
  infiniteQueryOptions({
    queryKey: NOTIFICATIONS_KEY,
    queryFn: ({ pageParam, signal }) =>
      api.get<NotificationPage>('/notifications', {
        query: { limit: PAGE, cursor: pageParam },
        signal,
      }),
    ...paging,
  });

/** Marks these notifications as read, or all of them. It shows at once. */
export function useMarkNotificationsRead() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ids: string[] | null) =>
      api.put<Answer<{ unreadCount: number }>>('/notifications/read', ids ? { ids } : {}),
    onMutate: (ids) => mergeRead(cache, ids),
    onSuccess: ({ data }, ids) => mergeRead(cache, ids, data.unreadCount),
    onError: (error) => {
      toastError(error);
      void cache.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
    },
  });
}

const PREFERENCES_KEY = ['notification-preferences'] as const;

/** Which notifications go out by email and push. */
export const preferencesQuery = () =>
  queryOptions({
    queryKey: PREFERENCES_KEY,
    queryFn: async ({ signal }) =>
      (await api.get<Answer<Preferences>>('/notifications/preferences', { signal })).data,
  });

/** Changes which notifications go out. It shows at once, and is taken back when it fails. */
export function useUpdatePreferences() {
  const cache = useQueryClient();
  return useMutation({
    scope: { id: 'notification preferences' },
    mutationFn: (change: Partial<Preferences>) =>
      api.put<Answer<Preferences>>('/notifications/preferences', change),
    onMutate: (change) => showPreferences(cache, change),
    onSuccess: (_, change) => showPreferences(cache, change),
    onError: (error) => {
      toastError(error);
      void cache.invalidateQueries({ queryKey: PREFERENCES_KEY });
    },
  });
}

function showPreferences(cache: QueryClient, change: Partial<Preferences>): void {
  cache.setQueryData<Preferences>(PREFERENCES_KEY, (before) => before && { ...before, ...change });
}
