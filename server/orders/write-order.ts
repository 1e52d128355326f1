import type { Worker } from '#contract/constants/farm';
import { ANSWER_MINUTES, WEIGHT_TOLERANCE_PERCENT } from '#contract/constants/order-lines';
import type { OrderChange, OrderStatus, TimelineKind } from '#contract/orders';
import type { Database, Transaction } from '../../prisma/client.ts';
import { eventsParameter, recordIn } from '../events/event-log.ts';
import { conflict } from '../http/errors.ts';
import {
  LOCK_WORKER,
  LOCKED_WORKER,
  type LockedWorker,
  requireWorker,
} from '../http/lock-caller.ts';
import { currentRequestId } from '../process/request-context.ts';
import { type NewTimer, setTimersIn, timersParameter } from '../process/timers.ts';
import { SHELF_ROW, type ShelfRow, stockEvent } from '../products/stock-events.ts';
import { SLOT_ROW, SLOT_SOURCE, type SlotRow, slotUpdated } from '../slots/present.ts';
import type { PersonRow } from '../users/present.ts';
import { cutoffFollowUp } from './cutoff-follow-up.ts';
import { orderRooms } from './place.ts';
import { holdsSlot } from './policy.ts';
import {
  ORDER_ROW,
  ORDER_SOURCE,
  type OrderRow,
  presentOrder,
  type TimelineRow,
} from './present.ts';
import { differencesOf, type LineRow, type ProposalRow, totalOf } from './present-lines.ts';

/**
 * Commands that change an order beyond its status run in one transaction: lock the order, read it, lock what else
 * they need (products by ascending id, then the slot), decide in a pure function, and write the outcome with
 * {@link writeOrder}. Under the lock nothing that was read can change, so the write needs no guards.
 */

/** An order that this transaction has locked, with what its change is decided on. */
export interface LockedOrder {
  order: OrderRow;
  /** Who changes it. */
  by: PersonRow;
  /** The clock after the lock, so that what it decides is in the order in which commands came to it. */
  now: Date;
  /** What the farm says of changes. */
  farm: { answerMinutes: number; weightTolerancePercent: number };
  /** All that was ever proposed of it, with the shortage that did. */
  proposed: { id: string; batchId: string | null }[];
}

// $1 the order, $2 whoever changes it.
const READ_LOCKED = `SELECT ${ORDER_ROW} AS "order", clock_timestamp() AS now,
    (SELECT json_build_object('id', id, 'name', name, 'role', role, 'deletedAt', deleted_at)
      FROM users WHERE id = $2::uuid) AS by,
    json_build_object(
      'answerMinutes', COALESCE(farm.answer_minutes, ${ANSWER_MINUTES.standard}),
      'weightTolerancePercent',
      COALESCE(farm.weight_tolerance_percent, ${WEIGHT_TOLERANCE_PERCENT.standard})) AS farm,
    (SELECT COALESCE(json_agg(json_build_object('id', id, 'batchId', batch_id)), '[]')
      FROM order_proposals WHERE order_id = o.id) AS proposed
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
): Promise<LockedOrder | undefined> {
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
): Promise<LockedOrder | undefined> {
  await tx.$queryRaw`SELECT 1 FROM orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return readLocked(tx, userId, id);
}

