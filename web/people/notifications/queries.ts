import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { notificationsApi } from '#contract/people/notifications/constants';
import type {
  NotificationSubject,
  Preferences,
} from '#contract/people/notifications/notifications';
import { call, dataOf } from '../../platform/api/api.ts';
import { itemsOf, paging } from '../../platform/queries/pages.ts';
import { retryDelay, shouldRetry } from '../../platform/queries/query-client.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { unreadCountOf } from '../model/unread.ts';
import { mergeRead, notificationsKeys } from './events.ts';

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
function useMarkSubjectRead() {
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
    queryFn: dataOf(notificationsApi.preferences),
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

const SUBJECT_PATH =
  /^\/((?:admin\/)?orders|products|farmer\/products\/edit|(?:admin\/)?messages)\/([\w-]+)$/;
const KIND_BY_PLACE: Record<string, NotificationSubject['kind']> = {
  orders: 'order',
  'admin/orders': 'order',
  products: 'product',
  'farmer/products/edit': 'product',
};

/** Returns what the page under this path shows, if notifications can be about it. */
export function subjectOf(path: string): NotificationSubject | undefined {
  const [, place = '', _id] = SUBJECT_PATH.exec(path) ?? [];
  if (_id === undefined) return undefined;
  return { kind: KIND_BY_PLACE[place] ?? 'conversation', _id: _id.toLowerCase() };
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Marks what is about the order, the product or the conversation in view as read, also what arrives while it is. */
export function useSeenNotifications(path: string): void {
  const { data } = useInfiniteQuery(notificationsQuery());
  const isVisible = useSyncExternalStore(subscribe, () => !document.hidden);
  const { mutate } = useMarkSubjectRead();
  const asked = useRef('');
  const unread = itemsOf(data).filter((item) => !item.isRead);
  const ids = unread.filter(({ link }) => link === path).map(({ _id }) => _id);
  // Others may be unread further down the list, which is not loaded.
  const hasMore = unreadCountOf(data) > unread.length;
  const question = ids.length > 0 || hasMore ? `${path} ${ids.join()}` : '';

  useEffect(() => {
    const subject = subjectOf(path);
    if (!subject || !isVisible || question === '' || asked.current === question) return;
    const wasAsked = asked.current.startsWith(`${path} `);
    asked.current = question;
    const found = question
      .slice(path.length + 1)
      .split(',')
      .filter(Boolean);
    if (found.length > 0 || !wasAsked) mutate({ subject, ids: found });
  }, [path, isVisible, question, mutate]);
}
