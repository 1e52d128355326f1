import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import {
  findTransition,
  isCalledOff,
  isFinal,
  isOpenStatus,
  type Party,
} from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { room } from '#contract/platform/events/constants';
import {
  OPEN_STATUSES,
  ORDER_STATUSES,
  STANDING_STATUSES,
} from '#contract/platform/orders/constants';
import { cancelOrdersOf } from '../model/open-orders.ts';
import { createOrderFixture } from '../testing/fixture.ts';

const fixture = await createOrderFixture();
const strangers = await Promise.all([fixture.join('consumer'), fixture.join('farmer')]);

afterAll(() => fixture.close());

/** The way from a new order to each status. */
const WAYS: Record<OrderStatus, OrderStatus[]> = {
  pending: [],
  accepted: ['accepted'],
  rejected: ['rejected'],
  completed: ['accepted', 'completed'],
  cancelled: ['cancelled'],
};

/** What decisions allow, said again by hand: the constant of the contract is what is on trial. */
const ALLOWED: Record<string, Party[]> = {
  'pending accepted': ['farmer', 'admin'],
  'pending rejected': ['farmer', 'admin'],
  'pending cancelled': ['consumer', 'farmer', 'admin'],
  'accepted completed': ['farmer', 'admin'],
  'accepted cancelled': ['farmer', 'admin'],
};
const RETURNS_STOCK = ['pending rejected', 'pending cancelled', 'accepted cancelled'];
const PARTIES: Party[] = ['consumer', 'farmer', 'admin'];

test('what is open and what holds goods follows from what is allowed', () => {
  expect(OPEN_STATUSES).toEqual(['pending', 'accepted']);
  expect(STANDING_STATUSES).toEqual(['pending', 'accepted', 'completed']);
});

async function orderIn(status: OrderStatus, product: string): Promise<string> {
  const { _id } = await fixture.placeOrder([{ product, quantity: 2 }]);
  for (const step of WAYS[status]) {
    expect((await fixture.changeStatus(_id, step, fixture.farmer)).status).toBe(200);
  }
  return _id;
}

describe.each(ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const)))(
  '%s → %s',
  (from, to) => {
    test.each(PARTIES)('by its %s', async (party) => {
      const product = await fixture.createProduct(10);
      const id = await orderIn(from, product);
      const [stock, head] = [await fixture.stockOf(product), await fixture.head()];
      const { status, body } = await fixture.changeStatus(
        id,
        to,
        fixture[party],
        'Because of rain',
      );
      const recorded = await fixture.eventsAfter(head);
      const step = `${from} ${to}`;
      if (from === to) {
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ _id: id, status: from });
        expect(recorded).toEqual([]);
      } else if (ALLOWED[step]?.includes(party)) {
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ status: to, version: WAYS[from].length + 2 });
        expect(body.data.timeline.at(-1)).toMatchObject({
          status: to,
          reason: 'Because of rain',
          by: { _id: fixture[party].id, role: party },
        });
        const returns = RETURNS_STOCK.includes(step);
        expect(await fixture.stockOf(product)).toBe(returns ? stock + 2 : stock);
        expect(recorded.map((event) => event.name)).toEqual(
          returns ? ['order.updated', 'product.updated'] : ['order.updated'],
        );
        expect(recorded[0]).toEqual({
          name: 'order.updated',
          rooms: [room.farm(fixture.farmer.id), room.user(fixture.consumer.id), room.admins],
          data: { ...body.data, change: { kind: 'status', from, to } },
        });
        const audited = await fixture.platform.db.auditEntry.findMany({ where: { targetId: id } });
        expect(audited).toMatchObject(
          party === 'admin'
            ? [{ adminId: fixture.admin.id, action: 'order.statusChanged', detail: { from, to } }]
            : [],
        );
      } else {
        expect(status).toBe(409);
        expect(body.code).toBe('TRANSITION_NOT_ALLOWED');
        expect(body.message).toContain(from);
        expect(body.message).toContain(to);
        expect(recorded).toEqual([]);
        expect(await fixture.stockOf(product)).toBe(stock);
      }
    });
  },
);

