import { randomUUID } from 'node:crypto';
import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type {
  OrderChange,
  OrderStatus,
  TimelineKind,
} from '#contract/ordering/orders/order-timeline';
import type { Worker } from '#contract/platform/session/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { APPEARANCE, type ShelfRow } from '../../catalogue/stock/stock-events.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { conflict } from '../../platform/http/errors.ts';
import { currentCommandId, currentRequestId } from '../../platform/process/request-context.ts';
import { MAY_ACT } from '../../platform/sessions/lock-caller.ts';
import { isDuplicate } from '../../platform/stores/postgres.ts';
import { type NewTimer, setTimersIn, timersParameter } from '../../platform/stores/timers.ts';
import { orderRooms } from '../place/place.ts';
import { cutoffFollowUp } from '../status/cutoff-follow-up.ts';
import { holdsSlot } from './policy.ts';
import { type OrderRow, presentOrder, type TimelineRow } from './present.ts';
import { differencesOf, type LineRow, type ProposalRow, totalOf } from './present-lines.ts';
import {
  eventData,
  eventsIn,
  leftOverJoins,
  type Run,
  roomEvents,
  runWithin,
  type Statement,
  stockEvents,
} from './statement.ts';

/** A change of stock, in thousandths of the unit: positive what goes back to the shelf. */
export interface ShelfChange {
  product: ShelfRow;
  changeMilli: number;
  /** Whether nothing is to be left, also of what somebody puts on the shelf meanwhile. */
  leavesNone: boolean;
}

type LineChange = Exclude<OrderChange, { kind: 'status' | 'party' }>;

/** An order that has changed, ready to be written. What is left out stays. */
export interface OrderPlan {
  at: Date;
  /** Who changed it. */
  by: PersonRow;
  /** The order as it was read. */
  before: OrderRow;
  /** What the event and the timeline record of it. */
  change: LineChange;
  /** What else changed with it, which the timeline has before it. */
  earlier?: readonly LineChange[];
  reason?: string | null;
  /** Another status that follows from the change, with whoever it is put down to. */
  status?: { to: OrderStatus; by: PersonRow; reason: string | null };
  /** All lines as they are after it; new ones have ids of their own. */
  lines?: readonly LineRow[];
  /** Proposals that were made, or are no longer open. */
  proposals?: readonly ProposalRow[];
  packing?: Pick<OrderRow, 'packing' | 'crates'>;
  /** What goes back to the shelf or comes from it, each product once. */
  shelf?: readonly ShelfChange[];
  /** What should go back and cannot; the event and the timeline record it with the change. */
  unreturned?: readonly UnreturnedGoods[];
  timers?: readonly NewTimer[];
}

