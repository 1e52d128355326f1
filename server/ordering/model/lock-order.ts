import { ANSWER_MINUTES, WEIGHT_TOLERANCE_PERCENT } from '#contract/farm/farmers/constants/farmers';
import type { Worker } from '#contract/platform/session/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { SHELF_ROW, type ShelfRow } from '../../catalogue/stock/stock-events.ts';
import type { PersonRow } from '../../people/users/present.ts';
import {
  LOCK_WORKER,
  LOCKED_WORKER,
  type LockedWorker,
  requireWorker,
} from '../../platform/sessions/lock-caller.ts';
import { ORDER_ROW, ORDER_SOURCE, type OrderRow } from './present.ts';

/**
 * Commands that change an order beyond its status run in one transaction: lock the order, read it, lock what else
 * they need (products by ascending id), decide in a pure function, and write the outcome with `writeOrder`.
 * Under the lock nothing that was read can change. What is done most, proposing, takes no lock before it writes: it
 * reads, decides, and writes with `writeOrderIfUnchanged`, whose guard is the same for all.
 */

/** An order with what its change is decided on. */
export interface OrderState {
  order: OrderRow;
  /** Who changes it. */
  by: PersonRow;
  /** The database's clock: after the lock, where there is one, so that decisions are in the order of commands. */
  now: Date;
  /** What the farm says of changes. */
  farm: { answerMinutes: number; weightTolerancePercent: number };
  /** All that was ever proposed of it, with the shortage that did. */
  proposed: { id: string; batchId: string | null }[];
}

/** Reads an {@link OrderState} but for its clock: `$1` the order, `$2` whoever changes it. */
export const ORDER_STATE = `${ORDER_ROW} AS "order",
    (SELECT json_build_object('id', id, 'name', name, 'role', role, 'deletedAt', deleted_at)
      FROM users WHERE id = $2::uuid) AS by,
    json_build_object(
      'answerMinutes', COALESCE(farm.answer_minutes, ${ANSWER_MINUTES.standard}),
      'weightTolerancePercent',
      COALESCE(farm.weight_tolerance_percent, ${WEIGHT_TOLERANCE_PERCENT.standard})) AS farm,
    (SELECT COALESCE(json_agg(json_build_object('id', id, 'batchId', batch_id)), '[]')
      FROM order_proposals WHERE order_id = o.id) AS proposed`;

const READ_LOCKED = `SELECT ${ORDER_STATE}, clock_timestamp() AS now
  FROM ${ORDER_SOURCE} WHERE o.id = $1::uuid`;

// $1 the caller, $2 whether they work for a farm, $3 the order.
const LOCK = `WITH ${LOCK_WORKER}, held AS MATERIALIZED (
    SELECT id FROM orders
    WHERE id = $3::uuid
      AND (SELECT count(*) FROM caller) = 1 AND (SELECT count(*) FROM worker) <= 1
    FOR NO KEY UPDATE
  )
  SELECT ${LOCKED_WORKER}, EXISTS (SELECT FROM held) AS "isHeld"`;

/**
 * Locks an order and reads it, with whoever changes it and their role on the farm.
 * @returns nothing where there is no such order
 * @throws 401 the account was just deleted, or no longer works for its farm, 403 its role includes less by now
 */
export async function lockOrder(
  tx: Transaction,
  user: Worker & { id: string },
  id: string,
): Promise<OrderState | undefined> {
  const [locked] = await tx.$queryRawUnsafe<(LockedWorker & { isHeld: boolean })[]>(
    LOCK,
    user.id,
    user.membership !== null,
    id,
  );
  requireWorker(locked, user);
  return locked?.isHeld ? readLocked(tx, user.id, id) : undefined;
}

/** As {@link lockOrder}, for what nobody asks for: it is put down to `userId`, whose account may be deleted. */
export async function lockOrderFor(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<OrderState | undefined> {
  await tx.$queryRaw`SELECT 1 FROM orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readLocked(tx, userId, id);
}

/** Reads in a statement of its own, which sees what was committed while the lock was waited for. */
async function readLocked(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<OrderState | undefined> {
  const [locked] = await tx.$queryRawUnsafe<OrderState[]>(READ_LOCKED, id, userId);
  return locked;
}

/** Reads products without locking them; what is gone is left out. Their stock may have changed since. */
export async function readShelf(
  tx: Database | Transaction,
  ids: readonly (string | null)[],
): Promise<Map<string, ShelfRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.$queryRawUnsafe<{ row: ShelfRow }[]>(
    `SELECT ${SHELF_ROW} AS row FROM products p WHERE p.id = ANY ($1::uuid[])`,
    wanted,
  );
  return new Map(rows.map(({ row }) => [row.id, row]));
}

/** Locks products by ascending id and reads them; what is gone is left out. */
export async function lockShelf(
  tx: Transaction,
  ids: readonly (string | null)[],
): Promise<Map<string, ShelfRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  await tx.$queryRaw`SELECT id FROM products WHERE id = ANY (${wanted}::uuid[])
    ORDER BY id FOR NO KEY UPDATE`;
  return readShelf(tx, wanted);
}
