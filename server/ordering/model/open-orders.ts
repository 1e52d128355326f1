import type { OpenOrders } from '#contract/people/users/users';
import { OPEN_STATUSES, type OrderStatus } from '#contract/platform/orders/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { sqlList } from '../../platform/stores/sql.ts';

/** A side of an order. */
export type Side = 'consumer' | 'farmer';

const COLUMN: Record<Side, string> = { consumer: 'consumer_id', farmer: 'farmer_id' };

/**
 * Locks the open orders of somebody, or of a farm, by ascending id. Where the account is being deleted, it is marked so
 * before, so that no order can be placed behind it.
 */
export const lockOpenOrdersOf = (
  tx: Transaction,
  userId: string,
  side: Side,
): Promise<{ id: string; status: OrderStatus }[]> =>
  tx.$queryRawUnsafe(
    `SELECT id, status FROM orders
     WHERE ${COLUMN[side]} = $1::uuid AND status IN (${sqlList(OPEN_STATUSES)})
     ORDER BY id FOR NO KEY UPDATE`,
    userId,
  );

/** Orders that are named where they are counted. */
const NAMED_MAX = 5;

/** Returns how many open orders somebody, or a farm, has in each status, and the first of them by their day. */
export async function readOpenOrders(
  db: Database | Transaction,
  userId: string,
  side: Side,
): Promise<OpenOrders> {
  const rows = await db.$queryRawUnsafe<
    { status: 'pending' | 'accepted'; count: number; ids: string[] }[]
  >(
    `SELECT status, count(*)::int AS count, (array_agg(id ORDER BY date, time, id))[1:${NAMED_MAX}] AS ids
     FROM orders WHERE ${COLUMN[side]} = $1::uuid AND status IN (${sqlList(OPEN_STATUSES)})
     GROUP BY status`,
    userId,
  );
  const of = (status: 'pending' | 'accepted') => {
    const row = rows.find((each) => each.status === status);
    return { count: row?.count ?? 0, ids: row?.ids ?? [] };
  };
  return { pending: of('pending'), accepted: of('accepted') };
}
