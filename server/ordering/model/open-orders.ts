import type { OpenOrders } from '#contract/people/users/users';
import { OPEN_STATUSES, type OrderStatus } from '#contract/platform/orders/constants';
import type { Cause } from '#contract/platform/orders/constants/causes';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { type PersonRow, personSelect } from '../../people/users/present.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { productIdsOf } from '../changes/lines.ts';
import { NOTHING_RETURNED, returnedBy, statusPlan } from '../status/change-status.ts';
import { readStock } from './lock.ts';
import { holdsSlot } from './policy.ts';
import { type OrderRow, readOrders } from './present.ts';
import { RESERVED_PRODUCT, RESERVED_SOURCE } from './present-lines.ts';
import { type OrderPlan, writeOrders } from './write.ts';

// Many orders at once: those of a person or a farm, and those that a clock changes.

/** Orders read and written at once, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

/** A side of an order. */
type Side = 'consumer' | 'farmer';

const COLUMN: Record<Side, string> = { consumer: 'consumer_id', farmer: 'farmer_id' };

/** The condition of open orders, for {@link lockOrdersWhere}. */
export const IS_OPEN = `status IN (${sqlList(OPEN_STATUSES)})`;

/** Locks the orders of a condition by ascending id. @returns their ids */
export async function lockOrdersWhere(
  tx: Transaction,
  condition: string,
  ...values: unknown[]
): Promise<string[]> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT id FROM orders WHERE ${condition} ORDER BY id FOR NO KEY UPDATE`,
    ...values,
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks the open orders of somebody, or of a farm, by ascending id. Where the account is being deleted, it is marked so
 * before, so that no order can be placed behind it.
 */
export const lockOpenOrdersOf = (tx: Transaction, userId: string, side: Side): Promise<string[]> =>
  lockOrdersWhere(tx, `${COLUMN[side]} = $1::uuid AND ${IS_OPEN}`, userId);

/** Reads who changes orders. */
export const readActor = (tx: Transaction, id: string): Promise<PersonRow> =>
  tx.user.findUniqueOrThrow({ where: { id }, select: personSelect });

/** Writes what `plansOf` decides for orders that this transaction has locked, some at once. */
export async function changeInSlices(
  tx: Transaction,
  ids: readonly string[],
  plansOf: (orders: OrderRow[]) => OrderPlan[] | Promise<OrderPlan[]>,
): Promise<void> {
  for (let start = 0; start < ids.length; start += ORDERS_PER_STATEMENT) {
    const orders = await readOrders(tx, ids.slice(start, start + ORDERS_PER_STATEMENT));
    await writeOrders(tx, await plansOf(orders));
  }
}

/** One status that many orders get. */
interface BulkChange {
  at: Date;
  by: PersonRow;
  to: OrderStatus;
  causeOf: (orderId: string) => Cause;
  /** Whether their goods go back to the stock. */
  returnsStock: boolean;
}

/**
 * Gives orders that this transaction has locked one status, the oldest first: stock of products that still
 * exist goes back where asked for, and everyone is notified.
 */
export async function changeLockedOrders(
  tx: Transaction,
  ids: readonly string[],
  { causeOf, returnsStock, ...change }: BulkChange,
): Promise<void> {
  // All products and slots at once: slice by slice they would be locked out of order.
  if (returnsStock) {
    await tx.$queryRawUnsafe(
      `SELECT id FROM products WHERE id IN (
         SELECT product_id FROM order_lines WHERE order_id = ANY ($1::uuid[])
         UNION ALL
         SELECT ${RESERVED_PRODUCT} FROM ${RESERVED_SOURCE} WHERE proposal.order_id = ANY ($1::uuid[]))
       ORDER BY id FOR NO KEY UPDATE`,
      ids,
    );
  }
  if (!holdsSlot(change.to)) {
    await tx.$queryRawUnsafe(
      `SELECT id FROM slots WHERE id IN (SELECT slot_id FROM orders WHERE id = ANY ($1::uuid[]))
       ORDER BY id FOR NO KEY UPDATE`,
      ids,
    );
  }
  const oldestFirst = await tx.$queryRawUnsafe<{ id: string }[]>(
    'SELECT id FROM orders WHERE id = ANY ($1::uuid[]) ORDER BY created_at, id',
    ids,
  );
  await changeInSlices(
    tx,
    oldestFirst.map(({ id }) => id),
    async (orders) => {
      const products = await readStock(tx, returnsStock ? orders.flatMap(productIdsOf) : []);
      return orders.map((before) =>
        statusPlan(
          { ...change, before, cause: causeOf(before.id) },
          returnsStock ? returnedBy(before, products) : NOTHING_RETURNED,
        ),
      );
    },
  );
}

/** The orders that end with an account, and why. What is accepted needs its farm, and nothing of its customer. */
const ENDING: Record<Side, { isEnding: string; cause: Cause }> = {
  consumer: { isEnding: "status = 'pending'", cause: 'account_deleted' },
  farmer: { isEnding: IS_OPEN, cause: 'farm_left' },
};

/**
 * Cancels what ends with an account, inside its deletion: stock of products that still exist goes back, and everyone is
 * notified.
 */
export async function cancelOrdersOf(
  tx: Transaction,
  userId: string,
  actor: { id: string },
  side: Side,
): Promise<void> {
  const { isEnding, cause } = ENDING[side];
  await lockOpenOrdersOf(tx, userId, side);
  const ending = await lockOrdersWhere(tx, `${COLUMN[side]} = $1::uuid AND ${isEnding}`, userId);
  if (ending.length === 0) return;
  const by = await readActor(tx, actor.id);
  const at = await readClock(tx);
  await changeLockedOrders(tx, ending, {
    ...{ at, by, to: 'cancelled', returnsStock: true },
    causeOf: () => cause,
  });
}

type PartyChange = Extract<OrderPlan['change'], { kind: 'party' }>['what'];

/**
 * Notifies both sides of open orders, within the transaction that changes one of them, what has become of it. The
 * orders get a new version: what their customer may do follows from their farm, and a plan that relied on it is decided
 * again.
 */
export async function recordPartyChange(
  tx: Transaction,
  userId: string,
  side: Side,
  what: PartyChange,
): Promise<void> {
  const ids = await lockOpenOrdersOf(tx, userId, side);
  if (ids.length === 0) return;
  const at = await readClock(tx);
  await changeInSlices(tx, ids, (orders) =>
    orders.map((before) => ({ at, by: before.farmer, before, change: { kind: 'party', what } })),
  );
}

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
     FROM orders WHERE ${COLUMN[side]} = $1::uuid AND ${IS_OPEN}
     GROUP BY status`,
    userId,
  );
  const open: OpenOrders = { pending: { count: 0, ids: [] }, accepted: { count: 0, ids: [] } };
  for (const { status, ...orders } of rows) open[status] = orders;
  return open;
}
