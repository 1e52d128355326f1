import { ANSWER_MINUTES } from '#contract/farm/farmers/constants';
import type { PackingState } from '#contract/ordering/changes/constants';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import type { Prisma } from '../prisma/generated/client.ts';
import { decidePropose } from '../server/ordering/changes/decide-propose.ts';
import { expiryKey, remindersOf } from '../server/ordering/model/handover.ts';
import { itemsOf, type LineRow, type ProposalRow } from '../server/ordering/model/present-lines.ts';
import { idOf } from './data/farms.ts';
import { consumers } from './data/people.ts';
import { type Planned, personOf, rowOf, withPlan } from './order-plans.ts';
import type { DemoOrder } from './orders.ts';
import { firstHarvested, ordersToPick } from './picklist.ts';
import { before, MINUTE_MS } from './times.ts';
import { weigh, weighCompleted } from './weighing.ts';

/** The farm that has weighed a part of an order. */
const WEIGHING_FARM_KEY = 'red-barn';
/** The consumer who is asked, and what the farm is short of in their order. */
const SHORT = {
  consumer: consumers[1],
  productId: idOf('product', 'jam'),
  /** Jars in that order. */
  quantity: 2,
  note: 'The hedge gave fewer berries than we hoped. Would one jar do this week?',
};
/** The first demo consumer, whose orders stay as they were placed. */
const [PLAIN] = consumers;
/** Of the packed order. */
const CRATES = 2;

/** How many minutes ago it happened; the newest acceptance of that day is an hour old. */
const MINUTES_AGO = { weighed: 32, packing: 41, packed: 26, nextPacking: 12, proposed: 2 } as const;

/** What became of orders between checkout and handover. */
export interface BentOrders {
  /** All orders, in their order. */
  orders: DemoOrder[];
  /** What happened to them, in wire form. */
  events: { event: UpdatedOrder; at: Date }[];
  proposals: Prisma.OrderProposalCreateManyInput[];
  timers: Prisma.TimerCreateManyInput[];
}

/**
 * Weighs what is complete, and a part of an order that is not; packs two orders of the day whose pick list is
 * printed, and asks the consumer of a third whether less will do.
 */
export function changeOrders(orders: readonly DemoOrder[], now: Date): BentOrders {
  const events: BentOrders['events'] = [];
  const bent = new Map<string, DemoOrder>();
  const keep = (planned: Planned | undefined): DemoOrder | undefined => {
    if (!planned) return undefined;
    const { order, event } = planned;
    bent.set(order.order.id, order);
    events.push({ event, at: new Date(event.timeline.at(-1)?.at ?? now) });
    return order;
  };
  const at = (moment: keyof typeof MINUTES_AGO) => before(now, MINUTES_AGO[moment] * MINUTE_MS);

  for (const order of orders) keep(weighCompleted(order));
  const partly = orders.find(isPartlyWeighable);
  if (partly) {
    const byId = partly.order.farmerId;
    keep(weigh(partly, isWeighedByUnit, { at: at('weighed'), byId }));
  }

  const day = ordersToPick(orders);
  const asked = day.find(isShort);
  const others = day.filter((order) => order !== asked && order.consumer !== PLAIN);
  const harvested = firstHarvested(day);
  const packed = others.find(({ lines }) => lines.every((line) => line.productId === harvested));
  const begun = others.find((order) => order !== packed);
  if (packed) {
    const begunOrder = keep(pack(packed, 'packing', at('packing')));
    if (begunOrder) keep(pack(begunOrder, 'packed', at('packed'), CRATES));
  }
  if (begun) keep(pack(begun, 'packing', at('nextPacking')));

  const proposed = asked && propose(asked, at('proposed'));
  if (proposed) keep(proposed);
  return {
    orders: orders.map((order) => bent.get(order.order.id) ?? order),
    events,
    proposals: proposed ? [proposalColumns(proposed)] : [],
    timers: proposed ? timersOf(proposed.proposal) : [],
  };
}

/** Goods that are counted by weight, which a farm may weigh, rather than those that it has to. */
const isWeighedByUnit = ({ unit, pieceMilli, contentMilli }: LineRow): boolean =>
  isWeightUnit(unit) && pieceMilli === null && contentMilli === null;

const isPartlyWeighable = ({ order, farm, lines }: DemoOrder): boolean =>
  farm.key === WEIGHING_FARM_KEY &&
  order.status === 'accepted' &&
  lines.some(isWeighedByUnit) &&
  lines.some(({ pieceMilli }) => pieceMilli !== null);

const isShortLine = ({ productId, quantityMilli }: LineRow): boolean =>
  productId === SHORT.productId && quantityMilli === toMilli(SHORT.quantity);

const isShort = ({ consumer, lines }: DemoOrder): boolean =>
  consumer === SHORT.consumer && lines.some(isShortLine);

function pack(order: DemoOrder, packing: PackingState, at: Date, crates?: number): Planned {
  const row = rowOf(order);
  return withPlan(order, {
    at,
    by: personOf(order.order.farmerId),
    before: row,
    change: {
      kind: 'packing',
      from: row.packing,
      to: packing,
      ...(crates === undefined ? {} : { crates }),
    },
    packing: { packing, crates: crates ?? null },
  });
}

type Proposed = Planned & { proposal: ProposalRow };

/** Proposes half of what an order has of the goods that are short. Throws where the server would refuse that. */
function propose(order: DemoOrder, at: Date): Proposed | undefined {
  const line = order.lines.find(isShortLine);
  if (!line) return undefined;
  const item = {
    lineId: line.id,
    action: 'reduce' as const,
    newQuantity: fromMilli(line.quantityMilli / 2),
    reason: 'not_harvested' as const,
    emptiesShelf: false,
  };
  const decision = decidePropose(
    {
      now: at,
      by: personOf(order.order.farmerId),
      order: rowOf(order),
      products: new Map(),
      farm: { answerMinutes: ANSWER_MINUTES.standard },
    },
    {
      id: idOf('proposal', order.order.id),
      items: [item],
      newId: () => idOf('order line', `${order.order.id} substitute`),
      note: SHORT.note,
      batchId: null,
    },
  );
  if ('refusal' in decision || !decision.proposal) throw new Error('The demo cannot propose this.');
  return { ...withPlan(order, decision.plan), proposal: decision.proposal };
}

function proposalColumns({ order, proposal }: Proposed): Prisma.OrderProposalCreateManyInput {
  const { createdBy, answeredBy, ...columns } = proposal;
  return {
    ...columns,
    orderId: order.order.id,
    createdById: createdBy.id,
    answeredById: answeredBy?.id ?? null,
    // Plain JSON, which what has optional fields is not to the types.
    items: JSON.parse(JSON.stringify(itemsOf(proposal))) as Prisma.InputJsonValue,
  };
}

/** The timers that end a proposal and remind of it. */
function timersOf({ id, createdAt, answerBy }: ProposalRow): Prisma.TimerCreateManyInput[] {
  const [from, to] = [new Date(createdAt), new Date(answerBy)];
  return [
    { key: expiryKey(id), kind: 'order.change', dueAt: to },
    ...remindersOf(from, to).map((dueAt, index) => ({
      key: `order.changeReminder:${id}:${index + 1}`,
      kind: 'order.changeReminder',
      dueAt,
    })),
  ];
}
