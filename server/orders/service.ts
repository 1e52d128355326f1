import { OPEN_STATUSES } from '#contract/constants/orders';
import type { Transaction } from '../../prisma/client.ts';
import { sqlList } from '../process/sql-list.ts';
import type { PersonRow } from '../users/present.ts';
import { changeLockedOrders } from './change-locked.ts';

export { expireProposalsOf } from './changes/expire.ts';
export { listAllOrders, listOrdersOf } from './list-all.ts';
export { moveOpenOrders } from './move-open-orders.ts';
export { getOrder, listPlacedOrders, listReceivedOrders } from './read.ts';

const REASON = 'The account was deleted.';

type Side = 'consumer' | 'farmer';

const PENDING: Record<Side, string> = {
  consumer: `SELECT id FROM orders WHERE consumer_id = $1::uuid AND status = 'pending'
    ORDER BY id FOR NO KEY UPDATE`,
  farmer: `SELECT id FROM orders WHERE farmer_id = $1::uuid AND status = 'pending'
    ORDER BY id FOR NO KEY UPDATE`,
};

/**
 * Locks what is pending with someone whose account is being deleted. Call it once the account is marked
 * deleted, so that no order can be placed behind it, and before any product is locked.
 * @param side which side of the orders the account stands on
 * @returns the orders' ids
 */
export async function lockPendingOrdersOf(
  tx: Transaction,
  userId: string,
  side: Side,
): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(PENDING[side], userId);
  return rows.map(({ id }) => id);
}

/** Locks the open orders of a farm whose account is being deleted, once that is marked deleted. */
export async function lockOpenOrdersOf(tx: Transaction, farmId: string): Promise<void> {
  await tx.$queryRawUnsafe(
    `SELECT id FROM orders WHERE farmer_id = $1::uuid AND status IN (${sqlList(OPEN_STATUSES)})
     ORDER BY id FOR NO KEY UPDATE`,
    farmId,
  );
}

/**
 * Cancels what is pending with someone whose account is being deleted, inside that deletion: stock of
 * products that still exist goes back, and everyone is notified.
 */
export async function cancelPendingOrdersOf(
  tx: Transaction,
  userId: string,
  admin: { id: string },
  side: Side = 'consumer',
): Promise<void> {
  const ids = await lockPendingOrdersOf(tx, userId, side);
  if (ids.length === 0) return;
  const by: PersonRow = await tx.user.findUniqueOrThrow({
    where: { id: admin.id },
    select: { id: true, name: true, role: true, deletedAt: true },
  });
  const [clock] = await tx.$queryRawUnsafe<{ at: Date }[]>('SELECT clock_timestamp() AS at');
  const at = clock?.at ?? new Date();
  await changeLockedOrders(tx, ids, {
    at,
    by,
    to: 'cancelled',
    reason: REASON,
    returnsStock: true,
    isAutomatic: true,
  });
}
