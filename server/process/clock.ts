import type { Database, Transaction } from '../../prisma/client.ts';

/**
 * Returns the time of the database, by which all processes agree: a machine's own clock may be wrong, or another one's. What
 * a statement compares, it compares with its own `now()`.
 */
export async function readClock(db: Database | Transaction): Promise<Date> {
  const [clock] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
  return clock.at;
}
