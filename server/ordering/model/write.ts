import { group } from 'd3-array';
import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { OrderChange, OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { AuditAction } from '#contract/platform/audit/constants';
import { OPEN_STATUSES } from '#contract/platform/orders/constants';
import type { Cause } from '#contract/platform/orders/constants/causes';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { type StockRow, stockEvent } from '../../catalogue/stock/stock-events.ts';
import { slotUpdated } from '../../farm/slots/present.ts';
import type { PersonRow } from '../../people/users/present.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { conflict } from '../../platform/http/errors.ts';
import { isDuplicate } from '../../platform/stores/postgres.ts';
import { type NewTimer, setTimers } from '../../platform/stores/timers.ts';
import { resolveAttentions } from '../attention/resolve.ts';
import { HANDOVER_COLUMNS, LINE_COLUMNS, ORDER_COLUMNS } from './columns.ts';
import { cutoffFollowUp, type Handover } from './handover.ts';
import { holdsSlot } from './policy.ts';
import { type OrderRow, orderRooms, presentOrder, type TimelineRow } from './present.ts';
import { differencesOf, type LineRow, type ProposalRow, totalOf } from './present-lines.ts';

/*
 * The one way to change orders that exist. A command locks them (`lock.ts`), reads them, decides in a pure function what
 * becomes of each, and writes these plans here with plain statements: under the locks nothing that was read can change.
 * What hundreds do at once, placing an order, has one guarded statement of its own (`place.ts`).
 */

/** A change of stock, in thousandths of the unit: positive what goes back. */
export interface StockChange {
  product: StockRow;
  changeMilli: number;
}

/** An order that has changed, ready to be written. What is left out stays. */
export interface OrderPlan {
  at: Date;
  /** Who changed it. */
  by: PersonRow;
  /** The order as it was read under its lock. */
  before: OrderRow;
  /** What the event says, and the timeline but for `party` and `kept`. */
  change: OrderChange;
  /** What else changed with it, which the timeline has before it. */
  earlier?: readonly OrderChange[];
  reason?: string | null;
  /** Why, where nobody gave a reason. */
  cause?: Cause;
  /** A status that follows from another change, by whom it is recorded. */
  status?: { to: OrderStatus; by: PersonRow; cause?: Cause };
  /** All lines as they are after it; new ones have ids of their own. */
  lines?: readonly LineRow[];
  /** Proposals that were made, have another end, or are no longer open. */
  proposals?: readonly ProposalRow[];
  packing?: Pick<OrderRow, 'packing' | 'crates'>;
  handover?: Partial<Handover>;
  /** What goes back to the stock or comes from it, each product once, locked. */
  stock?: readonly StockChange[];
  /** What should go back and cannot. */
  unreturned?: readonly UnreturnedGoods[];
  timers?: readonly NewTimer[];
  audit?: AuditAction;
}

/** Orders written by one statement, so that thousands of them need neither long statements nor many. */
const ORDERS_PER_STATEMENT = 200;

// $1 the orders as they are after it, $2 the new entries of their timelines.
const WRITE_ORDERS = `WITH changed AS (
    UPDATE orders o SET ${ORDER_COLUMNS.assignments('row')}, updated_at = row.at
    FROM json_to_recordset($1::json) AS row (${ORDER_COLUMNS.types}, id uuid, at timestamptz(3))
    WHERE o.id = row.id
  )
  INSERT INTO order_timeline (order_id, sequence, kind, status, detail, version, by_id, reason, cause, at)
  SELECT "orderId", sequence, kind, status, detail, version, "byId", reason, cause, at
  FROM json_to_recordset($2::json) AS entry ("orderId" uuid, sequence int, kind "TimelineKind",
    status "OrderStatus", detail jsonb, version int, "byId" uuid, reason text, cause text, at timestamptz(3))`;

// $1 orders that are handed over at another time or place.
const WRITE_HANDOVERS = `UPDATE orders o SET ${HANDOVER_COLUMNS.assignments('row')}
  FROM json_to_recordset($1::json) AS row (${HANDOVER_COLUMNS.types}, id uuid)
  WHERE o.id = row.id`;

// $1 the lines.
const WRITE_LINES = `INSERT INTO order_lines (${LINE_COLUMNS.names}, order_id)
  SELECT ${LINE_COLUMNS.fields('line')}, "orderId"
  FROM json_to_recordset($1::json) AS line (${LINE_COLUMNS.types}, "orderId" uuid)
  ON CONFLICT (id) DO UPDATE SET ${LINE_COLUMNS.assignments('EXCLUDED')}`;

const PROPOSAL_TYPES = `id uuid, "orderId" uuid, status "ProposalStatus", "createdById" uuid,
  "createdAt" timestamptz(3), "answerBy" timestamptz(3), "answeredById" uuid, "answeredAt" timestamptz(3),
  "baseVersion" int, note text, "batchId" uuid, "totalBeforeMinor" bigint, "totalAfterMinor" bigint, items jsonb`;

// $1 proposals that there are.
const WRITE_PROPOSALS = `UPDATE order_proposals known SET status = row.status, answer_by = row."answerBy",
    answered_by_id = row."answeredById", answered_at = row."answeredAt", items = row.items
  FROM json_to_recordset($1::json) AS row (${PROPOSAL_TYPES})
  WHERE known.id = row.id AND known.order_id = row."orderId"`;

// $1 proposals that are new.
const ADD_PROPOSALS = `INSERT INTO order_proposals (id, order_id, status, created_by_id, created_at, answer_by,
    answered_by_id, answered_at, base_version, note, batch_id, total_before_minor, total_after_minor, items)
  SELECT id, "orderId", status, "createdById", "createdAt", "answerBy", "answeredById", "answeredAt",
    "baseVersion", note, "batchId", "totalBeforeMinor", "totalAfterMinor", items
  FROM json_to_recordset($1::json) AS row (${PROPOSAL_TYPES})`;

// $1 products and how much of each, by ascending id, $2 when.
const CHANGE_STOCK = `SELECT p.id, p.stock_milli AS "stockMilli", p.version
  FROM json_to_recordset($1::json) AS goods (id uuid, "changeMilli" bigint),
    LATERAL change_stock(goods.id, goods."changeMilli", $2::timestamptz) AS p`;

// $1 slots and how many orders come or go, by ascending id.
const CHANGE_TAKEN = `SELECT s.id, s.farm_id AS "farmId", s.taken, s.capacity, s.state
  FROM json_to_recordset($1::json) AS load (id uuid, orders int), LATERAL change_taken(load.id, load.orders) AS s`;

const ADD_AUDIT = `INSERT INTO audit_entries (admin_id, action, target_id, detail)
  SELECT "adminId", action, "targetId", detail
  FROM json_to_recordset($1::json) AS entry ("adminId" uuid, action text, "targetId" text, detail jsonb)`;

/**
 * Writes what becomes of orders, products and slots that this transaction has locked, with all that follows: lines,
 * stock, proposals, timeline, timers, audit and events. Each order grows by one version, whatever its change has of
 * parts.
 * @returns the orders as they are after it, in their order
 * @throws 409 the id of a proposal stands for another one
 */
export async function writeOrders(
  tx: Transaction,
  plans: readonly OrderPlan[],
): Promise<OrderRow[]> {
  const written = plans.map((plan) => ({ plan, after: afterOrderPlan(plan) }));
  for (let start = 0; start < written.length; start += ORDERS_PER_STATEMENT) {
    await writeSome(tx, written.slice(start, start + ORDERS_PER_STATEMENT));
  }
  const events: NewEvent[] = [
    ...written.map(({ plan, after }) => ({
      name: 'order.updated' as const,
      data: { ...presentOrder(after), change: changeOf(plan) },
      rooms: orderRooms(after),
    })),
    ...(await changeStock(tx, plans)),
    ...(await changeTaken(tx, written)),
  ];
  for (let start = 0; start < events.length; start += ORDERS_PER_STATEMENT) {
    await record(tx, ...events.slice(start, start + ORDERS_PER_STATEMENT));
  }
  await resolveAnswered(tx, written);
  return written.map(({ after }) => after);
}

/** As {@link writeOrders}, for one order. */
export async function writeOrder(tx: Transaction, plan: OrderPlan): Promise<OrderRow> {
  const [after] = await writeOrders(tx, [plan]);
  if (!after) throw new Error('The order was not written');
  return after;
}

interface Written {
  plan: OrderPlan;
  after: OrderRow;
}

// $2 the orders that ended, $3 those that do not wait for their farm any more, $4 the proposals that ended.
const IS_ANSWERED = `a.order_id = ANY ($2::uuid[]) OR a.subject_id = ANY ($4::uuid[])
  OR (a.kind = 'order.placed' AND a.order_id = ANY ($3::uuid[]))`;

/** Ends what asked for an answer that these orders have by now. */
async function resolveAnswered(tx: Transaction, written: readonly Written[]): Promise<void> {
  for (const [resolution, of] of group(written, resolutionOf)) {
    const idsWhere = (isMet: (each: Written) => boolean) =>
      of.filter(isMet).map(({ after }) => after.id);
    const ended = idsWhere(({ after }) => !OPEN_STATUSES.some((open) => open === after.status));
    const answered = idsWhere(isAnswered);
    const closed = of.flatMap(({ plan: { proposals = [] } }) =>
      proposals.flatMap((each) => (each.status === 'open' ? [] : [each.id])),
    );
    if (answered.length + closed.length === 0) continue;
    await resolveAttentions(tx, resolution, IS_ANSWERED, ended, answered, closed);
  }
}

/** Returns by what something that asked is done: a status, or its cause where nobody gave it. */
const resolutionOf = ({ plan: { cause, status }, after }: Written): string =>
  cause ?? status?.cause ?? after.status;

/** Whether its farm has answered an order by this: also by asking its customer, who has to answer then. */
const isAnswered = ({ plan, after }: Written): boolean =>
  after.status !== plan.before.status ||
  (plan.before.proposals.length === 0 && after.proposals.length > 0);

async function writeSome(tx: Transaction, written: readonly Written[]): Promise<void> {
  await tx.$executeRawUnsafe(
    WRITE_ORDERS,
    json(written.map(({ plan: { at }, after }) => ({ ...after, at }))),
    json(written.flatMap(newEntries)),
  );
  await insert(
    tx,
    WRITE_HANDOVERS,
    written.flatMap(({ plan, after }) => (plan.handover ? [after] : [])),
  );
  await insert(
    tx,
    WRITE_LINES,
    written.flatMap(({ plan, after: { id } }) =>
      (plan.lines ?? []).map((line) => ({ ...line, orderId: id })),
    ),
  );
  await writeProposals(tx, written);
  await insert(
    tx,
    ADD_AUDIT,
    written.flatMap(({ plan: { audit, by, change }, after }) => {
      if (!audit) return [];
      const { kind, ...detail } = change;
      return [{ adminId: by.id, action: audit, targetId: after.id, detail }];
    }),
  );
  const timers = written.flatMap(({ plan, after }) => [
    ...(plan.timers ?? []),
    ...cutoffFollowUp({ before: plan.before, after, at: plan.at }),
  ]);
  if (timers.length > 0) await setTimers(tx, timers);
}

const newEntries = ({ plan: { before }, after: { id, version, timeline } }: Written) =>
  timeline
    .slice(before.timeline.length)
    .map(({ by, ...entry }) => ({ ...entry, version, orderId: id, byId: by.id }));

async function writeProposals(tx: Transaction, written: readonly Written[]): Promise<void> {
  const rows = written.flatMap(({ plan: { before, proposals = [] }, after }) =>
    proposals.map(({ createdBy, answeredBy, ...columns }) => ({
      isNew: before.proposals.every(({ id }) => id !== columns.id),
      row: {
        ...columns,
        orderId: after.id,
        createdById: createdBy.id,
        answeredById: answeredBy?.id ?? null,
      },
    })),
  );
  // Those that are no longer open come first, since an order has at most one.
  await insert(
    tx,
    WRITE_PROPOSALS,
    rows.flatMap(({ isNew, row }) => (isNew ? [] : [row])),
  );
  try {
    await insert(
      tx,
      ADD_PROPOSALS,
      rows.flatMap(({ isNew, row }) => (isNew ? [row] : [])),
    );
  } catch (error) {
    if (isDuplicate(error)) throw conflict('ID_TAKEN', msg('This id stands for another proposal.'));
    throw error;
  }
}

/** Changes the stock of each product once, by ascending id. @returns their events */
async function changeStock(tx: Transaction, plans: readonly OrderPlan[]): Promise<NewEvent[]> {
  const sums = sumBy(
    plans.flatMap(({ stock = [] }) => stock),
    ({ product }) => product.id,
    ({ changeMilli }) => changeMilli,
  );
  const [at] = plans.map((plan) => plan.at);
  if (sums.length === 0 || !at) return [];
  const left = await tx.$queryRawUnsafe<{ id: string; stockMilli: bigint; version: number }[]>(
    CHANGE_STOCK,
    json(sums.map(({ key, sum }) => ({ id: key, changeMilli: sum })).sort(byId)),
    at,
  );
  const known = new Map(sums.map(({ key, first }) => [key, first.product]));
  return left.flatMap(({ id, stockMilli, version }) => {
    const product = known.get(id);
    return product ? [stockEvent({ ...product, stockMilli: Number(stockMilli), version })] : [];
  });
}

/** Counts the orders of each slot that one comes to or leaves. @returns the slots' events */
async function changeTaken(tx: Transaction, written: readonly Written[]): Promise<NewEvent[]> {
  const loads = sumBy(
    written.flatMap(({ plan: { before }, after }) => {
      const [from, to] = [slotHeldBy(before), slotHeldBy(after)];
      if (from === to) return [];
      return [
        ...(from === null ? [] : [{ slotId: from, orders: -1 }]),
        ...(to === null ? [] : [{ slotId: to, orders: 1 }]),
      ];
    }),
    ({ slotId }) => slotId,
    ({ orders }) => orders,
  );
  if (loads.length === 0) return [];
  const slots = await tx.$queryRawUnsafe<Parameters<typeof slotUpdated>[0][]>(
    CHANGE_TAKEN,
    json(loads.map(({ key, sum }) => ({ id: key, orders: sum })).sort(byId)),
  );
  // As the orders went, from one to the other.
  const order = new Map(loads.map(({ key }, index) => [key, index]));
  const placeOf = ({ id }: { id: string }) => order.get(id) ?? 0;
  slots.sort((one, other) => placeOf(one) - placeOf(other));
  return slots.map(slotUpdated);
}

const slotHeldBy = ({ status, slotId }: OrderRow): string | null =>
  holdsSlot(status) ? slotId : null;

/** Sums what items say, by key, without what has no effect. */
function sumBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  amountOf: (item: Item) => number,
): { key: string; first: Item; sum: number }[] {
  const sums = new Map<string, { key: string; first: Item; sum: number }>();
  for (const item of items) {
    const key = keyOf(item);
    const known = sums.get(key) ?? { key, first: item, sum: 0 };
    sums.set(key, { ...known, sum: known.sum + amountOf(item) });
  }
  return [...sums.values()].filter(({ sum }) => sum !== 0);
}

