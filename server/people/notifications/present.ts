import { ALWAYS_MAILED, DEFAULT_PREFERENCES } from '#contract/people/notifications/constants';
import {
  type Notification,
  NotificationKind,
  type NotificationSubject,
  Preferences,
} from '#contract/people/notifications/notifications';
import type { Notification as NotificationRow } from '../../../prisma/generated/client.ts';

/** Presents a notification to its reader. */
export const presentNotification = (row: NotificationRow): Notification => ({
  _id: row.id,
  kind: NotificationKind.parse(row.kind),
  title: row.title,
  body: row.body,
  link: row.link,
  isRead: row.readAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/**
 * Returns a person's preferences completed with the defaults; only the defaults if they are invalid. What is always
 * mailed is mailed, whatever is stored.
 */
export function presentPreferences(stored: unknown): Preferences {
  const merged = Preferences.safeParse({ ...DEFAULT_PREFERENCES, ...Object(stored) });
  const preferences = merged.success ? merged.data : DEFAULT_PREFERENCES;
  const mailed = ALWAYS_MAILED.map((kind) => [kind, { ...preferences[kind], email: true }]);
  return { ...preferences, ...Object.fromEntries(mailed) };
}

/**
 * Returns the name of the lock that serializes adding and reading one person's notifications, so that
 * the unread counts in events match the order of the events.
 */
export const notificationsLock = (userId: string): string => `notifications ${userId}`;

/** Returns the links of the notifications about a subject: a notification leads to what it is about. */
export function linksOf({ kind, _id }: NotificationSubject): string[] {
  switch (kind) {
    case 'order':
      return [`/orders/${_id}`, `/admin/orders/${_id}`];
    case 'conversation':
      return [`/messages/${_id}`, `/admin/messages/${_id}`];
    case 'product':
      return [
        `/products/${_id}`,
        `/farmer/products/edit/${_id}`,
        `/farmer/products?view=stock&product=${_id}`,
      ];
  }
}
