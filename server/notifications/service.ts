import type { Notification, Preferences, SubscribePush } from '#contract/notifications';
import type { ListQuery, Page } from '#contract/platform';
import { room } from '#contract/realtime';
import type { Database, Transaction } from '../../prisma/client.ts';
import { NEWEST_FIRST, olderThan, timePlace, toPage } from '../platform/cursor.ts';
import { invalidField, unauthorized } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { lockName, transact } from '../platform/postgres.ts';
import { isPublicHost } from '../platform/public-address.ts';
import { notificationsLock, presentNotification, presentPreferences } from './present.ts';

/** Browsers of one person that get push messages; the oldest gives way. */
const SUBSCRIPTIONS_MAX = 20;

/** The user's notifications, newest first, and how many of all are unread. */
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
  const page = toPage(rows, query.limit, timePlace);
  return { items: page.rows.map(presentNotification), nextCursor: page.nextCursor, unreadCount };
}

/**
 * Marks the given notifications of the user, or all, as read; their other windows are told if that
 * changed anything. @returns how many stay unread
 */
export async function markNotificationsRead(
  platform: Platform,
  userId: string,
  ids: string[] | undefined,
): Promise<number> {
  const unreadCount = await transact(platform.db, async (tx) => {
    await lockName(tx, notificationsLock(userId));
    const { count } = await tx.notification.updateMany({
      where: { userId, readAt: null, ...(ids ? { id: { in: ids } } : {}) },
      data: { readAt: new Date() },
    });
    const unreadCount = await countUnread(tx, userId);
    if (count > 0) {
      await record(tx, {
        name: 'notifications.read',
        data: { ids: ids ?? null, unreadCount },
        rooms: [room.user(userId)],
      });
    }
    return unreadCount;
  });
  return unreadCount;
}

const countUnread = (db: Database | Transaction, userId: string) =>
  db.notification.count({ where: { userId, readAt: null } });

/** Which kinds go out to the user over which channel. */
export async function readPreferences(platform: Platform, userId: string): Promise<Preferences> {
  const user = await platform.db.user.findUnique({
    where: { id: userId },
    select: { preferences: true },
  });
  if (!user) throw unauthorized();
  return presentPreferences(user.preferences);
}

/** Changes the kinds that are given and leaves the others. */
export async function updatePreferences(
  platform: Platform,
  userId: string,
  chosen: { [Kind in keyof Preferences]?: Preferences[Kind] | undefined },
): Promise<Preferences> {
  // Merged by the database, so that two windows changing two kinds both have their way.
  await platform.db.$executeRaw`
    UPDATE users SET preferences = preferences || ${JSON.stringify(chosen)}::jsonb
    WHERE id = ${userId}::uuid`;
  return readPreferences(platform, userId);
}

/**
 * Sends push messages to this browser from now on. A browser belongs to whoever signed in last.
 * @throws 400 for an address that no push service has
 */
export async function subscribePush(
  platform: Platform,
  userId: string,
  { endpoint, keys }: SubscribePush,
): Promise<void> {
  const isOwnTest = platform.env.NODE_ENV === 'test';
  if (!isOwnTest && !isPublicHost(new URL(endpoint).hostname)) {
    throw invalidField('endpoint', 'This is not the address of a push service.');
  }
  await transact(platform.db, async (tx) => {
    await tx.pushSubscription.upsert({
      where: { endpoint },
      create: { userId, endpoint, ...keys },
      update: { userId, ...keys, createdAt: new Date() },
    });
    const surplus = await tx.pushSubscription.findMany({
      where: { userId },
      orderBy: [...NEWEST_FIRST],
      skip: SUBSCRIPTIONS_MAX,
      select: { id: true },
    });
    await tx.pushSubscription.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
  });
}

/** Sends no more push messages to this browser of the user. */
export async function unsubscribePush(
  platform: Platform,
  userId: string,
  endpoint: string,
): Promise<void> {
  await platform.db.pushSubscription.deleteMany({ where: { userId, endpoint } });
}
