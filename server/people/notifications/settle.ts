import type { NotificationKind } from '#contract/people/notifications/notifications';
import { room } from '#contract/platform/events/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { lockName } from '../../platform/stores/postgres.ts';
import { notificationsLock } from './present.ts';

/** The most ids in one event, so that it stays small however many notifications are read. */
const EVENT_IDS_MAX = 500;

/** Notifications of one person: these, or those with one of the links. */
export type Settled = { ids: readonly string[] } | { links: readonly string[] };

/** Returns the number of unread notifications of a user. */
export const countUnread = (db: Database | Transaction, userId: string): Promise<number> =>
  db.notification.count({ where: { userId, readAt: null } });

/** Records that notifications were read, ids null being all. */
export async function recordRead(
  tx: Transaction,
  userId: string,
  ids: readonly string[] | null,
  unreadCount: number,
): Promise<void> {
  const parts = ids === null ? [null] : chunksOf(ids);
  for (const part of parts) {
    await record(tx, {
      name: 'notifications.read',
      data: { ids: part, unreadCount },
      rooms: [room.user(userId)],
    });
  }
}

const MOVE_PREFIX = 'order.slotMoved:' satisfies `${NotificationKind}:`;

/** Notifies farms that a buyer has seen what they moved, where that is among what the buyer has just read. */
export async function recordSeenMoves(
  tx: Transaction,
  userId: string,
  read: readonly { key: string }[],
): Promise<void> {
  const orderIds = read.flatMap(({ key }) =>
    key.startsWith(MOVE_PREFIX) ? (key.slice(MOVE_PREFIX.length).split(':')[0] ?? []) : [],
  );
  if (orderIds.length === 0) return;
  const orders = await tx.order.findMany({
    // Not what a buyer moved and the people of the farm have read.
    where: { id: { in: orderIds }, consumerId: userId },
    select: { id: true, farmerId: true },
    orderBy: { id: 'asc' },
  });
  for (const { id, farmerId } of orders) {
    await record(tx, {
      name: 'order.moveSeen',
      data: { _id: id },
      rooms: [room.farm(farmerId)],
    });
  }
}

/**
 * Marks the unread notifications about something as read, because it was seen or settled, and records an
 * event if there were any. Doing so twice is harmless.
 */
export async function settleNotifications(
  tx: Transaction,
  userId: string,
  settled: Settled,
): Promise<void> {
  await lockName(tx, notificationsLock(userId));
  const read = await tx.notification.updateManyAndReturn({
    where: {
      userId,
      readAt: null,
      ...('ids' in settled
        ? { id: { in: [...settled.ids] } }
        : { link: { in: [...settled.links] } }),
    },
    data: { readAt: new Date() },
    select: { id: true, key: true },
  });
  if (read.length === 0) return;
  await recordSeenMoves(tx, userId, read);
  await recordRead(
    tx,
    userId,
    read.map(({ id }) => id),
    await countUnread(tx, userId),
  );
}

function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let start = 0; start < ids.length; start += EVENT_IDS_MAX) {
    chunks.push(ids.slice(start, start + EVENT_IDS_MAX));
  }
  return chunks;
}