/** Reads in a statement of its own, which sees what was committed while the lock was waited for. */
async function readLocked(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<LockedOrder | undefined> {
  const [locked] = await tx.$queryRawUnsafe<LockedOrder[]>(READ_LOCKED, id, userId);
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

/** A change of stock, in thousandths of the unit: positive what goes back to the shelf. */
export interface ShelfChange {
  product: ShelfRow;
  changeMilli: number;
}

type LineChange = Exclude<OrderChange, { kind: 'status' }>;

/** An order that has changed, ready to be written. What is left out stays. */
export interface OrderPlan {
  at: Date;
  /** Who changed it. */
  by: PersonRow;
  /** The order as it was read under its lock. */
  before: OrderRow;
  /** What the event and the timeline tell of it. */
  change: LineChange;
  /** What else changed with it, which the timeline tells of before it. */
  earlier?: readonly LineChange[];
  reason?: string | null;
  /** Another status that follows from the change, with whoever it is put down to. */
  status?: { to: OrderStatus; by: PersonRow; reason: string | null };
  /** All lines as they are after it; new ones have ids of their own. */
  lines?: readonly LineRow[];
  /** Proposals that were made, or are no longer open. */
  proposals?: readonly ProposalRow[];
  packing?: Pick<OrderRow, 'packing' | 'crates'>;
  /** Products that the transaction has locked. */
  shelf?: readonly ShelfChange[];
  timers?: readonly NewTimer[];
}

// $1 the order's columns, $2 its lines, $3 entries of the timeline, $4 products, $5 the slot, $6 proposals: those
// that are no longer open before one that is, since an order has at most one, $7 events, $8 timers, $9 the request's id.
// All rows are locked. It tells how many proposals it has written.
const WRITE = `WITH o AS MATERIALIZED (
    SELECT * FROM json_to_record($1::json) AS (
      id uuid, status "OrderStatus", version int, "totalMinor" bigint, packing "Packing", crates smallint,
      at timestamptz(3))
  ), changed AS (
    UPDATE orders SET status = o.status, version = o.version, total_minor = o."totalMinor",
      packing = o.packing, crates = o.crates, updated_at = o.at
    FROM o WHERE orders.id = o.id
  ), lines AS (
    INSERT INTO order_lines (id, order_id, position, product_id, name, image, unit, price_minor,
      quantity_milli, ordered_milli, replaces_line_id, on_short, preferred_product_id, piece_milli,
      piece_min_milli, piece_max_milli, packed_milli, final_minor)
    SELECT line.id, o.id, position, "productId", name, image, unit, "priceMinor", "quantityMilli",
      "orderedMilli", "replacesLineId", "onShort", "preferredProductId", "pieceMilli", "pieceMinMilli",
      "pieceMaxMilli", "packedMilli", "finalMinor"
    FROM o, json_to_recordset($2::json) AS line (
      id uuid, position int, "productId" uuid, name text, image text, unit "Unit", "priceMinor" int,
      "quantityMilli" int, "orderedMilli" int, "replacesLineId" uuid, "onShort" "ShortWish",
      "preferredProductId" uuid, "pieceMilli" int, "pieceMinMilli" int, "pieceMaxMilli" int,
      "packedMilli" int, "finalMinor" bigint)
    ON CONFLICT (id) DO UPDATE SET quantity_milli = EXCLUDED.quantity_milli,
      ordered_milli = EXCLUDED.ordered_milli, on_short = EXCLUDED.on_short,
      preferred_product_id = EXCLUDED.preferred_product_id, packed_milli = EXCLUDED.packed_milli,
      final_minor = EXCLUDED.final_minor
  ), entries AS (
    INSERT INTO order_timeline (order_id, sequence, kind, status, detail, version, by_id, reason, at)
    SELECT o.id, sequence, kind, entry.status, detail, o.version, "byId", reason, o.at
    FROM o, json_to_recordset($3::json) AS entry (
      sequence int, kind "TimelineKind", status "OrderStatus", detail jsonb, "byId" uuid, reason text)
  ), moved AS (
    UPDATE products p SET stock_milli = shelf."stockMilli", version = shelf.version, updated_at = o.at
    FROM o, json_to_recordset($4::json) AS shelf (id uuid, "stockMilli" bigint, version int)
    WHERE p.id = shelf.id
  ), freed_slot AS (
    UPDATE slots s SET taken = freed.taken
    FROM json_to_recordset($5::json) AS freed (id uuid, taken int) WHERE s.id = freed.id
  ), proposals AS (
    INSERT INTO order_proposals AS known (id, order_id, status, created_by_id, created_at, answer_by,
      answered_by_id, answered_at, base_version, note, batch_id, total_before_minor, total_after_minor, items)
    SELECT proposal.id, o.id, proposal.status, "createdById", "createdAt", "answerBy", "answeredById",
      "answeredAt", "baseVersion", note, "batchId", "totalBeforeMinor", "totalAfterMinor", items
    FROM o, json_to_recordset($6::json) AS proposal (
      id uuid, status "ProposalStatus", "createdById" uuid, "createdAt" timestamptz(3),
      "answerBy" timestamptz(3), "answeredById" uuid, "answeredAt" timestamptz(3), "baseVersion" int,
      note text, "batchId" uuid, "totalBeforeMinor" bigint, "totalAfterMinor" bigint, items jsonb)
    ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status, answered_by_id = EXCLUDED.answered_by_id,
      answered_at = EXCLUDED.answered_at, items = EXCLUDED.items
      WHERE known.order_id = EXCLUDED.order_id
    RETURNING 1
  ), events AS (
    ${recordIn('$7')}
  ), timed AS (
    ${setTimersIn('$8', '$9')}
  )
  SELECT count(*)::int AS proposals FROM proposals`;

/** Returns an order as it is after a change. */
export function afterOrderPlan(plan: OrderPlan): OrderRow {
  const { before, at, by, change, earlier = [], reason = null, status } = plan;
  const entries: Omit<TimelineRow, 'sequence'>[] = [...earlier, change].map(
    ({ kind, ...detail }) => ({
      kind,
      status: null,
      detail,
      at,
      reason: kind === change.kind ? reason : null,
      by,
    }),
  );
  if (status) {
    const { to, by: whose, reason: why } = status;
    entries.push({ kind: 'status' as TimelineKind, status: to, at, reason: why, by: whose });
  }
  const last = before.timeline.at(-1)?.sequence ?? 0;
  const lines = [...(plan.lines ?? before.lines)];
  const touched = new Set(plan.proposals?.map(({ id }) => id));
  return {
    ...before,
    // Somebody has to open the crates again.
    ...(before.packing === 'packed' && differencesOf(before.lines, lines).length > 0
      ? { packing: 'packing' as const }
      : {}),
    ...plan.packing,
    status: status?.to ?? before.status,
    version: before.version + 1,
    lines,
    totalMinor: plan.lines ? totalOf(lines) : before.totalMinor,
    proposals: [
      ...before.proposals.filter(({ id }) => !touched.has(id)),
      ...(plan.proposals ?? []),
    ].filter((proposal) => proposal.status === 'open'),
    timeline: [
      ...before.timeline,
      ...entries.map((entry, index) => ({ ...entry, sequence: last + 1 + index })),
    ],
  };
}

/**
 * Writes what became of an order that this transaction has locked, with all that comes of it: lines, stock,
 * proposals, timeline, events and timers. It grows by one version, whatever the change has of parts.
 * @returns the order as it is after it
 */
export async function writeOrder(tx: Transaction, plan: OrderPlan): Promise<OrderRow> {
  const { before, at, change } = plan;
  const after = afterOrderPlan(plan);
  const shelf = sumByProduct(plan.shelf ?? []);
  const slot = await leftSlot(tx, before, after);
  const proposals = closedFirst(plan.proposals ?? []);
  const { id, status, version, totalMinor, packing, crates } = after;
  const [written] = await tx.$queryRawUnsafe<{ proposals: number }[]>(
    WRITE,
    json({ id, status, version, totalMinor, packing, crates, at }),
    json(plan.lines ?? []),
    json(
      after.timeline
        .slice(before.timeline.length)
        .map(({ by, ...entry }) => ({ ...entry, byId: by.id })),
    ),
    json(shelf.map(({ id, stockMilli, version }) => ({ id, stockMilli, version }))),
    json(slot ? [{ id: slot.id, taken: slot.taken }] : []),
    json(
      proposals.map(({ createdBy, answeredBy, ...columns }) => ({
        ...columns,
        createdById: createdBy.id,
        answeredById: answeredBy?.id ?? null,
      })),
    ),
    eventsParameter([
      {
        name: 'order.updated',
        data: { ...presentOrder(after), change },
        rooms: orderRooms(after),
      },
      ...shelf.map(stockEvent),
      ...(slot ? [slotUpdated(slot)] : []),
    ]),
    timersParameter([...(plan.timers ?? []), ...cutoffFollowUp({ before, after, at })]),
    currentRequestId() ?? null,
  );
  if (written?.proposals !== proposals.length) {
    throw conflict('ID_TAKEN', 'This id stands for another proposal.');
  }
  return after;
}

/** As JSON; sums of money may be big integers as the database has them. */
const json = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));

