import type { ShortageProgress } from '#contract/order-changes';
import type { Database } from '../../../prisma/client.ts';
import type { Platform } from '../../http/platform.ts';

/** The least time between two writes, in milliseconds. */
const WRITE_INTERVAL_MS = 500;

/** Reports how far a shortage is; see {@link reportProgress}. */
export interface ProgressReport {
  /** Counts one more order. */
  count: () => void;
  /** Says that all orders are done. Throws as the database does. */
  finish: () => Promise<void>;
}

/**
 * Returns what keeps how many orders of a shortage are done. It is written now and then and beside the orders'
 * transactions, which would wait for each other by it. A run that goes on after another counts from the first order
 * again, so the figure never goes back.
 */
export function reportProgress(db: Database, shortageId: string): ProgressReport {
  let done = 0;
  let nextMs = Date.now() + WRITE_INTERVAL_MS;
  const write = () => db.$executeRaw`
    UPDATE shortages SET done = greatest(done, ${done}) WHERE id = ${shortageId}::uuid`;
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
        UPDATE shortages SET done = jsonb_array_length(shares), finished_at = clock_timestamp()
        WHERE id = ${shortageId}::uuid`;
    },
  };
}

/** Returns how far a shortage of the farm is; null while it has not begun, and for one that is not this farm's. */
export async function readShortageProgress(
  { db }: Platform,
  farmId: string,
  id: string,
): Promise<ShortageProgress | null> {
  const row = await db.shortage.findFirst({
    where: { id, farmId },
    select: { id: true, productId: true, done: true, finishedAt: true, shares: true },
  });
  if (!row) return null;
  return {
    _id: row.id,
    productId: row.productId,
    done: row.done,
    total: (row.shares as unknown[]).length,
    isFinished: row.finishedAt !== null,
  };
}