test.each(ORDER_STATUSES)(
  'returns 404 to strangers, also when they set the status %s',
  async (to) => {
    const { _id } = await fixture.placeOrder([
      { product: await fixture.createProduct(5), quantity: 1 },
    ]);
    for (const as of strangers) {
      for (const answer of [
        await fixture.changeStatus(_id, to, as),
        await fixture.call('GET', `/orders/${_id}`, { as }),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([404, 'Order not found']);
      }
    }
    expect((await fixture.changeStatus(_id, to, undefined)).status).toBe(401);
    expect((await fixture.call('GET', `/orders/${_id}`)).status).toBe(401);
  },
);

test('rejects an invalid status, reason or order', async () => {
  const { _id } = await fixture.placeOrder([
    { product: await fixture.createProduct(5), quantity: 1 },
  ]);
  expect((await fixture.changeStatus(_id, 'eaten', fixture.farmer)).status).toBe(400);
  expect(
    (await fixture.changeStatus(_id, 'accepted', fixture.farmer, 'x'.repeat(501))).status,
  ).toBe(400);
  expect((await fixture.changeStatus(randomUUID(), 'accepted', fixture.farmer)).status).toBe(404);
  expect((await fixture.changeStatus('7', 'accepted', fixture.farmer)).status).toBe(404);
});

test('sends the stock of an inactive product only to its farmer and admins', async () => {
  const product = await fixture.createProduct(5);
  const { _id } = await fixture.placeOrder([{ product, quantity: 1 }]);
  await fixture.platform.db.product.update({ where: { id: product }, data: { isActive: false } });
  const head = await fixture.head();
  await fixture.changeStatus(_id, 'cancelled', fixture.consumer);
  expect(await fixture.eventsAfter(head)).toMatchObject([
    { name: 'order.updated' },
    {
      name: 'product.updated',
      rooms: [room.farm(fixture.farmer.id), room.admins],
      data: { quantityAvailable: 5 },
    },
  ]);
});

test('makes the same concurrent change once', async () => {
  const { _id } = await fixture.placeOrder([
    { product: await fixture.createProduct(5), quantity: 1 },
  ]);
  const head = await fixture.head();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => fixture.changeStatus(_id, 'accepted', fixture.farmer)),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(await fixture.eventsAfter(head)).toHaveLength(1);
});

describe('an account that is deleted', () => {
  test.each(['consumer', 'farmer'] as const)(
    'as %s has its pending orders cancelled',
    async (party) => {
      const other = await fixture.join(party);
      const sells = party === 'farmer' ? { farmerId: other.id } : {};
      const buyer = party === 'consumer' ? other : fixture.consumer;
      const [one, two] = await Promise.all([
        fixture.createProduct(9, sells),
        fixture.createProduct(9, sells),
      ]);
      const place = (quantity: number) =>
        fixture.order(
          [
            { product: one, quantity },
            { product: two, quantity: 1 },
          ],
          { as: buyer, over: sells.farmerId ? { farmer: sells.farmerId } : {} },
        );
      const [first, second, kept] = [await place(2), await place(3), await place(1)];
      const seller = party === 'farmer' ? other : fixture.farmer;
      await fixture.changeStatus(kept.body.data._id, 'accepted', seller);
      const head = await fixture.head();
      await fixture.platform.db.$transaction((tx) =>
        cancelOrdersOf(tx, other.id, fixture.admin, party),
      );
      const recorded = await fixture.eventsAfter(head);
      const isFarm = party === 'farmer';
      expect(recorded.map((event) => [event.name, event.data._id])).toEqual([
        ['order.updated', first.body.data._id],
        ['order.updated', second.body.data._id],
        // Without its farm nobody hands over what is accepted.
        ...(isFarm ? [['order.updated', kept.body.data._id]] : []),
        ...[one, two].sort().map((id) => ['product.updated', id]),
      ]);
      expect(recorded[0]?.data).toMatchObject({
        status: 'cancelled',
        version: 2,
        timeline: [
          {},
          {
            by: { _id: fixture.admin.id },
            cause: isFarm ? 'farm_left' : 'account_deleted',
          },
        ],
      });
      const left = isFarm ? [9, 9] : [8, 8];
      expect([await fixture.stockOf(one), await fixture.stockOf(two)]).toEqual(left);
      const { body } = await fixture.call('GET', `/orders/${kept.body.data._id}`, {
        as: fixture.admin,
      });
      expect(body.data.status).toBe(isFarm ? 'cancelled' : 'accepted');
    },
  );
});

test('allows no change after a final status and none by strangers', () => {
  const status = fc.constantFrom(...ORDER_STATUSES);
  fc.assert(
    fc.property(status, status, fc.constantFrom(...PARTIES), (from, to, party) => {
      const transition = findTransition(from, to, party);
      expect(transition !== undefined).toBe(ALLOWED[`${from} ${to}`]?.includes(party) ?? false);
      if (transition) {
        expect(isFinal(from)).toBe(false);
        expect(transition.returnsStock).toBe(RETURNS_STOCK.includes(`${from} ${to}`));
      }
    }),
  );
  // Whatever is tried in whatever order, the stock is returned at most once.
  fc.assert(
    fc.property(fc.array(fc.tuple(status, fc.constantFrom(...PARTIES))), (tries) => {
      let at: OrderStatus = 'pending';
      let returned = 0;
      for (const [to, party] of tries) {
        const transition = findTransition(at, to, party);
        if (!transition) continue;
        at = transition.to;
        if (transition.returnsStock) returned++;
      }
      expect(returned).toBe(at === 'rejected' || at === 'cancelled' ? 1 : 0);
    }),
  );
});

test('the lists that every wing has of statuses are those of the table of transitions', () => {
  expect(OPEN_STATUSES).toEqual(ORDER_STATUSES.filter(isOpenStatus));
  expect(STANDING_STATUSES).toEqual(ORDER_STATUSES.filter((status) => !isCalledOff(status)));
});
