import {
  DEFAULT_PREFERENCES,
  type Notification,
  NotificationKind,
  Preferences,
} from '#contract/notifications';
import type { Notification as NotificationRow } from '../../prisma/generated/client.ts';

/** A notification as its reader sees it. */
export const presentNotification = (row: NotificationRow): Notification => ({
  _id: row.id,
  kind: NotificationKind.parse(row.kind),
  title: row.title,
  body: row.body,
  link: row.link,
  isRead: row.readAt !== null,
  createdAt: row.createdAt.toISOString(),
});

/** A person's choices; where they never chose, or chose what is no longer there, the default. */
export function presentPreferences(stored: unknown): Preferences {
  const merged = Preferences.safeParse({ ...DEFAULT_PREFERENCES, ...Object(stored) });
  return merged.success ? merged.data : DEFAULT_PREFERENCES;
}

/**
 * The name under which one person's notifications are added and read one after the other, so that
 * the counts told by events are true in the order they are told.
 */
export const notificationsLock = (userId: string): string => `notifications ${userId}`;
