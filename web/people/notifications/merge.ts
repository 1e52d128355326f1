import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { notificationsApi } from '#contract/people/notifications/constants';
import type { Notification } from '#contract/people/notifications/notifications';
import type { AnswerOf } from '../../platform/api/api.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { byField, patchWhere, rewrite, upsert } from '../../platform/realtime/reducer.ts';
import { notificationsKeys } from './keys.ts';

/** A page of notifications, with the unread count of all. */
export type NotificationPage = AnswerOf<typeof notificationsApi.list>;

/** The loaded pages of notifications. */
export type NotificationPages = InfiniteData<NotificationPage, string | null>;

const newestFirst = byField('createdAt', 'desc');

/** Returns the number of unread notifications, loaded or not. */
export function unreadCountOf(data: Pick<NotificationPages, 'pages'> | undefined): number {
  return data?.pages[0]?.unreadCount ?? 0;
}

/** Changes the unread count, which every loaded page contains. */
function setUnread(cache: QueryClient, change: (count: number) => number): void {
  rewrite(cache, notificationsKeys.list(), (cached) => {
    const data = cached as NotificationPages | undefined;
    if (!data) return data;
    const unreadCount = Math.max(0, change(unreadCountOf(data)));
    return { ...data, pages: data.pages.map((page) => ({ ...page, unreadCount })) };
  });
}

/** Inserts a notification into the list. Idempotent. */
export function mergeNotification(cache: QueryClient, notification: Notification): void {
  const known = cache.getQueryData<NotificationPages>(notificationsKeys.list());
  const items = itemsOf(known);
  const isKnown = items.some((other) => other._id === notification._id);
  const newest = items[0];
  upsert(cache, notificationsKeys.list(), notification, {
    order: newestFirst,
    // A read notification stays read, also if an older event arrives.
    merge: (old, fresh) => (old.isRead ? old : fresh),
  });
  if (isKnown || notification.isRead) return;
  // An old notification may be counted already; only the server knows.
  if (newest && newest.createdAt > notification.createdAt) refetch(cache, notificationsKeys.list());
  else setUnread(cache, (count) => count + 1);
}

/** Marks these notifications, or all (null), as read. `unreadCount` is the server's count, if known. */
export function mergeRead(
  cache: QueryClient,
  ids: readonly string[] | null,
  unreadCount?: number,
): void {
  let marked = 0;
  patchWhere<Notification>(cache, notificationsKeys.list(), (notification) => {
    if (notification.isRead || (ids && !ids.includes(notification._id))) return notification;
    marked += 1;
    return { ...notification, isRead: true };
  });
  setUnread(cache, (count) => unreadCount ?? (ids ? count - marked : 0));
}
