import type { ShortageProgress } from '#contract/ordering/changes/order-changes';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import type { Platform } from '../../platform/http/platform.ts';

/** The least time between two writes, in milliseconds. */
const WRITE_INTERVAL_MS = 500;
/** A run that has reported nothing for so many seconds has died with its process. */
const LEASE_SECONDS = 30;

/** How many orders a shortage has: several of its shares can be of one. */
const ORDERS = Prisma.sql`(SELECT count(DISTINCT share -> 'orderId')::int
  FROM jsonb_array_elements(shares) AS share)`;

/** Reports how far a shortage is; see {@link reportProgress}. */
interface ProgressReport {
  /** Counts one more order. */
  count: () => void;
  /** Says that all orders are done. Throws as the database does. */
  finish: () => Promise<void>;
  /** Says that nobody goes on with it, for now. */
  stop: () => Promise<void>;
}

/**
 * Returns what keeps how many orders of a shortage are done, and says that somebody is at it. It is written now and
 * then and beside the orders' transactions, which would wait for each other by it. A run that goes on after another
 * counts from the first order again, so the figure never goes back.
 */
export async function reportProgress(db: Database, shortageId: string): Promise<ProgressReport> {
  let done = 0;
  let nextMs = Date.now() + WRITE_INTERVAL_MS;
  const write = (leaseSeconds = LEASE_SECONDS) => db.$executeRaw`
    UPDATE shortages SET done = greatest(done, ${done}),
      run_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    WHERE id = ${shortageId}::uuid`;
  await write();
  return {
    count: () => {
      done++;
      if (Date.now() < nextMs) return;
      nextMs = Date.now() + WRITE_INTERVAL_MS;
      // The next one reports more; what counts is written at the end.
      void write().catch(() => {});
    },
    finish: async () => {
      await db.$executeRaw`
        UPDATE shortages SET done = ${ORDERS}, finished_at = clock_timestamp()
        WHERE id = ${shortageId}::uuid`;
    },
    stop: async () => {
      // Where the database is away too, its lease runs out.
      await write(0).catch(() => {});
    },
  };
}

/** Returns how far a shortage of the farm is; null while it has not begun, and for one that is not this farm's. */
export async function readShortageProgress(
  { db }: Platform,
  farmId: string,
  id: string,
): Promise<ShortageProgress | null> {
  const [row] = await db.$queryRaw<(Omit<ShortageProgress, '_id'> & { id: string })[]>`
    SELECT id, product_id AS "productId", done, ${ORDERS} AS total,
      finished_at IS NOT NULL AS "isFinished",
      finished_at IS NULL AND COALESCE(run_until, '-infinity') <= clock_timestamp() AS "isStopped"
    FROM shortages WHERE id = ${id}::uuid AND farm_id = ${farmId}::uuid`;
  if (!row) return null;
  const { id: _id, ...progress } = row;
  return { _id, ...progress };
}
