import type pg from 'pg';
import { until } from '../../../testing/until.ts';
import type { Answer } from '../../testing/market.ts';

/** A row that somebody else holds, and what they make of it. */
interface ConcurrentChange {
  /** Locks the row of `$1`. */
  lock: string;
  id: string;
  act: () => Promise<Answer>;
  /** Changes the row of `$1`. */
  change: string;
}

/**
 * Starts `act` while a transaction holds a row, lets that transaction make its change once `act` waits
 * for the row, and commits: what `act` has read is no longer so when it writes.
 */
export async function changeWhileWaiting(
  pool: pg.Pool,
  { lock, id, act, change }: ConcurrentChange,
): Promise<Answer> {
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query(lock, [id]);
  const answer = act();
  await until(async () => {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await holder.query(change, [id]);
  await holder.query('COMMIT');
  holder.release();
  return answer;
}