/** The order in which rows are locked. */
const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

/** Runs a statement on rows, if there are any. */
async function insert(tx: Transaction, statement: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await tx.$executeRawUnsafe(statement, json(rows));
}

/** As JSON; sums of money may be big integers as the database has them. */
const json = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each));

/** Returns the change of a plan with what could not go back to the stock. */
function changeOf({ change, unreturned = [] }: OrderPlan): OrderChange {
  const mayHave = change.kind === 'lines' || change.kind === 'proposal' || change.kind === 'status';
  return mayHave && unreturned.length > 0 ? { ...change, unreturned: [...unreturned] } : change;
}

/** Returns an order as it is after a change. */
export function afterOrderPlan(plan: OrderPlan): OrderRow {
  const { before, status, packing, handover } = plan;
  const change = changeOf(plan);
  const lines = [...(plan.lines ?? before.lines)];
  const touched = new Set(plan.proposals?.map(({ id }) => id));
  return {
    ...before,
    // Somebody has to open the crates again.
    ...(before.packing === 'packed' && differencesOf(before.lines, lines).length > 0
      ? { packing: 'packing' as const }
      : {}),
    ...packing,
    ...handover,
    status: status?.to ?? (change.kind === 'status' ? change.to : before.status),
    version: before.version + 1,
    lines,
    totalMinor: plan.lines ? totalOf(lines) : before.totalMinor,
    proposals: [
      ...before.proposals.filter(({ id }) => !touched.has(id)),
      ...(plan.proposals ?? []),
    ].filter((proposal) => proposal.status === 'open'),
    timeline: [...before.timeline, ...entriesOf(plan, change)],
  };
}

function entriesOf(plan: OrderPlan, change: OrderChange): TimelineRow[] {
  const { before, at, by, earlier = [], reason = null, cause = null, status } = plan;
  const entries = [...earlier, change].flatMap((each): Omit<TimelineRow, 'sequence'>[] => {
    if (each.kind === 'party' || each.kind === 'kept') return [];
    const why = each.kind === change.kind ? { reason, cause } : { reason: null, cause: null };
    if (each.kind === 'status') {
      const { unreturned } = each;
      return [
        {
          ...{ kind: 'status', status: each.to, at, by, ...why },
          detail: unreturned ? { unreturned } : null,
        },
      ];
    }
    const { kind, ...detail } = each;
    return [{ kind, status: null, detail, at, by, ...why }];
  });
  if (status) {
    const { to, by: whose, cause: why = null } = status;
    entries.push({ kind: 'status', status: to, at, reason: null, cause: why, by: whose });
  }
  const last = before.timeline.at(-1)?.sequence ?? 0;
  return entries.map((entry, index) => ({ ...entry, sequence: last + 1 + index }));
}