// $1 the order's columns, the version that it had, the slot that it leaves, and whoever changes it with their role on a
// farm, $2 its lines, $3 entries of the timeline, $4 changes of stock, $5 proposals, $6 events, $7 timers, $8 the request's
// id, $9 the command's id.
// The caller, the order, products by ascending id, then the slot: the order of locks that every command keeps. Where the
// transaction has locked them already no caller is given. Without a row in `go` nothing is written: the order is no longer
// of that version, or a product is not as it was, or there is too little of it, or something where none is to be left. Of
// stock only that is asked, so that whoever takes from the same shelf at once makes nobody repeat.
// Proposals that are no longer open come before the one that is, since an order has at most one.
const WRITE: Statement = {
  name: 'write_order',
  text: `WITH o AS MATERIALIZED (
    SELECT * FROM json_to_record($1::json) AS (
      id uuid, status "OrderStatus", version int, "totalMinor" bigint, packing "Packing", crates smallint,
      at timestamptz(3), "versionBefore" int, "slotId" uuid, "callerId" uuid, "farmId" uuid, role "FarmRole")
  ), goods AS MATERIALIZED (
    SELECT * FROM json_to_recordset($4::json) AS (
      id uuid, "changeMilli" bigint, "leavesNone" boolean, appearance text)
  ), caller AS MATERIALIZED (
    SELECT id FROM users
    WHERE id = (SELECT "callerId" FROM o) AND ${MAY_ACT}
    FOR KEY SHARE
  ), worker AS MATERIALIZED (
    SELECT user_id FROM farm_members
    WHERE user_id = (SELECT id FROM caller) AND farm_id = (SELECT "farmId" FROM o)
      AND role = (SELECT role FROM o)
    FOR SHARE
  ), held AS MATERIALIZED (
    SELECT id FROM orders
    WHERE id = (SELECT id FROM o) AND version = (SELECT "versionBefore" FROM o)
      AND (SELECT count(*) FROM caller) = (SELECT count("callerId") FROM o)
      AND (SELECT count(*) FROM worker) = (SELECT count("farmId") FROM o)
    FOR NO KEY UPDATE
  ), shelf AS MATERIALIZED (
    SELECT p.id, p.stock_milli, ${APPEARANCE} AS appearance
    FROM lock_products(ARRAY(SELECT goods.id FROM goods, held)) AS p
  ), go AS MATERIALIZED (
    SELECT o.* FROM o JOIN held ON held.id = o.id
    WHERE (SELECT count(*) FROM goods) = (
      SELECT count(*) FROM goods
      JOIN shelf ON shelf.id = goods.id AND shelf.appearance = goods.appearance
        AND shelf.stock_milli + goods."changeMilli" >= 0
        AND (shelf.stock_milli + goods."changeMilli" = 0 OR NOT goods."leavesNone"))
  ), moved AS MATERIALIZED (
    SELECT p.id, p.stock_milli, p.version
    FROM go, goods, LATERAL change_stock(goods.id, goods."changeMilli", go.at) AS p
  ), freed AS MATERIALIZED (
    SELECT s.id, s.taken, s.capacity, s.state FROM change_taken((SELECT "slotId" FROM go), -1) AS s
  ), changed AS (
    UPDATE orders SET status = go.status, version = go.version, total_minor = go."totalMinor",
      packing = go.packing, crates = go.crates, updated_at = go.at
    FROM go WHERE orders.id = go.id
  ), lines AS (
    INSERT INTO order_lines (id, order_id, position, product_id, name, image, unit, price_minor,
      quantity_milli, ordered_milli, replaces_line_id, on_short, preferred_product_id, piece_milli,
      piece_min_milli, piece_max_milli, packed_milli, final_minor)
    SELECT line.id, go.id, position, "productId", name, image, unit, "priceMinor", "quantityMilli",
      "orderedMilli", "replacesLineId", "onShort", "preferredProductId", "pieceMilli", "pieceMinMilli",
      "pieceMaxMilli", "packedMilli", "finalMinor"
    FROM go, json_to_recordset($2::json) AS line (
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
    SELECT go.id, sequence, kind, entry.status, detail, go.version, "byId", reason, go.at
    FROM go, json_to_recordset($3::json) AS entry (
      sequence int, kind "TimelineKind", status "OrderStatus", detail jsonb, "byId" uuid, reason text)
  ), proposal AS MATERIALIZED (
    SELECT go.id AS order_id, each.* FROM go, json_to_recordset($5::json) AS each (
      id uuid, status "ProposalStatus", "createdById" uuid, "createdAt" timestamptz(3),
      "answerBy" timestamptz(3), "answeredById" uuid, "answeredAt" timestamptz(3), "baseVersion" int,
      note text, "batchId" uuid, "totalBeforeMinor" bigint, "totalAfterMinor" bigint, items jsonb)
  ), closed AS (
    UPDATE order_proposals known SET status = proposal.status, answered_by_id = proposal."answeredById",
      answered_at = proposal."answeredAt", items = proposal.items
    FROM proposal
    WHERE known.id = proposal.id AND known.order_id = proposal.order_id AND proposal.status <> 'open'
    RETURNING known.id
  ), asked AS (
    INSERT INTO order_proposals (id, order_id, status, created_by_id, created_at, answer_by,
      answered_by_id, answered_at, base_version, note, batch_id, total_before_minor, total_after_minor, items)
    SELECT id, order_id, status, "createdById", "createdAt", "answerBy", "answeredById",
      "answeredAt", "baseVersion", note, "batchId", "totalBeforeMinor", "totalAfterMinor", items
    FROM proposal WHERE status = 'open' AND (SELECT count(*) FROM closed) >= 0
  ), events AS (
    INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
    SELECT event.id, event.name, ${eventData('freed')}, event.rooms, $8, $9::uuid, clock_timestamp()
    FROM go, ${eventsIn('$6')} ${leftOverJoins('freed')}
    ORDER BY event.place
  ), timed AS (
    ${setTimersIn('$7', '$8', 'EXISTS (SELECT FROM go)')}
  )
  SELECT id, (SELECT count(*) FROM moved) AS products, (SELECT count(*) FROM freed) AS slots FROM go`,
};

