import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { CalendarFile, FarmCalendar } from '#contract/calendar';
import { farmNameOf } from '#contract/constants/farmers';
import { shortId } from '#contract/constants/ids';
import { STANDING_STATUSES } from '#contract/constants/orders';
import { actingFarm } from '../http/acting-farm.ts';
import { notFound } from '../http/errors.ts';
import { lockCaller } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { orderInclude, presentOrder } from '../orders/present.ts';
import { getOrder } from '../orders/service.ts';
import { transact } from '../process/postgres.ts';
import { closedDayEntries, farmEntries, orderEntry } from './entries.ts';
import { toCalendarFile } from './file.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The days of the calendar of a farm: the past month and the next months, as far as orders reach. */
const PAST_DAYS = 30;
const AHEAD_DAYS = 180;
/** A calendar with more orders has the nearest only. */
const ORDERS_MAX = 2000;

/**
 * Returns the pickup or delivery of an order as a file for a calendar.
 * @throws 404 when the order is unknown or not visible to this user
 */
export async function readOrderFile(
  platform: Platform,
  orderId: string,
  user: SessionUser,
): Promise<CalendarFile> {
  const order = await getOrder(platform, orderId, user);
  return {
    fileName: `order-${shortId(order._id)}.ics`,
    content: toCalendarFile([orderEntry(order)]),
  };
}

/** Returns the address of the caller's private calendar of their farm. @throws 403 who works for none */
export async function readFarmCalendar(
  { db, env }: Platform,
  user: SessionUser,
): Promise<FarmCalendar> {
  const where = { userId: user.id, farmId: actingFarm(user) };
  const member = await db.farmMember.findFirst({ where, select: { id: true, calendarKey: true } });
  return { url: member?.calendarKey ? addressOf(env, member.id, member.calendarKey) : null };
}

/**
 * Makes a new address for the caller's calendar: the one before leads nowhere from now on.
 * @throws 404 who was removed from the farm meanwhile
 */
export async function openFarmCalendar(
  { db, env }: Platform,
  user: SessionUser,
): Promise<FarmCalendar> {
  const calendarKey = randomUUID();
  const farmId = actingFarm(user);
  const id = await transact(db, async (tx) => {
    await lockCaller(tx, user.id);
    const where = { userId: user.id, farmId };
    const [member] = await tx.farmMember.updateManyAndReturn({ where, data: { calendarKey } });
    if (!member) throw notFound('Farm not found');
    return member.id;
  });
  return { url: addressOf(env, id, calendarKey) };
}

/** Ends the caller's calendar. */
export async function closeFarmCalendar({ db }: Platform, user: SessionUser): Promise<void> {
  const where = { userId: user.id, farmId: actingFarm(user) };
  await transact(db, async (tx) => {
    await lockCaller(tx, user.id);
    await tx.farmMember.updateMany({ where, data: { calendarKey: null } });
  });
}

type Secrets = Pick<Platform['env'], 'JWT_SECRET' | 'PUBLIC_URL'>;

/** What only this server can make: who reads the database alone cannot open a calendar. */
const signatureOf = ({ JWT_SECRET }: Secrets, memberId: string, key: string): string =>
  createHmac('sha256', JWT_SECRET).update(`calendar ${memberId} ${key}`).digest('base64url');

const addressOf = (env: Secrets, memberId: string, key: string): string =>
  `${env.PUBLIC_URL}/calendars/${memberId}/${signatureOf(env, memberId, key)}.ics`;

/**
 * Returns the calendar of the farm that a member works for, if the signature is that of their address.
 * A removed member has none.
 */
export async function readFarmDays(
  { db, env }: Platform,
  memberId: string,
  signature: string,
): Promise<string | undefined> {
  const member = await db.farmMember.findUnique({
    where: { id: memberId },
    select: {
      calendarKey: true,
      userId: true,
      user: { select: { suspendedAt: true } },
      farm: {
        select: {
          farmName: true,
          userId: true,
          closedDays: true,
          scheduleVersion: true,
          updatedAt: true,
          user: { select: { name: true } },
        },
      },
    },
  });
  if (!member?.calendarKey || !member.userId || member.user?.suspendedAt) return undefined;
  const expected = Buffer.from(signatureOf(env, memberId, member.calendarKey));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { farm } = member;
  const now = Date.now();
  const yesterday = new Date(now - DAY_MS);
  const ordersFrom = (startsAt: { gte: Date; lt: Date }, order: 'asc' | 'desc', take: number) =>
    db.order.findMany({
      where: {
        farmerId: farm.userId,
        status: { in: [...STANDING_STATUSES] },
        startsAt,
      },
      include: orderInclude,
      orderBy: [{ startsAt: order }, { id: 'asc' }],
      take,
    });
  // The nearest of what is ahead, then as much of what is past as there is room for.
  const ahead = await ordersFrom(
    { gte: yesterday, lt: new Date(now + AHEAD_DAYS * DAY_MS) },
    'asc',
    ORDERS_MAX,
  );
  const past = await ordersFrom(
    { gte: new Date(now - PAST_DAYS * DAY_MS), lt: yesterday },
    'desc',
    ORDERS_MAX - ahead.length,
  );
  const rows = [...past.reverse(), ...ahead];
  const { closedDays, scheduleVersion, updatedAt: changedAt } = farm;
  const entries = [
    ...farmEntries(rows.map(presentOrder)),
    ...closedDayEntries({ id: farm.userId, closedDays, scheduleVersion, changedAt }),
  ];
  return toCalendarFile(entries, farmNameOf({ farmName: farm.farmName, name: farm.user.name }));
}
