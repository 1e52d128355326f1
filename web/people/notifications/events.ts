import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { notificationsApi } from '#contract/people/notifications/constants';
import type { Notification } from '#contract/people/notifications/notifications';
import type { AnswerOf } from '../../platform/api/api.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { isOwnCommand } from '../../platform/queries/use-changes.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import {
  byField,
  type FeatureReducers,
  patchWhere,
  upsert,
} from '../../platform/realtime/reducer.ts';
import { changeUnread } from '../model/unread.ts';

/** The keys of notifications in the query cache. */
export const notificationsKeys = {
  list: () => ['notifications'] as const,
  /** Whether this browser shows push messages. */
  pushState: () => ['push-in-this-browser'] as const,
  preferences: () => ['notification-preferences'] as const,
  /** The user's phone, and whether text messages reach it. */
  phone: () => ['phone'] as const,
};

/** A page of notifications, with the unread count of all. */
type NotificationPage = AnswerOf<typeof notificationsApi.list>;

/** The loaded pages of notifications. */
export type NotificationPages = InfiniteData<NotificationPage, string | null>;

const newestFirst = byField('createdAt', 'desc');

/** Inserts a notification into the list. Idempotent. */
function mergeNotification(cache: QueryClient, notification: Notification): void {
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
  else changeUnread(cache, notificationsKeys.list(), (count) => count + 1);
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
  changeUnread(
    cache,
    notificationsKeys.list(),
    (count) => unreadCount ?? (ids ? count - marked : 0),
  );
}

/** Keeps the notifications current. */
export const notificationReducers = {
  'notification.created': (cache, event) => mergeNotification(cache, event.data),
  'notifications.read': (cache, event) => mergeRead(cache, event.data.ids, event.data.unreadCount),
  'account.changed': (cache, event) => {
    // What was chosen in this tab is on the screen, maybe with more that is still on its way.
    if (!isOwnCommand(event.commandId)) refetch(cache, notificationsKeys.preferences());
    refetch(cache, notificationsKeys.phone());
  },
} satisfies FeatureReducers;
