import { room } from '#contract/events';
import type { Transaction } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';
import type { Platform } from '../http/platform.ts';
import { moveOpenOrders } from '../orders/service.ts';
import { SettingError } from '../process/env.ts';
import { databaseKnowsTimeZone, retryConflicts } from '../process/postgres.ts';
import { moveCutoffTimers } from '../schedule/policy.ts';
import { moveSlots } from '../slots/service.ts';

/** Milliseconds. A market with many open orders takes longer than other transactions. */
const TRANSACTION_MS = { maxWait: 15_000, timeout: 300_000 };

/**
 * Makes `MARKET_TIME_ZONE` the market's time zone where it is another one so far. Farms that had the
 * market's follow it, with their open orders of the days to come. Does nothing when there is nothing to do;
 * may run at once in several processes.
 * @throws SettingError when Postgres does not know the zone
 */
export async function adoptMarketTimeZone({
  db,
  pool,
  env,
  eventLog,
  log,
}: Platform): Promise<void> {
  const timeZone = env.MARKET_TIME_ZONE;
  if (!(await databaseKnowsTimeZone(pool, timeZone))) {
    throw new SettingError(
      `The setting MARKET_TIME_ZONE is wrong (Postgres does not know "${timeZone}"): see .env.example for what it takes.`,
    );
  }
  const work = async (tx: Transaction): Promise<number | undefined> => {
    const before = await lockTimeZone(tx);
    if (before === timeZone) return undefined;
    const farms = await tx.$queryRaw<{ id: string }[]>`
      SELECT user_id AS id FROM farmer_profiles WHERE time_zone = ${before}
      ORDER BY user_id FOR UPDATE`;
    const ids = farms.map(({ id }) => id);
    await moveCutoffTimers(tx, ids, timeZone);
    await moveOpenOrders(tx, ids, timeZone);
    await moveSlots(tx, ids, timeZone);
    await tx.farmerProfile.updateMany({ where: { userId: { in: ids } }, data: { timeZone } });
    await tx.marketSettings.update({ where: { id: 1 }, data: { timeZone } });
    await record(
      tx,
      ...ids.map((id) => ({
        name: 'farmer.updated' as const,
        data: { _id: id },
        rooms: [room.everyone],
      })),
    );
    return ids.length;
  };
  const farms = await retryConflicts(() => db.$transaction(work, TRANSACTION_MS));
  if (farms === undefined) return;
  log.info({ timeZone, farms }, 'The market has another time zone');
  await eventLog.sequence();
}

/** Locks the market's row, which it writes where there is none, and returns the zone so far. */
async function lockTimeZone(tx: Transaction): Promise<string> {
  await tx.marketSettings.createMany({ data: { id: 1 }, skipDuplicates: true });
  const [row] = await tx.$queryRaw<{ timeZone: string }[]>`
    SELECT time_zone AS "timeZone" FROM market_settings WHERE id = 1 FOR UPDATE`;
  if (!row) throw new Error('The row of the market has just been written');
  return row.timeZone;
}
