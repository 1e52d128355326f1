import type { OrderChange, TimelineEntry } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { orderQuery, ordersQuery, pendingCountQuery } from '../../ordering/orders/queries.ts';
import { pickDaysQuery, picklistQuery } from '../../ordering/picklist/queries.ts';
import { PICK_DAY, PICK_DAYS } from './pick-world.ts';
import { at, type Case, consumer, farmer, id, orderId, person, picked, replaces } from './world.ts';

// One case for every kind of change of an order, as its farm and its consumer see it.

const before = picked(2, 3);
const [line] = before.items;
if (!line) throw new Error('The order has no line');

const ordered = {
  lineId: line._id,
  product: { _id: null, name: 'Product 1', unit: 'lb' as const },
};
const totals = { totalBefore: 12.5, totalAfter: 10 };
const proposal = {
  _id: id(78),
  status: 'open' as const,
  createdBy: { ...person(farmer), role: 'farmer' as const },
  createdAt: at(40),
  answerBy: at(55),
  note: '',
  items: [],
  ...totals,
};

type Kind = OrderChange['kind'];

/** What becomes of the order by a change, and what the change says; one of each kind, else it does not compile. */
const changes: {
  [K in Kind]: { change: Extract<OrderChange, { kind: K }>; over: Partial<Order> };
} = {
  status: {
    change: { kind: 'status', from: 'accepted', to: 'cancelled' },
    over: { status: 'cancelled' },
  },
  kept: { change: { kind: 'kept' }, over: {} },
  slot: {
    change: { kind: 'slot', from: at(1), to: at(2) },
    over: { pickupDetails: { date: '2026-11-12', time: '11:00', location: 'The red gate' } },
  },
  lines: {
    change: {
      kind: 'lines',
      cause: 'buyer',
      differences: [{ ...ordered, from: 3, to: 2, price: 2 }],
      ...totals,
    },
    over: { items: [{ ...line, quantity: 2, state: 'reduced', estimate: 4, total: 4 }] },
  },
  proposal: {
    change: {
      kind: 'proposal',
      proposal: proposal._id,
      status: 'open',
      differences: [],
      ...totals,
    },
    over: { openChange: proposal },
  },
  weights: {
    change: {
      kind: 'weights',
      lines: [{ ...ordered, from: null, to: 3.25 }],
      ...totals,
      isTotalFinal: true,
    },
    over: { items: [{ ...line, packed: 3.25, isFinal: true, total: 6.5 }], totalAmount: 6.5 },
  },
  packing: {
    change: { kind: 'packing', from: 'none', to: 'packed', crates: 2 },
    over: { packing: 'packed', crates: 2 },
  },
  party: {
    change: { kind: 'party', what: 'farm_suspended' },
    over: { mayCancel: true },
  },
};

/** Returns the order after a change of a kind, with its entry in the timeline. */
function changed(kind: Kind): Order {
  const { change, over } = changes[kind];
  const next = { ...before, ...over, version: before.version + 1 };
  // It says nothing of the order itself.
  if (change.kind === 'party') return next;
  const { kind: _, ...detail } = change;
  const entry = {
    sequence: 3,
    kind,
    at: at(50),
    by: { ...person(farmer), role: 'farmer' },
    ...(change.kind === 'status' ? { status: change.to } : { detail }),
  } as TimelineEntry;
  return { ...next, timeline: [...before.timeline, entry] };
}

/** The cases by name: each kind of change, for the farm and for the consumer. */
export const orderChangeCases: [name: string, each: Case<'order.updated'>][] = (
  Object.keys(changes) as Kind[]
).flatMap((kind) => {
  const order = changed(kind);
  const data = { ...order, change: changes[kind].change };
  return [
    [
      `order.updated by ${kind}, to its farm`,
      {
        me: farmer,
        shows: [
          ordersQuery('received'),
          ordersQuery('received', { status: 'accepted' }),
          orderQuery(orderId(2)),
          pendingCountQuery(),
          picklistQuery({ date: PICK_DAY, place: null }),
          pickDaysQuery(...PICK_DAYS),
        ],
        data,
        happens: replaces('orders', order),
      },
    ],
    [
      `order.updated by ${kind}, to its customer`,
      {
        me: consumer,
        shows: [
          ordersQuery('mine'),
          ordersQuery('mine', { status: 'accepted' }),
          ordersQuery('mine', { openChange: 'true' }),
          orderQuery(orderId(2)),
        ],
        data,
        happens: replaces('orders', order),
      },
    ],
  ] satisfies [string, Case<'order.updated'>][];
});
