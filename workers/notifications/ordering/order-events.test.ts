import { describe, expect, it } from 'vitest';
import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import type { LoggedEvent } from '../../../server/platform/events/event-log.ts';
import { named, withWords } from '../../testing/words.ts';
import { effectsOf } from '../definitions.ts';

const ID = '00000000-0000-4000-8000-0000000000a1';
const AT = '2026-11-22T10:00:00.000Z';
const contact = (_id: string, name: string) => ({ _id, name, email: '', phone: '' });
const consumer = contact('c', 'Cleo');
const farmer = { ...contact('f', 'Fern'), farmName: 'Green Valley' };

/** An order whose version is far ahead of its timeline, whose second entry this process does not know. */
const order = (status: OrderStatus, by: { _id: string; name: string }): Order => ({
  _id: ID,
  createdAt: AT,
  status,
  totalAmount: 1200,
  paymentMethod: 'cash',
  notes: '',
  consumer,
  farmer,
  items: [],
  estimatedTotal: 1200,
  isTotalFinal: true,
  openChange: null,
  packing: 'none',
  pickupDetails: { date: '2026-11-23', time: '10:00', location: 'Farm gate' },
  version: 9,
  timeline: [
    {
      sequence: 1,
      kind: 'status',
      status: 'pending',
      at: AT,
      by: { ...consumer, role: 'consumer' },
    },
    {
      sequence: 3,
      kind: 'status',
      status,
      at: AT,
      by: { ...by, role: by._id === 'c' ? 'consumer' : 'farmer' },
      reason: 'Frost',
    },
  ],
});

const said = (event: LoggedEvent) =>
  withWords(effectsOf(event), named({ c: 'Cleo', f: 'Green Valley' }));

/** What people are notified of; what it settles is left out. */
const changed = (
  to: OrderStatus,
  by: { _id: string; name: string },
  detail: { unreturned?: UnreturnedGoods[] } = {},
) =>
  said({
    seq: 1,
    id: ID,
    at: AT,
    requestId: null,
    rooms: [],
    name: 'order.updated',
    data: { ...order(to, by), change: { kind: 'status', from: 'pending', to, ...detail } },
  } satisfies LoggedEvent).filter((effect) => effect.do === 'notify');

describe('an order whose version is higher than its timeline is long', () => {
  it('notifies its consumer of a status change, keyed by the sequence of its entry', () => {
    expect(changed('accepted', farmer)).toMatchObject([
      {
        userId: 'c',
        key: `order.statusChanged:${ID}:3`,
        title: 'Your order was accepted',
        body: 'Order #00000000 at Green Valley was accepted for pickup on Mon, Nov 23 at 10:00 AM. Reason: Frost',
      },
    ]);
  });

  it('notifies its farmer that its consumer cancelled it', () => {
    expect(changed('cancelled', consumer)).toMatchObject([
      {
        userId: 'f',
        kind: 'order.cancelledByConsumer',
        body: 'Cleo cancelled it (pickup on Mon, Nov 23 at 10:00 AM). Its stock is back on your shelf. Reason: Frost',
      },
    ]);
  });
});

describe('an order whose goods do not go back to the stock', () => {
  const kale = { _id: null, name: 'Kale', unit: 'bunch' as const };
  const chicken = { _id: null, name: 'Chicken', unit: 'kg' as const };
  const unreturned = [
    { product: kale, quantity: 4 },
    { product: chicken, quantity: 2, isByPiece: true as const },
  ];
  const notReturned = {
    userId: 'f',
    key: `order.unreturned:${ID}:3`,
    title: 'Order #00000000 put nothing back in stock',
    body: 'You sell this in another unit now than in that order, so it did not go back: 4 bunches of Kale, 2 pieces of Chicken. Correct your stock if it is there.',
  };

  it('notifies its farm of it, and does not say that they are back', () => {
    expect(changed('cancelled', consumer, { unreturned })).toMatchObject([
      {
        kind: 'order.cancelledByConsumer',
        body: 'Cleo cancelled it (pickup on Mon, Nov 23 at 10:00 AM). Reason: Frost',
      },
      notReturned,
    ]);
  });

  it('notifies the farm that ended it itself as well', () => {
    expect(changed('rejected', farmer, { unreturned })).toMatchObject([
      { userId: 'c', kind: 'order.statusChanged' },
      notReturned,
    ]);
  });
});

describe('an open order one side of which is away', () => {
  const party = (what: 'farm_suspended' | 'farm_restored' | 'customer_left') =>
    said({
      seq: 1,
      id: ID,
      at: AT,
      requestId: null,
      rooms: [],
      name: 'order.updated',
      data: { ...order('accepted', farmer), version: 9, change: { kind: 'party', what } },
    } satisfies LoggedEvent).filter((effect) => effect.do !== 'settle');

  it('notifies the customer that the farm is suspended, and that it is back', () => {
    expect(party('farm_suspended')).toMatchObject([
      {
        do: 'notify',
        userId: 'c',
        kind: 'order.statusChanged',
        key: `order.farmChanged:${ID}:9`,
        title: 'The farm of your order is off the market',
        body: 'An admin has taken the farm of order #00000000 off the market for now. Your order stands (pickup on Mon, Nov 23 at 10:00 AM); you can write to the farm, or cancel the order.',
        link: `/orders/${ID}`,
      },
    ]);
    expect(party('farm_restored')).toMatchObject([
      { userId: 'c', title: 'The farm of your order is back' },
    ]);
  });

  it('notifies the farm that the customer has left, and nobody of anything else again', () => {
    expect(party('customer_left')).toMatchObject([
      {
        userId: 'f',
        kind: 'order.cancelledByConsumer',
        title: 'The customer of order #00000000 closed their account',
      },
    ]);
  });
});

