import { ANSWER_MINUTES, WEIGHT_TOLERANCE_PERCENT } from '#contract/farm/farmers/constants';
import type { OrderStatus } from '#contract/platform/orders/constants';
import type { Membership, Worker } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { SHELF_ROW, type StockRow } from '../../catalogue/stock/stock-events.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import {
  LOCK_WORKER,
  LOCKED_WORKER,
  type LockedWorker,
  requireWorker,
  sessionEnded,
} from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { canReadOrder } from './policy.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow } from './present.ts';
import { personOf } from './present-lines.ts';

/** An order with what its change is decided on. */
export interface OrderState {
  order: OrderRow;
  /** Who changes it. */
  by: PersonRow;
  /** The database's clock after the lock, so that decisions are in the order of commands. */
  now: Date;
  /** What the farm says of changes. */
  farm: { answerMinutes: number; weightTolerancePercent: number };
  /** All that was ever proposed of it, with the shortage that did. */
  proposed: { id: string; batchId: string | null }[];
}

/** What the change of an order and of stock is decided on: the order and the products are locked. */
export interface StockedState extends Pick<OrderState, 'order' | 'by' | 'now'> {
  products: ReadonlyMap<string, StockRow>;
}

// $1 the orders, $2 who changes them. A statement of its own, which sees what was committed while a lock was waited
// for.
const READ_LOCKED = `SELECT ${ORDER_ROW} AS "order",
    ${personOf('$2::uuid')} AS by,
    json_build_object(
      'answerMinutes', COALESCE(farm.answer_minutes, ${ANSWER_MINUTES.standard}),
      'weightTolerancePercent',
      COALESCE(farm.weight_tolerance_percent, ${WEIGHT_TOLERANCE_PERCENT.standard})) AS farm,
    (SELECT COALESCE(json_agg(json_build_object('id', id, 'batchId', batch_id)), '[]')
      FROM order_proposals WHERE order_id = o.id) AS proposed,
    clock_timestamp() AS now
  FROM ${ORDER_SOURCE} WHERE o.id = ANY ($1::uuid[]) ORDER BY o.id`;

// $1 the caller, $2 whether they work for a farm, $3 the orders. What was seen is as it was when the statement began,
// before it waited for a lock. $4 whether the farms are held as they are, which comes before their orders.
const LOCK = `WITH ${LOCK_WORKER}, seen AS MATERIALIZED (
    SELECT id, status FROM orders WHERE id = ANY ($3::uuid[])
  ), farm AS MATERIALIZED (
    SELECT user_id FROM farmer_profiles
    WHERE $4::boolean AND user_id IN (SELECT farmer_id FROM orders WHERE id = ANY ($3::uuid[]))
      AND (SELECT count(*) FROM caller) = 1 AND (SELECT count(*) FROM worker) <= 1
    ORDER BY user_id FOR SHARE
  ), held AS MATERIALIZED (
    SELECT id FROM orders
    WHERE id = ANY ($3::uuid[]) AND (SELECT count(*) FROM farm) >= 0
      AND (SELECT count(*) FROM caller) = 1 AND (SELECT count(*) FROM worker) <= 1
    ORDER BY id FOR NO KEY UPDATE
  )
  SELECT ${LOCKED_WORKER}, (SELECT count(*) FROM held)::int AS held,
    (SELECT COALESCE(json_object_agg(id, status), '{}') FROM seen) AS seen`;

type Caller = Worker & { id: string };

/** Orders that are locked, and who locked them. */
interface LockedOrders {
  /** Those that there are, by id. */
  states: ReadonlyMap<string, OrderState>;
  /** The role of the caller on a farm by now. */
  membership: Membership | null;
  /** The status of each before its lock was waited for. */
  seen: Readonly<Record<string, OrderStatus>>;
}

/**
 * Locks orders by ascending id, after the caller and their role on a farm, and reads them.
 * @throws 401 the account was just deleted
 */
export async function lockOrders(
  tx: Transaction,
  user: Caller,
  ids: readonly string[],
): Promise<LockedOrders> {
  const locked = await lock(tx, user, ids);
  if (!locked?.isThere) throw sessionEnded();
  return {
    states: await readLocked(tx, user.id, ids),
    membership: locked.role,
    seen: locked.seen,
  };
}

/** What else is held until the transaction ends. */
export interface LockOptions {
  /** The farm's profile stays as it is, for a change that relies on what the farm says. */
  holdsFarm?: boolean;
}

/**
 * Locks an order and reads it, with the person who changes it.
 * @returns nothing where there is no such order
 * @throws 401 the account was just deleted, or no longer works for its farm, 403 its role includes less by now
 */
export async function lockOrder(
  tx: Transaction,
  user: Caller,
  id: string,
  options?: LockOptions,
): Promise<OrderState | undefined> {
  const locked = await lock(tx, user, [id], options);
  requireWorker(locked, user);
  return locked?.held ? (await readLocked(tx, user.id, [id])).get(id) : undefined;
}

/**
 * Locks an order that the caller may read, and reads it.
 * @throws 401 and 403 as {@link lockOrder}, 404 not this user's order
 */
export async function lockOwnOrder(
  tx: Transaction,
  user: SessionUser,
  id: string,
  options?: LockOptions,
): Promise<OrderState> {
  const locked = await lockOrder(tx, user, id, options);
  if (!locked || !canReadOrder(user, locked.order)) throw notFound(msg('Order not found'));
  return locked;
}

/** As {@link lockOrder}, for what nobody asks for: it is recorded for `userId`, whose account may be deleted. */
export async function lockOrderFor(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<OrderState | undefined> {
  await tx.$queryRaw`SELECT 1 FROM orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return (await readLocked(tx, userId, [id])).get(id);
}

async function lock(
  tx: Transaction,
  { id, membership }: Caller,
  ids: readonly string[],
  { holdsFarm = false }: LockOptions = {},
) {
  const [locked] = await tx.$queryRawUnsafe<
    (LockedWorker & Pick<LockedOrders, 'seen'> & { held: number })[]
  >(LOCK, id, membership !== null, ids, holdsFarm);
  return locked;
}

async function readLocked(
  tx: Transaction,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, OrderState>> {
  const rows = await tx.$queryRawUnsafe<OrderState[]>(READ_LOCKED, ids, userId);
  return new Map(rows.map((row) => [row.order.id, row]));
}

/** Reads products without locking them; what is gone is left out. Their stock may have changed since. */
export const readStock = (
  tx: Database | Transaction,
  ids: readonly (string | null)[],
): Promise<Map<string, StockRow>> =>
  readProducts(tx, '(SELECT * FROM products WHERE id = ANY ($1::uuid[]))', ids);

/** Locks products by ascending id and reads them; what is gone is left out. */
export const lockStock = (
  tx: Transaction,
  ids: readonly (string | null)[],
): Promise<Map<string, StockRow>> => readProducts(tx, 'lock_products($1::uuid[])', ids);

async function readProducts(
  tx: Database | Transaction,
  source: string,
  ids: readonly (string | null)[],
): Promise<Map<string, StockRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.$queryRawUnsafe<{ row: StockRow }[]>(
    `SELECT ${SHELF_ROW} AS row FROM ${source} AS p`,
    wanted,
  );
  return new Map(rows.map(({ row }) => [row.id, row]));
}
