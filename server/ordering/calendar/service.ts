import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Context, Next } from 'koa';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { CalendarFile, FarmCalendar } from '#contract/ordering/calendar/calendar';
import { shortId } from '#contract/platform/http/constants';
import { theMarket } from '#contract/platform/market/constants';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';
import { inLanguageOf, languageOf } from '../../platform/market/readers.ts';
import { readVersion } from '../../platform/process/env.ts';
import { actingFarm, lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { orderInclude, presentOrder } from '../model/present.ts';
import { getOrder } from '../model/read.ts';
import {
  closedDayEntries,
  type Entry,
  farmEntries,
  orderEntry,
  toCalendarFile,
} from './entries.ts';

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
  return inLanguageOf(user.language, async () => ({
    fileName: `order-${shortId(order._id)}.ics`,
    content: toCalendarFile([orderEntry(order)]),
  }));
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
    if (!member) throw notFound(msg('Farm not found'));
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

// $1 the farm, $2 to $4 the beginning of the days that are shown, yesterday and their end. Orders are never deleted and
// their versions grow, so the sum of all of them does as well. What names the customers has no version.
const REVISION = `SELECT COALESCE(sum(o.version), 0)::int AS sequence,
    COALESCE(max(o.updated_at), to_timestamp(0)) AS "changedAt",
    concat_ws(' ', count(*) FILTER (WHERE o.is_shown),
      count(*) FILTER (WHERE o.is_shown AND o.starts_at < $3::timestamptz),
      min(o.starts_at) FILTER (WHERE o.is_shown), max(o.starts_at) FILTER (WHERE o.is_shown),
      sum(hashtext(consumer.name))) AS shown
  FROM (
    SELECT *, status IN (${sqlList(STANDING_STATUSES)})
      AND starts_at >= $2::timestamptz AND starts_at < $4::timestamptz AS is_shown
    FROM orders WHERE farmer_id = $1::uuid) o
  LEFT JOIN users consumer ON o.is_shown AND consumer.id = o.consumer_id`;

interface Revision extends Pick<Entry, 'sequence' | 'changedAt'> {
  shown: string;
}

/** A farm's calendar: what it is known by, and how to read it. */
interface FarmDays {
  /** Changes with whatever it shows; found without reading the orders. */
  tag: string;
  read: () => Promise<string>;
}

/**
 * Returns the calendar of the farm that a member works for, if the signature is that of their address.
 * A removed member has none.
 */
async function findFarmDays(
  { db, env }: Platform,
  memberId: string,
  signature: string,
): Promise<FarmDays | undefined> {
  const member = await db.farmMember.findUnique({
    where: { id: memberId },
    select: {
      calendarKey: true,
      userId: true,
      user: { select: { suspendedAt: true, language: true } },
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
  const now = (await readClock(db)).getTime();
  const first = new Date(now - PAST_DAYS * DAY_MS);
  const yesterday = new Date(now - DAY_MS);
  const end = new Date(now + AHEAD_DAYS * DAY_MS);
  const [revision] = await db.$queryRawUnsafe<[Revision]>(
    REVISION,
    farm.userId,
    first,
    yesterday,
    end,
  );
  const { closedDays, scheduleVersion, updatedAt } = farm;
  const name = farmNameOf({ farmName: farm.farmName, name: farm.user.name });
  const language = member.user?.language ?? null;
  const known = [
    ...[readVersion(), theMarket().version, languageOf(language), name],
    ...[closedDays, scheduleVersion, updatedAt],
  ];
  const tag = createHash('sha256')
    .update(JSON.stringify([known, revision]))
    .digest('base64url');
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
  const read = async () => {
    // The nearest of what is ahead, then as much of what is past as there is room for.
    const ahead = await ordersFrom({ gte: yesterday, lt: end }, 'asc', ORDERS_MAX);
    const past = await ordersFrom({ gte: first, lt: yesterday }, 'desc', ORDERS_MAX - ahead.length);
    const { sequence, changedAt } = revision;
    const entries = [
      ...farmEntries([...past.reverse(), ...ahead].map(presentOrder), { sequence, changedAt }),
      ...closedDayEntries({ id: farm.userId, closedDays, scheduleVersion, changedAt: updatedAt }),
    ];
    return toCalendarFile(entries, name);
  };
  return { tag, read: () => inLanguageOf(language, read) };
}

const CALENDAR = /^\/calendars\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{43})\.ics$/i;

/**
 * Serves the private calendars of farms to the programs that subscribe to them, which sign in to nothing:
 * the address is the key. It is not logged and not indexed.
 */
export function serveCalendars(platform: Platform) {
  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/calendars/') || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      return next();
    }
    await platform.rateLimits('reads', [addressKey(ctx.ip)]);
    const [, memberId, signature] = CALENDAR.exec(ctx.path) ?? [];
    const days =
      memberId && signature && (await findFarmDays(platform, memberId.toLowerCase(), signature));
    if (!days)
      throw notFound(msg('This calendar has ended. Its address is in the settings of the farm.'));
    ctx.status = 200;
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.set('X-Robots-Tag', 'noindex');
    ctx.etag = days.tag;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.type = 'text/calendar; charset=utf-8';
    ctx.body = await days.read();
  };
}
