import { ATTENTION_KINDS, MAX_PUSH_SUBSCRIPTIONS } from '#contract/people/notifications/constants';
import type {
  MarkNotificationsRead,
  Notification,
  NotificationKind,
  Preferences,
  SubscribePush,
} from '#contract/people/notifications/notifications';
import { room } from '#contract/platform/events/constants';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { NEWEST_FIRST, olderThan, timeCursorOf, toPage } from '../../platform/http/cursor.ts';
import { invalidField, unauthorized } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { isPublicUrl } from '../../platform/process/push.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import {
  lockSession,
  rememberSession,
  type SessionUser,
} from '../../platform/sessions/sessions.ts';
import { lockName, transact } from '../../platform/stores/postgres.ts';
import { accountChanged } from '../users/addresses.ts';
import {
  linksOf,
  notificationsLock,
  presentNotification,
  presentPreferences,
  readNames,
} from './present.ts';

/** Returns the user's notifications, newest first, and the total of unread ones. */
export async function listNotifications(
  platform: Platform,
  userId: string,
  query: ListQuery,
): Promise<Page<Notification> & { unreadCount: number }> {
  const [rows, unreadCount] = await Promise.all([
    platform.db.notification.findMany({
      where: { userId, ...olderThan(query.cursor) },
      orderBy: [...NEWEST_FIRST],
      take: query.limit + 1,
    }),
    countUnread(platform.db, userId),
  ]);
  const names = await readNames(platform.db, rows);
  const present = (row: (typeof rows)[number]) => presentNotification(row, names);
  return { ...toPage(rows, query.limit, timeCursorOf, present), unreadCount };
}

/**
 * Marks the user's notifications with the given ids, those about the subject, or all, as read; records an
 * event if that changed anything. @returns the number of unread notifications
 * @param see what seeing notifications means for what asked by them, which stands on people: the app brings it
 */
export async function markNotificationsRead(
  platform: Platform,
  userId: string,
  { ids, subject }: MarkNotificationsRead,
  see: SeeNotifications,
): Promise<number> {
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, userId);
    await lockName(tx, notificationsLock(userId));
    const unread = {
      userId,
      readAt: null,
      ...(ids ? { id: { in: ids } } : {}),
      ...(subject ? { link: { in: linksOf(subject) } } : {}),
    };
    const asking = await tx.notification.findMany({
      where: { ...unread, kind: { in: [...ATTENTION_KINDS] } },
      select: { kind: true, link: true, key: true },
    });
    await see(tx, userId, asking);
    if (subject) {
      await settleNotifications(tx, userId, { links: linksOf(subject) });
      return countUnread(tx, userId);
    }
    const { count } = await tx.notification.updateMany({
      where: unread,
      data: { readAt: new Date() },
    });
    await recordSeenMoves(tx, userId, asking);
    const unreadCount = await countUnread(tx, userId);
    if (count > 0) await recordRead(tx, userId, ids ?? null, unreadCount);
    return unreadCount;
  });
}

/** Notes that somebody has seen what notifications are about. */
export type SeeNotifications = (
  tx: Transaction,
  userId: string,
  seen: readonly { kind: string; link: string }[],
) => Promise<void>;

/** Returns which kinds are sent to the user over which channel. */
export async function readPreferences(
  { db }: { db: Transaction | Database },
  userId: string,
): Promise<Preferences> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: { preferences: true },
  });
  if (!user) throw unauthorized();
  return presentPreferences(user.preferences);
}

type Chosen = { [Kind in keyof Preferences]?: Preferences[Kind] | undefined };

/** Updates the given kinds. */
export async function updatePreferences(
  platform: Platform,
  userId: string,
  chosen: Chosen,
): Promise<Preferences> {
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, userId);
    await mergePreferences(tx, userId, chosen);
    await record(tx, accountChanged(userId));
    return readPreferences({ db: tx }, userId);
  });
}

/**
 * Merges in the database, so that concurrent changes of different kinds are both kept, and a choice stays of which the
 * client says nothing.
 */
async function mergePreferences(tx: Transaction, userId: string, chosen: Chosen): Promise<void> {
  await tx.$executeRaw`
    UPDATE users SET preferences = preferences || (
      SELECT COALESCE(jsonb_object_agg(kind, COALESCE(preferences -> kind, '{}') || choice), '{}')
      FROM jsonb_each(${JSON.stringify(chosen)}::jsonb) AS chosen(kind, choice))
    WHERE id = ${userId}::uuid`;
}

