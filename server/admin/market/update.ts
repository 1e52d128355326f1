import { isDeepStrictEqual } from 'node:util';
import { room } from '#contract/platform/events/constants';
import type { Market } from '#contract/platform/market/constants';
import type { UpdateMarket } from '#contract/platform/market/market';
import { approveAllFarms } from '../../farm/farmers/service.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, versionConflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockMarket, presentMarket, toMarketRow } from '../../platform/market/settings.ts';
import { defined } from '../../platform/process/defined.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { databaseKnowsTimeZone, transact } from '../../platform/stores/postgres.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';
import { MARKET_TRANSACTION_MS } from './begin.ts';
import { isCurrencyInUse } from './currency.ts';
import { changeTimeZone } from './time-zone.ts';

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
    throw invalidField('timeZone', 'Choose another time zone of this region.');
  }
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
      const changed = presentMarket(
        await tx.marketSettings.update({
          where: { id: 1 },
          data: { ...toMarketRow(after), version: { increment: 1 } },
        }),
      );
      await audit(tx, admin, 'market.updated', 'market', { name: changed.name, fields });
      await record(tx, { name: 'market.updated', data: changed, rooms: [room.everyone] });
      return changed;
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
    'There are prices in this currency, so its code and decimals stay as they are. Its sign can change.',
    fixed.map((name) => ({ path: `currency.${name}`, message: 'There are prices already.' })),
  );