const closedFirst = (proposals: readonly ProposalRow[]): ProposalRow[] =>
  [...proposals].sort(
    (one, other) => Number(one.status === 'open') - Number(other.status === 'open'),
  );

/** Returns products as they are after all changes of their stock, by ascending id. */
function sumByProduct(changes: readonly ShelfChange[]): ShelfRow[] {
  const sums = new Map<string, ShelfRow>();
  for (const { product, changeMilli } of changes) {
    const { stockMilli } = sums.get(product.id) ?? product;
    sums.set(product.id, { ...product, stockMilli: Number(stockMilli) + changeMilli });
  }
  return [...sums.values()]
    .filter(({ id, stockMilli }) =>
      changes.some(({ product }) => product.id === id && Number(product.stockMilli) !== stockMilli),
    )
    .map((product) => ({ ...product, version: product.version + 1 }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Locks the slot that an order leaves by its new status. @returns it as it is without the order */
async function leftSlot(
  tx: Transaction,
  before: OrderRow,
  after: OrderRow,
): Promise<SlotRow | undefined> {
  if (before.slotId === null || holdsSlot(after.status) || !holdsSlot(before.status)) {
    return undefined;
  }
  await tx.$queryRaw`SELECT 1 FROM slots WHERE id = ${before.slotId}::uuid FOR NO KEY UPDATE`;
  const [found] = await tx.$queryRawUnsafe<{ row: SlotRow }[]>(
    `SELECT ${SLOT_ROW} AS row FROM ${SLOT_SOURCE} WHERE s.id = $1::uuid`,
    before.slotId,
  );
  return found && { ...found.row, taken: found.row.taken - 1 };
}
