import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Notification } from '#contract/notifications';
import type { ListAnswer } from '../lib/api.ts';
import { itemsOf } from '../lib/pages.ts';
import { refetch } from '../realtime/in-flight.ts';
import { byField, patchWhere, rewrite, upsert } from '../realtime/reducer.ts';

/** A part of the notifications, with the count of all that are unread. */
export type NotificationPage = ListAnswer<Notification> & { unreadCount: number };

/** The notifications as far as they are loaded. */
export type NotificationPages = InfiniteData<NotificationPage, string | null>;

/** The key of the list of notifications. */
export const NOTIFICATIONS_KEY = ['notifications'] as const;

const newestFirst = byField('createdAt', 'desc');

/** How many notifications are unread, loaded or not. */
export function unreadCountOf(data: Pick<NotificationPages, 'pages'> | undefined): number {
  return data?.pages[0]?.unreadCount ?? 0;
}

/** Every part knows the count; all are to say the same. */
function setUnread(cache: QueryClient, change: (count: number) => number): void {
  rewrite(cache, NOTIFICATIONS_KEY, (cached) => {
    const data = cached as NotificationPages | undefined;
    if (!data) return data;
    const unreadCount = Math.max(0, change(unreadCountOf(data)));
    return { ...data, pages: data.pages.map((page) => ({ ...page, unreadCount })) };
  });
}

/** Puts a notification into the list. The same one twice counts once. */
export function mergeNotification(cache: QueryClient, notification: Notification): void {
  const known = cache.getQueryData<NotificationPages>(NOTIFICATIONS_KEY);
  const items = itemsOf(known);
  const isKnown = items.some((other) => other._id === notification._id);
  const newest = items[0];
  upsert(cache, NOTIFICATIONS_KEY, notification, {
    order: newestFirst,
    // What was read stays read, whatever an older telling says.
    merge: (old, fresh) => (old.isRead ? old : fresh),
  });
  if (isKnown || notification.isRead) return;
  // News from the past may be counted already: only the server knows.
  if (newest && newest.createdAt > notification.createdAt) refetch(cache, NOTIFICATIONS_KEY);
  else setUnread(cache, (count) => count + 1);
}

/** Marks these as read, or all (null). `unreadCount` is what the server counts then, if told. */
export function mergeRead(
  cache: QueryClient,
  ids: readonly string[] | null,
  unreadCount?: number,
): void {
  let marked = 0;
  patchWhere<Notification>(cache, NOTIFICATIONS_KEY, (notification) => {
    if (notification.isRead || (ids && !ids.includes(notification._id))) return notification;
    marked += 1;
    return { ...notification, isRead: true };
  });
  setUnread(cache, (count) => unreadCount ?? (ids ? count - marked : 0));
}
