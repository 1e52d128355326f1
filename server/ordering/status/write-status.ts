import { randomUUID } from 'node:crypto';
import type { StatusDetail } from '#contract/ordering/changes/order-lines';
import type { AuditAction } from '#contract/platform/audit/constants';
import type { Membership } from '#contract/platform/session/constants';
import { APPEARANCE } from '../../catalogue/stock/stock-events.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import { currentCommandId, currentRequestId } from '../../platform/process/request-context.ts';
import { holdsSlot } from '../model/policy.ts';
import { type OrderRow, presentOrder } from '../model/present.ts';
import {
  eventData,
  eventsIn,
  leftOverJoins,
  type Run,
  roomEvents,
  stockEvents,
} from '../model/statement.ts';
import { orderRooms } from '../place/place.ts';
import type { StatusPlan } from './decide-status.ts';

// $1 the changes, $2 what goes back to the shelf, $3 entries of the audit, $4 the events, $5 the
// request's id, $6 whether the account of who changes is being deleted, $7 the command's id, $8 how many
// orders leave which slots, $9 the farm and the role there by which it was decided, null for none, $10 the lines
// that cost what was estimated.
// People, orders, products and slots, each by ascending id: the order of locks that every command keeps.
// Without a row in `go` nothing is written. Products and slots are changed as in the statement that places an order.
const WRITE = {
  name: 'write_status_changes',
  text: `WITH change AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS (
      "orderId" uuid, "from" "OrderStatus", "to" "OrderStatus", version int, sequence int, "byId" uuid,
      reason text, detail jsonb, at timestamptz(3))
  ), returned AS MATERIALIZED (
    SELECT * FROM json_to_recordset($2::json) AS (
      "productId" uuid, "quantityMilli" bigint, appearance text)
  ), actor AS MATERIALIZED (
    SELECT id FROM users
    WHERE id = ANY (ARRAY(SELECT "byId" FROM change))
      AND (deleted_at IS NULL AND suspended_at IS NULL OR $6::boolean)
    FOR KEY SHARE
  ), worker AS MATERIALIZED (
    SELECT user_id FROM farm_members
    WHERE user_id = ANY (ARRAY(SELECT id FROM actor))
      AND farm_id = ($9::json ->> 'farmId')::uuid AND role = ($9::json ->> 'role')::"FarmRole"
    FOR SHARE
  ), held AS MATERIALIZED (
    SELECT id, status, version FROM orders
    WHERE id = ANY (ARRAY(SELECT "orderId" FROM change)) AND (SELECT count(*) FROM actor) = 1
      AND ($9::json IS NULL OR EXISTS (SELECT FROM worker))
    ORDER BY id
    FOR NO KEY UPDATE
  ), unchanged AS MATERIALIZED (
    SELECT count(*) = (SELECT count(*) FROM change) AS holds
    FROM change
    JOIN held ON held.id = change."orderId" AND held.status = change."from"
      AND held.version = change.version
  ), shelf AS MATERIALIZED (
    SELECT p.id, ${APPEARANCE} AS appearance
    FROM lock_products(ARRAY(SELECT "productId" FROM returned, unchanged WHERE holds)) AS p
  ), go AS MATERIALIZED (
    SELECT (SELECT max(at) FROM change) AS at
    FROM unchanged WHERE holds AND (SELECT count(*) FROM returned) = (
      SELECT count(*) FROM returned
      JOIN shelf ON shelf.id = returned."productId" AND shelf.appearance = returned.appearance)
  ), moved AS MATERIALIZED (
    SELECT p.id, p.stock_milli, p.version
    FROM go, returned, LATERAL change_stock(returned."productId", returned."quantityMilli", go.at) AS p
  ), leaving AS MATERIALIZED (
    SELECT "slotId", orders FROM go, json_to_recordset($8::json) AS slot ("slotId" uuid, orders int)
    ORDER BY "slotId"
  ), freed AS MATERIALIZED (
    SELECT s.id, s.taken, s.capacity, s.state
    FROM leaving, LATERAL change_taken(leaving."slotId", -leaving.orders) AS s
  ), changed AS (
    UPDATE orders o SET status = change."to", version = change.version + 1, updated_at = change.at
    FROM go, change WHERE o.id = change."orderId"
    RETURNING o.id
  ), withdrawn AS (
    UPDATE order_proposals proposal SET status = 'withdrawn' FROM go, change
    WHERE proposal.order_id = change."orderId" AND proposal.status = 'open'
  ), estimated AS (
    UPDATE order_lines line SET final_minor = final."finalMinor"
    FROM go, json_to_recordset($10::json) AS final (id uuid, "finalMinor" bigint)
    WHERE line.id = final.id
  ), entry AS (
    INSERT INTO order_timeline (order_id, sequence, kind, status, detail, version, by_id, reason, at)
    SELECT "orderId", sequence, 'status', "to", detail, version + 1, "byId", reason, change.at FROM change, go
  ), audited AS (
    INSERT INTO audit_entries (admin_id, action, target_id, detail)
    SELECT audit."adminId", audit.action, audit."targetId", audit.detail
    FROM go, json_to_recordset($3::json) AS audit (
      "adminId" uuid, action text, "targetId" text, detail jsonb)
  ), events AS (
    INSERT INTO event_outbox (id, name, data, rooms, request_id, command_id, at)
    SELECT event.id, event.name, ${eventData('freed')}, event.rooms, $5, $7::uuid, go.at
    FROM go, ${eventsIn('$4')} ${leftOverJoins('freed')}
    ORDER BY event.place
  )
  SELECT id, (SELECT count(*) FROM moved) AS products, (SELECT count(*) FROM freed) AS slots
  FROM changed`,
};