/**
 * Turns the mails of one kind on or off for somebody who need not be signed in: their mails have a signed link
 * that does it. @returns false when there is no such account any more
 */
export async function turnMails(
  platform: Platform,
  userId: string,
  { kind, isOn }: { kind: NotificationKind; isOn: boolean },
): Promise<boolean> {
  const isThere = await transact(platform.db, async (tx) => {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM users WHERE id = ${userId}::uuid AND deleted_at IS NULL AND NOT is_farm
      FOR NO KEY UPDATE`;
    if (rows.length === 0) return false;
    // A separate statement, so that it sees what was committed while waiting for the lock.
    const { [kind]: before } = await readPreferences({ db: tx }, userId);
    if (before.email === isOn) return true;
    await mergePreferences(tx, userId, { [kind]: { ...before, email: isOn } });
    await record(tx, accountChanged(userId));
    return true;
  });
  await platform.eventLog.sequence();
  return isThere;
}

/**
 * Subscribes a browser to push messages, which go on until its session is ended; so that they outlast a day, it becomes
 * a remembered one. A browser belongs to the session that subscribed it last.
 * @throws 400 for an endpoint that is no push service's, 401 the session has ended
 */
export async function subscribePush(
  platform: Platform,
  { id: userId, sessionId }: SessionUser,
  { endpoint, keys }: SubscribePush,
): Promise<void> {
  if (!isPublicUrl(platform.env, endpoint)) {
    throw invalidField('endpoint', msg('This is not the address of a push service.'));
  }
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, userId);
    await rememberSession(tx, sessionId);
    // Concurrent subscriptions must not exceed the limit.
    await lockName(tx, `push subscriptions ${userId}`);
    await tx.pushSubscription.upsert({
      where: { endpoint },
      create: { userId, sessionId, endpoint, ...keys },
      update: { userId, sessionId, ...keys, createdAt: new Date() },
    });
    const surplus = await tx.pushSubscription.findMany({
      where: { userId },
      orderBy: [...NEWEST_FIRST],
      skip: MAX_PUSH_SUBSCRIPTIONS,
      select: { id: true },
    });
    await tx.pushSubscription.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
  });
  afterCommit(() => platform.sessions.invalidate(userId));
}

/**
 * Hands the subscription of a browser on to the present session of its owner.
 * @returns false when there is none any more: it ended with the session before
 * @throws 401 the session has ended
 */
export async function renewPush(
  platform: Platform,
  { id: userId, sessionId }: SessionUser,
  endpoint: string,
): Promise<boolean> {
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, userId);
    await lockSession(tx, sessionId);
    const { count } = await tx.pushSubscription.updateMany({
      where: { userId, endpoint },
      data: { sessionId },
    });
    return count > 0;
  });
}

/** Ends the push messages of people who have lost rights: what waits may be about what they no longer see. */
export async function endPushes(tx: Transaction, userIds: readonly string[]): Promise<void> {
  await tx.pushSubscription.deleteMany({ where: { userId: { in: [...userIds] } } });
}

/** Unsubscribes a browser of the user from push messages. */
export async function unsubscribePush(
  platform: Platform,
  userId: string,
  endpoint: string,
): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, userId);
    await tx.pushSubscription.deleteMany({ where: { userId, endpoint } });
  });
}

/** The most ids in one event, so that it stays small however many notifications are read. */
const EVENT_IDS_MAX = 500;

/** Notifications of one person: these, or those with one of the links. */
type Settled = { ids: readonly string[] } | { links: readonly string[] };

/** Returns the number of unread notifications of a user. */
const countUnread = (db: Database | Transaction, userId: string): Promise<number> =>
  db.notification.count({ where: { userId, readAt: null } });

/** Records that notifications were read, ids null being all. */
async function recordRead(
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

/** Notifies farms that a consumer has seen what they moved, where that is among what the consumer has just read. */
async function recordSeenMoves(
  tx: Transaction,
  userId: string,
  read: readonly { key: string }[],
): Promise<void> {
  const orderIds = read.flatMap(({ key }) =>
    key.startsWith(MOVE_PREFIX) ? (key.slice(MOVE_PREFIX.length).split(':')[0] ?? []) : [],
  );
  if (orderIds.length === 0) return;
  const orders = await tx.order.findMany({
    // Not what a consumer moved and the people of the farm have read.
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