/** Returns the change of a plan with what could not go back to the stock. */
function changeOf({ change, unreturned = [] }: OrderPlan): LineChange {
  if (unreturned.length === 0 || (change.kind !== 'lines' && change.kind !== 'proposal')) {
    return change;
  }
  return { ...change, unreturned: [...unreturned] };
}

/** Returns an order as it is after a change. */
export function afterOrderPlan(plan: OrderPlan): OrderRow {
  const { before, at, by, earlier = [], reason = null, status } = plan;
  const change = changeOf(plan);
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
 * @throws 409 the id of a proposal stands for another one
 */
export async function writeOrder(tx: Transaction, plan: OrderPlan): Promise<OrderRow> {
  const after = await writePlan(runWithin(tx), plan);
  if (!after) throw new Error('A locked order or its products have changed');
  return after;
}

/**
 * Writes what became of an order as {@link writeOrder} does, for a plan that was decided without locks, by a caller with
 * that role.
 * @returns the order as it is after it; undefined, with nothing written, when the order, its products or the caller are
 *   no longer as they were read
 * @throws 409 as {@link writeOrder}
 */
export const writeOrderIfUnchanged = (
  run: Run,
  plan: OrderPlan,
  caller: Worker & { id: string },
): Promise<OrderRow | undefined> => writePlan(run, plan, caller);

async function writePlan(
  run: Run,
  plan: OrderPlan,
  caller?: Worker & { id: string },
): Promise<OrderRow | undefined> {
  const { before, at, shelf = [] } = plan;
  const after = afterOrderPlan(plan);
  const slotId = holdsSlot(before.status) && !holdsSlot(after.status) ? before.slotId : null;
  const { id, status, version, totalMinor, packing, crates } = after;
  const values = [
    json({
      ...{ id, status, version, totalMinor, packing, crates, at, slotId },
      versionBefore: before.version,
      callerId: caller?.id,
      ...caller?.membership,
    }),
    json(plan.lines ?? []),
    json(
      after.timeline
        .slice(before.timeline.length)
        .map(({ by, ...entry }) => ({ ...entry, byId: by.id })),
    ),
    json(
      shelf.map(({ product: { id, appearance }, ...change }) => ({ id, appearance, ...change })),
    ),
    json(
      (plan.proposals ?? []).map(({ createdBy, answeredBy, ...columns }) => ({
        ...columns,
        createdById: createdBy.id,
        answeredById: answeredBy?.id ?? null,
      })),
    ),
    json([
      {
        name: 'order.updated',
        data: { ...presentOrder(after), change: changeOf(plan) },
        rooms: orderRooms(after),
        id: randomUUID(),
      },
      ...stockEvents(shelf.map(({ product }) => product)),
      ...roomEvents(slotId === null ? [] : [{ slotId, farmId: before.farmerId }]),
    ]),
    timersParameter([...(plan.timers ?? []), ...cutoffFollowUp({ before, after, at })]),
    currentRequestId() ?? null,
    currentCommandId() ?? null,
  ];
  try {
    const written = await run(WRITE, values);
    return written.length > 0 ? after : undefined;
  } catch (error) {
    if (isDuplicate(error)) throw conflict('ID_TAKEN', 'This id stands for another proposal.');
    throw error;
  }
}

/** As JSON; sums of money may be big integers as the database has them. */
const json = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));
