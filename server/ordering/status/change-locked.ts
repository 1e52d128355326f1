import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Transaction } from '../../../prisma/client.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { productIdsOf } from '../changes/lines.ts';
import { readShelf } from '../model/lock.ts';
import { holdsSlot } from '../model/policy.ts';
import { readOrders } from '../model/present.ts';
import { RESERVED_PRODUCT, RESERVED_SOURCE } from '../model/present-lines.ts';
import { writeOrders } from '../model/write.ts';
import { NOTHING_RETURNED, returnedBy, statusPlan } from './decide-status.ts';

/** Orders written by one statement, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

/** One status that many orders get. */
export interface BulkChange {
  at: Date;
  by: PersonRow;
  to: OrderStatus;
  /** Why, for all of them or by an order's id. */
  reason: string | ((orderId: string) => string);
  /** Whether their goods go back to the shelf. */
  returnsStock: boolean;
}

/**
 * Gives orders that this transaction has locked one status, the oldest first: stock of products that still
 * exist goes back where asked for, and everyone is notified.
 */
export async function changeLockedOrders(
  tx: Transaction,
  ids: readonly string[],
  { at, by, to, reason, returnsStock }: BulkChange,
): Promise<void> {
  if (returnsStock) await lockProductsOf(tx, ids);
  if (!holdsSlot(to)) await lockSlotsOf(tx, ids);
  const orders = await oldestFirst(tx, ids);
  for (let start = 0; start < orders.length; start += ORDERS_PER_STATEMENT) {
    const slice = await readOrders(tx, orders.slice(start, start + ORDERS_PER_STATEMENT));
    const products = await readShelf(tx, returnsStock ? slice.flatMap(productIdsOf) : []);
    await writeOrders(
      tx,
      slice.map((before) =>
        statusPlan(
          { at, by, before, to, reason: typeof reason === 'string' ? reason : reason(before.id) },
          returnsStock ? returnedBy(before, products) : NOTHING_RETURNED,
        ),
      ),
    );
  }
}

/** Locks all products of orders at once: slice by slice they would be locked out of order. */
async function lockProductsOf(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.$queryRawUnsafe(
    `SELECT id FROM products WHERE id IN (
       SELECT product_id FROM order_lines WHERE order_id = ANY ($1::uuid[])
       UNION ALL
       SELECT ${RESERVED_PRODUCT} FROM ${RESERVED_SOURCE} WHERE proposal.order_id = ANY ($1::uuid[]))
     ORDER BY id FOR NO KEY UPDATE`,
    ids,
  );
}

/** Locks all slots of orders at once, after their products. */
async function lockSlotsOf(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.$queryRawUnsafe(
    `SELECT id FROM slots WHERE id IN (SELECT slot_id FROM orders WHERE id = ANY ($1::uuid[]))
     ORDER BY id FOR NO KEY UPDATE`,
    ids,
  );
}

async function oldestFirst(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM orders WHERE id = ANY ($1::uuid[]) ORDER BY created_at, id',
    ids,
  );
  return rows.map(({ id }) => id);
}
