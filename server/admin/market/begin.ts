import { room } from '#contract/platform/events/constants';
import { record } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockMarket, presentMarket } from '../../platform/market/settings.ts';
import { SettingError } from '../../platform/process/env.ts';
import { databaseKnowsTimeZone, retryConflicts } from '../../platform/stores/postgres.ts';
import { changeTimeZone } from './time-zone.ts';

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
