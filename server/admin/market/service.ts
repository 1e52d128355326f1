import { isDeepStrictEqual } from 'node:util';
import type { Announce } from '#contract/admin/market-pages/market-pages';
import { room } from '#contract/platform/events/constants';
import type { Announcement, Market } from '#contract/platform/market/constants';
import type { UpdateMarket } from '#contract/platform/market/market';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { moveCertificateTimers } from '../../farm/certificate/service.ts';
import { approveAllFarms } from '../../farm/farmers/service.ts';
import { moveCutoffTimers } from '../../farm/schedule/rules.ts';
import { moveSlots } from '../../farm/slots/service.ts';
import { moveOpenOrders } from '../../ordering/moves/write-moves.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, versionConflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import {
  lockMarket,
  presentMarket,
  requireLanguages,
  toMarketRow,
} from '../../platform/market/settings.ts';
import { SettingError } from '../../platform/process/env.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import {
  databaseKnowsTimeZone,
  defined,
  retryConflicts,
  transact,
} from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';

// What other features use of the market's settings.

/** Milliseconds. A market with many open orders takes longer than other transactions. */
export const MARKET_TRANSACTION_MS = { maxWait: 15_000, timeout: 300_000 };

/**
 * Takes the first values of a market from the environment: its time zone, where one is set, and when an order
 * counts as unanswered. Later starts change nothing, since admins do. May run at once in several processes.
 * @throws SettingError when Postgres does not know the zone
 */
export async function beginMarket({ db, pool, env, eventLog, log }: Platform): Promise<void> {
  const { MARKET_TIME_ZONE: timeZone, UNANSWERED_AFTER_SECONDS: unansweredSeconds } = env;
  if (timeZone !== undefined && !(await databaseKnowsTimeZone(pool, timeZone))) {
    throw new SettingError(
      `The setting MARKET_TIME_ZONE is wrong (Postgres does not know "${timeZone}"): see .env.example for what it takes.`,
    );
  }
  const hasBegun = await retryConflicts(() =>
    db.$transaction(async (tx) => {
      const market = await lockMarket(tx);
      if (market.unansweredSeconds !== null) return false;
      if (timeZone !== undefined) {
        await changeTimeZone(tx, { from: market.timeZone, to: timeZone, changedBy: null });
      }
      const begun = await tx.marketSettings.update({
        where: { id: 1 },
        data: { unansweredSeconds },
      });
      await record(tx, {
        name: 'market.updated',
        data: presentMarket(begun),
        rooms: [room.everyone],
      });
      return true;
    }, MARKET_TRANSACTION_MS),
  );
  if (!hasBegun) return;
  log.info({ timeZone }, 'The market has its first settings');
  await eventLog.sequence();
}

/**
 * Returns whether something has a price. Where nothing has, it stays so until the transaction ends: waits for products
 * that are just being made, and later ones wait for it. Amounts are kept as integers of the currency's smallest part,
 * and what these mean may never change.
 */
export async function isCurrencyInUse(tx: Transaction): Promise<boolean> {
  await tx.$queryRaw`SELECT 1 FROM market_settings WHERE id = 1 FOR UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const [found] = await tx.$queryRaw<{ isUsed: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM products) OR EXISTS (SELECT 1 FROM orders) AS "isUsed"`;
  return found?.isUsed === true;
}

/**
 * Makes another time zone the market's, whose row the caller has locked. Farms that had the market's follow
 * it, with their open orders of the days to come, which name the admin; null where nobody was signed in.
 */
export async function changeTimeZone(
  tx: Transaction,
  { from, to, changedBy }: { from: string; to: string; changedBy: string | null },
): Promise<void> {
  if (from === to) return;
  const farms = await tx.$queryRaw<{ id: string }[]>`
    SELECT user_id AS id FROM farmer_profiles WHERE time_zone = ${from}
    ORDER BY user_id FOR UPDATE`;
  const ids = farms.map(({ id }) => id);
  await moveCutoffTimers(tx, ids, to);
  await moveOpenOrders(tx, ids, { timeZone: to, changedBy });
  await moveSlots(tx, ids, to);
  await tx.farmerProfile.updateMany({ where: { userId: { in: ids } }, data: { timeZone: to } });
  await moveCertificateTimers(tx, ids);
  await tx.marketSettings.update({ where: { id: 1 }, data: { timeZone: to } });
  await record(
    tx,
    ...ids.map(
      (_id): NewEvent => ({ name: 'farmer.updated', data: { _id }, rooms: [room.everyone] }),
    ),
  );
}

