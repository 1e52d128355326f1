import { type Notification, NotificationKind } from '#contract/notifications';
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