describe('a pickup that moved', () => {
  const [before, after] = ['10:00', '11:00'].map((time) => ({
    date: '2026-11-28',
    time,
    endTime: `${Number(time.slice(0, 2)) + 1}:00`,
    location: 'The red gate, 1 Mill Lane',
  }));
  const moved = (by: { _id: string; name: string }, detail: object, over: Partial<Order> = {}) => {
    const base = order('accepted', farmer);
    const change = { from: AT, to: AT, ...detail };
    const role = by._id === 'c' ? ('consumer' as const) : ('farmer' as const);
    const entry = {
      sequence: 4,
      kind: 'slot' as const,
      at: AT,
      by: { ...by, role },
      detail: change,
    };
    return said({
      seq: 1,
      id: ID,
      at: AT,
      requestId: null,
      rooms: [],
      name: 'order.updated',
      data: {
        ...base,
        ...over,
        timeline: [...base.timeline, { ...entry, reason: 'A wedding' }],
        change: { kind: 'slot', ...change },
      },
    } satisfies LoggedEvent).filter((effect) => effect.do === 'notify');
  };

  it('by the farm notifies its customer, with the reason', () => {
    expect(moved(farmer, { before, after })).toMatchObject([
      {
        userId: 'c',
        kind: 'order.slotMoved',
        key: `order.slotMoved:${ID}:4`,
        title: 'Your pickup on Sat, Nov 28 was moved from 10:00 AM to 11:00 AM',
        body: 'Pick up order #00000000 at Green Valley on Sat, Nov 28 at 11:00 AM–12:00 PM, at The red gate, 1 Mill Lane (it was on Sat, Nov 28 at 10:00–11:00 AM). Reason: A wedding',
        link: `/orders/${ID}`,
      },
    ]);
  });

  it('by its customer notifies the farm', () => {
    expect(moved(consumer, { before, after })).toMatchObject([
      {
        userId: 'f',
        title: 'Order #00000000 on Sat, Nov 28 was moved from 10:00 AM to 11:00 AM',
        body: 'Cleo now picks it up on Sat, Nov 28 at 11:00 AM–12:00 PM, at The red gate, 1 Mill Lane (it was on Sat, Nov 28 at 10:00–11:00 AM).',
      },
    ]);
  });

  it('out of a time that the clock of the farm skips notifies the customer of a delivery as well', () => {
    const address = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
    const at = (time: string) => ({ date: '2027-03-28', time, location: '' });
    const change = { before: at('02:30'), after: at('03:00') };
    const delivery = { pickupDetails: undefined, deliveryDetails: { address, ...change.after } };
    expect(moved(farmer, change, delivery)).toMatchObject([
      {
        userId: 'c',
        title: 'Your delivery on Sun, Mar 28, 2027 was moved from 2:30 AM to 3:00 AM',
        body: 'Green Valley delivers order #00000000 on Sun, Mar 28, 2027 at 3:00 AM (it was on Sun, Mar 28, 2027 at 2:30 AM). Reason: A wedding',
      },
    ]);
  });

  it.each([
    ['another day', { date: '2026-12-01' }, 'was moved from Sat, Nov 28 to Tue, Dec 1'],
    ['another year', { date: '2027-01-02' }, 'was moved from Sat, Nov 28 to Sat, Jan 2, 2027'],
    [
      'a later end',
      { endTime: '12:00' },
      'on Sat, Nov 28 was moved from 10:00–11:00 AM to 10:00 AM–12:00 PM',
    ],
    ['another place', { location: 'The mill' }, 'on Sat, Nov 28'],
  ])('to %s says so first, to either side', (_, to, words) => {
    for (const [by, start, end] of [
      [farmer, 'Your pickup', ' is at another place'],
      [consumer, 'Order #00000000', ' is picked up elsewhere'],
    ] as const) {
      const [notice] = moved(by, { before, after: { ...before, ...to } });
      const title = `${start} ${words}${'location' in to ? end : ''}`;
      expect(notice).toMatchObject({ title });
    }
  });

  it("with the farm's clock alone notifies nobody", () => {
    expect(moved(farmer, {})).toEqual([]);
  });
});

it('formats an amount in a mail as the screen does', () => {
  const data: Order = { ...order('pending', consumer), items: [] };
  const [effect] = said({
    seq: 1,
    id: ID,
    at: AT,
    requestId: null,
    rooms: [],
    name: 'order.created',
    data,
  } satisfies LoggedEvent);
  expect(effect).toMatchObject({
    body: 'Order #00000000: 0 items, ₨1,200.00, pickup on Mon, Nov 23 at 10:00 AM.',
  });
});

describe('an order that stays although its farm closed something', () => {
  const kept = (status: OrderStatus) =>
    said({
      seq: 1,
      id: ID,
      at: AT,
      requestId: null,
      rooms: [],
      name: 'order.updated',
      data: { ...order(status, farmer), change: { kind: 'kept' } },
    } satisfies LoggedEvent).filter((effect) => effect.do === 'notify');

  it('notifies its customer alone, and of nothing else that happened to it before', () => {
    expect(kept('accepted')).toMatchObject([
      {
        userId: 'c',
        kind: 'order.kept',
        key: `order.kept:${ID}:9`,
        title: 'Your order stays as agreed',
        body: 'Green Valley has changed its days, times or goods. Nothing changes for order #00000000: pickup on Mon, Nov 23 at 10:00 AM.',
        link: `/orders/${ID}`,
      },
    ]);
    expect(kept('pending')).toMatchObject([{ title: 'Your order stays as you placed it' }]);
  });
});