/**
 * Changes the given settings of the market. Farms that had its time zone follow it, with their open orders; once
 * it no longer approves farms all drafts are in the market. What is already so changes nothing, whichever version
 * it expects: no event, no entry, the same version.
 * @throws 400 for a time zone that the database does not know, or a logo that this admin did not upload; 401; 409
 *   VERSION_CONFLICT, or CURRENCY_IN_USE
 */
export async function updateMarket(
  { db, pool }: Platform,
  admin: SessionUser,
  { expectedVersion, ...input }: UpdateMarket,
): Promise<Market> {
  const { timeZone } = input;
  if (timeZone !== undefined && !(await databaseKnowsTimeZone(pool, timeZone))) {
    throw invalidField('timeZone', msg('Choose another time zone of this region.'));
  }
  requireLanguages(input.languages, 'languages');
  return transact(
    db,
    async (tx) => {
      await lockCaller(tx, admin.id);
      const row = await lockMarket(tx);
      const before = presentMarket(row);
      const after = withChanges(before, input);
      const fields = changedFields(before, after);
      if (fields.length === 0) return before;
      if (expectedVersion !== undefined && expectedVersion !== before.version) {
        throw versionConflict(before);
      }
      const fixed = (['code', 'decimals'] as const).filter(
        (name) => after.currency[name] !== before.currency[name],
      );
      if (fixed.length > 0 && (await isCurrencyInUse(tx))) throw currencyInUse(fixed);
      if (after.logo !== before.logo) await requireOwnUploads(tx, admin.id, { logo: after.logo });
      await changeTimeZone(tx, {
        from: before.timeZone,
        to: after.timeZone,
        changedBy: admin.id,
      });
      if (before.approvesFarms && !after.approvesFarms) await approveAllFarms(tx);
      await audit(tx, admin, 'market.updated', 'market', { name: after.name, fields });
      return changeMarket(tx, toMarketRow(after));
    },
    MARKET_TRANSACTION_MS,
  );
}

/** Returns the settings with changes, in which what is left out stays. */
function withChanges(
  before: Market,
  { contact, currency, ...rest }: Partial<UpdateMarket>,
): Market {
  const { unansweredMinutes = before.unansweredMinutes } = rest;
  return {
    ...before,
    ...defined(rest),
    contact: { ...before.contact, ...defined(contact ?? {}) },
    currency: { ...before.currency, ...defined(currency ?? {}) },
    unansweredMinutes: Math.max(1, Math.round(unansweredMinutes * 60)) / 60,
  };
}

const changedFields = (before: Market, after: Market): (keyof Market)[] =>
  (Object.keys(after) as (keyof Market)[]).filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );

/** @param fixed the parts of the currency that were to change */
const currencyInUse = (fixed: readonly string[]) =>
  conflict(
    'CURRENCY_IN_USE',
    msg(
      'There are prices in this currency, so its code and decimals stay as they are. Its sign can change.',
    ),
    fixed.map((name) => ({ path: `currency.${name}`, message: msg('There are prices already.') })),
  );

/**
 * Announces something to everybody, or takes it away. What is already so changes nothing. Another end of what is still
 * announced does not announce it again; the same text after it has ended or was taken away does.
 * @throws 401
 */
export function announce(
  { db }: Platform,
  admin: SessionUser,
  { text, endsAt }: Announce,
): Promise<Market> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    const before = presentMarket(await lockMarket(tx));
    const after = text === '' ? null : { text, endsAt };
    if (
      before.announcement?.text === after?.text &&
      before.announcement?.endsAt === after?.endsAt
    ) {
      return before;
    }
    await audit(tx, admin, 'market.announced', 'announcement', { name: text });
    const now = await readClock(tx);
    return changeMarket(tx, {
      announcementText: text,
      announcementEndsAt: after?.endsAt ?? null,
      ...(after && !isStillAnnounced(before.announcement, text, now) ? { announcedAt: now } : {}),
    });
  });
}

/** Returns whether a text is what is announced until now. */
const isStillAnnounced = (announcement: Announcement | null, text: string, now: Date): boolean =>
  announcement?.text === text &&
  (announcement.endsAt === null || Date.parse(announcement.endsAt) > now.getTime());

/** Changes the settings, whose row is locked, and notifies everybody. */
export async function changeMarket(
  tx: Transaction,
  data: Prisma.MarketSettingsUpdateInput,
): Promise<Market> {
  const row = await tx.marketSettings.update({
    where: { id: 1 },
    data: { ...data, version: { increment: 1 } },
  });
  const changed = presentMarket(row);
  await record(tx, { name: 'market.updated', data: changed, rooms: [room.everyone] });
  return changed;
}
