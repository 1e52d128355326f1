import type { Transaction } from '../../prisma/client.ts';
import { SHELF_ROW, type ShelfRow } from '../products/stock-events.ts';
import type { PersonRow } from '../users/present.ts';
import { linesToReturn } from './decide-status.ts';
import { readOrders } from './present.ts';
import { runWithin } from './statement.ts';
import { writeStatusChanges } from './write-status.ts';

export { listAllOrders, listOrdersOf } from './list-all.ts';
export { moveOpenOrders } from './move-open-orders.ts';
export { getOrder } from './read.ts';

/** Orders written by one statement, so that thousands of them need neither long statements nor many. */
const SLICE = 200;
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
  // All products at once: slice by slice they would be locked out of order.
  await tx.$queryRawUnsafe(
    `SELECT id FROM products WHERE id IN (
       SELECT product_id FROM order_lines WHERE order_id = ANY ($1::uuid[]))
     ORDER BY id FOR NO KEY UPDATE`,
    ids,
  );
  const run = runWithin(tx);
  const orders = await oldestFirst(tx, ids);
  for (let start = 0; start < orders.length; start += SLICE) {
    const slice = await readOrders(tx, orders.slice(start, start + SLICE));
    const products = await readShelf(tx, slice.flatMap(productsOf));
    const plans = slice.map((before) => ({
      at,
      by,
      before,
      to: 'cancelled' as const,
      reason: REASON,
      returned: linesToReturn(before, products),
    }));
    if (!(await writeStatusChanges(run, plans, { isOfDeletion: true }))) {
      throw new Error('Locked orders or products have changed');
    }
  }
}

const productsOf = ({ lines }: { lines: readonly { productId: string | null }[] }): string[] =>
  lines.flatMap(({ productId }) => productId ?? []);

async function oldestFirst(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM orders WHERE id = ANY ($1::uuid[]) ORDER BY created_at, id',
    ids,
  );
  return rows.map(({ id }) => id);
}

async function readShelf(tx: Transaction, ids: readonly string[]): Promise<ShelfRow[]> {
  const rows = await tx.$queryRawUnsafe<{ row: ShelfRow }[]>(
    `SELECT ${SHELF_ROW} AS row FROM products p WHERE p.id = ANY ($1::uuid[])`,
    [...new Set(ids)],
  );
  return rows.map(({ row }) => row);
}
