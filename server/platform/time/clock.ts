import { noteClock } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';

/**
 * Returns the time of the database, by which all processes agree: the clock of a machine may be wrong. What a statement
 * compares, it compares with its own `now()`. What has no statement of its own takes `clockMs()`, which follows this and the
 * heartbeat.
 */
export async function readClock(db: Database | Transaction): Promise<Date> {
  const askedMs = Date.now();
  const [clock] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
  noteClock(clock.at.getTime(), askedMs, Date.now());
  return clock.at;
}