/** The order as it is after a change. */
export function afterChange(plan: StatusPlan): OrderRow {
  const { at, by, before, to, reason, finalLines } = plan;
  return {
    ...before,
    status: to,
    version: before.version + 1,
    // None is open in the end: where one is, the order only ends.
    proposals: [],
    lines: before.lines.map((line) => finalLines.find(({ id }) => id === line.id) ?? line),
    timeline: [
      ...before.timeline,
      {
        ...{ sequence: nextSequence(before), kind: 'status', status: to, at, reason, by },
        detail: detailOf(plan),
      },
    ],
  };
}

/** What the timeline says beside the status; null for nothing. */
const detailOf = ({ unreturned }: StatusPlan): StatusDetail | null =>
  unreturned.length > 0 ? { unreturned: [...unreturned] } : null;

/** Entries are numbered on from the last one, whatever the order's version is. */
const nextSequence = ({ timeline }: OrderRow): number => (timeline.at(-1)?.sequence ?? 0) + 1;

/**
 * Writes changes of status, all by one person, with all that comes of them: timeline, stock, events and,
 * with `isAudited`, an entry of the audit each. With `isAutomatic` nobody asks for it: the account it is put
 * down to may be suspended, or the very one that this transaction deletes. `membership` is the farm and the
 * role there by which it was decided, for people of a farm.
 * @returns false, with nothing written, when an order, a product or that role is no longer as it was read
 */
export async function writeStatusChanges(
  run: Run,
  plans: readonly StatusPlan[],
  {
    isAudited = false,
    isAutomatic = false,
    membership = null,
  }: { isAudited?: boolean; isAutomatic?: boolean; membership?: Membership | null } = {},
): Promise<boolean> {
  const returned = sumByProduct(plans.flatMap((plan) => plan.returned));
  const leaving = leftSlots(plans);
  const changed = await run(WRITE, [
    JSON.stringify(
      plans.map((plan) => ({
        orderId: plan.before.id,
        from: plan.before.status,
        to: plan.to,
        version: plan.before.version,
        sequence: nextSequence(plan.before),
        byId: plan.by.id,
        reason: plan.reason,
        detail: detailOf(plan),
        at: plan.at,
      })),
    ),
    JSON.stringify(
      returned.map(({ product, quantityMilli }) => ({
        productId: product.id,
        quantityMilli,
        appearance: product.appearance,
      })),
    ),
    JSON.stringify(isAudited ? plans.map(auditOf) : []),
    JSON.stringify([
      ...plans.map((plan) => ({ ...updatedEvent(plan), id: randomUUID() })),
      ...stockEvents(returned.map(({ product }) => product)),
      ...roomEvents(leaving),
    ]),
    currentRequestId() ?? null,
    isAutomatic,
    currentCommandId() ?? null,
    JSON.stringify(leaving.map(({ slotId, orders }) => ({ slotId, orders }))),
    membership && JSON.stringify(membership),
    JSON.stringify(
      plans.flatMap(({ finalLines }) =>
        finalLines.map(({ id, finalMinor }) => ({ id, finalMinor: Number(finalMinor) })),
      ),
    ),
  ]);
  return changed.length > 0;
}

/** How many of these orders leave which slots, by ascending id. */
function leftSlots(plans: readonly StatusPlan[]) {
  const bySlot = new Map<string, { slotId: string; farmId: string; orders: number }>();
  for (const { before, to } of plans) {
    const { slotId, farmerId: farmId } = before;
    if (slotId === null || holdsSlot(to) || !holdsSlot(before.status)) continue;
    bySlot.set(slotId, { slotId, farmId, orders: (bySlot.get(slotId)?.orders ?? 0) + 1 });
  }
  return [...bySlot.values()].sort((one, other) => (one.slotId < other.slotId ? -1 : 1));
}

/** One entry per product, by ascending id. */
function sumByProduct(lines: StatusPlan['returned']): StatusPlan['returned'] {
  const sums = new Map<string, StatusPlan['returned'][number]>();
  for (const { product, quantityMilli } of lines) {
    const sumMilli = sums.get(product.id)?.quantityMilli ?? 0;
    sums.set(product.id, { product, quantityMilli: sumMilli + quantityMilli });
  }
  return [...sums.values()].sort((one, other) => (one.product.id < other.product.id ? -1 : 1));
}

function updatedEvent(plan: StatusPlan): NewEvent {
  const { before, to } = plan;
  return {
    name: 'order.updated',
    data: {
      ...presentOrder(afterChange(plan)),
      change: { kind: 'status', from: before.status, to, ...detailOf(plan) },
    },
    rooms: orderRooms(before),
  };
}

const auditOf = ({ by, before, to }: StatusPlan) => ({
  adminId: by.id,
  action: 'order.statusChanged' satisfies AuditAction,
  targetId: before.id,
  detail: { from: before.status, to },
});
