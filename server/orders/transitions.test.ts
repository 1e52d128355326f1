import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { room } from '#contract/events';
import {
  findTransition,
  isFinal,
  ORDER_STATUSES,
  type OrderStatus,
  type Party,
} from '#contract/orders';
import type { Caller } from '../testing/market.ts';
import { cancelPendingOrdersOf } from './service.ts';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

let stall: OrderFixture;
let strangers: Caller[];

beforeAll(async () => {
  stall = await createOrderFixture();
  strangers = await Promise.all([stall.join('consumer'), stall.join('farmer')]);
});

afterAll(() => stall.close());

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

async function orderIn(status: OrderStatus, product: string): Promise<string> {
  const { _id } = await stall.placed([{ product, quantity: 2 }]);
  for (const step of WAYS[status]) {
    expect((await stall.move(_id, step, stall.farmer)).status).toBe(200);
  }
  return _id;
}

describe.each(ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const)))(
  '%s → %s',
  (from, to) => {
    test.each(PARTIES)('by its %s', async (party) => {
      const product = await stall.stock(10);
      const id = await orderIn(from, product);
      const [shelf, head] = [await stall.left(product), await stall.head()];
      const { status, body } = await stall.move(id, to, stall[party], 'Because of rain');
      const heard = await stall.heardSince(head);
      const step = `${from} ${to}`;
      if (from === to) {
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ _id: id, status: from });
        expect(heard).toEqual([]);
      } else if (ALLOWED[step]?.includes(party)) {
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ status: to, version: WAYS[from].length + 2 });
        expect(body.data.timeline.at(-1)).toMatchObject({
          status: to,
          reason: 'Because of rain',
          by: { _id: stall[party].id, role: party },
        });
        const returns = RETURNS_STOCK.includes(step);
        expect(await stall.left(product)).toBe(returns ? shelf + 2 : shelf);
        expect(heard.map((event) => event.name)).toEqual(
          returns ? ['order.updated', 'product.updated'] : ['order.updated'],
        );
        expect(heard[0]).toEqual({
          name: 'order.updated',
          rooms: [room.user(stall.farmer.id), room.user(stall.consumer.id), room.admins],
          data: { ...body.data, change: { kind: 'status', from, to } },
        });
        const audited = await stall.platform.db.auditEntry.findMany({ where: { targetId: id } });
        expect(audited).toMatchObject(
          party === 'admin'
            ? [{ adminId: stall.admin.id, action: 'order.statusChanged', detail: { from, to } }]
            : [],
        );
      } else {
        expect(status).toBe(409);
        expect(body.code).toBe('TRANSITION_NOT_ALLOWED');
        expect(body.message).toContain(from);
        expect(body.message).toContain(to);
        expect(heard).toEqual([]);
        expect(await stall.left(product)).toBe(shelf);
      }
    });
  },
);

test.each(ORDER_STATUSES)('strangers cannot know of an order, nor make it %s', async (to) => {
  const { _id } = await stall.placed([{ product: await stall.stock(5), quantity: 1 }]);
  for (const as of strangers) {
    for (const answer of [
      await stall.move(_id, to, as),
      await stall.call('GET', `/orders/${_id}`, { as }),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'Order not found']);
    }
  }
  expect((await stall.move(_id, to, undefined)).status).toBe(401);
  expect((await stall.call('GET', `/orders/${_id}`)).status).toBe(401);
});

test('what is no status, reason or order is refused', async () => {
  const { _id } = await stall.placed([{ product: await stall.stock(5), quantity: 1 }]);
  expect((await stall.move(_id, 'eaten', stall.farmer)).status).toBe(400);
  expect((await stall.move(_id, 'accepted', stall.farmer, 'x'.repeat(501))).status).toBe(400);
  expect((await stall.move(randomUUID(), 'accepted', stall.farmer)).status).toBe(404);
  expect((await stall.move('7', 'accepted', stall.farmer)).status).toBe(404);
});

test('tells its farmer and admins alone of stock returned to an inactive product', async () => {
  const product = await stall.stock(5);
  const { _id } = await stall.placed([{ product, quantity: 1 }]);
  await stall.platform.db.product.update({ where: { id: product }, data: { isActive: false } });
  const head = await stall.head();
  await stall.move(_id, 'cancelled', stall.consumer);
  expect(await stall.heardSince(head)).toMatchObject([
    { name: 'order.updated' },
    {
      name: 'product.updated',
      rooms: [room.user(stall.farmer.id), room.admins],
      data: { quantityAvailable: 5 },
    },
  ]);
});

test('the same move twice at once is one move', async () => {
  const { _id } = await stall.placed([{ product: await stall.stock(5), quantity: 1 }]);
  const head = await stall.head();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => stall.move(_id, 'accepted', stall.farmer)),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(await stall.heardSince(head)).toHaveLength(1);
});

describe('an account that is deleted', () => {
  test.each(['consumer', 'farmer'] as const)(
    'as %s has its pending orders cancelled',
    async (party) => {
      const other = await stall.join(party);
      const sells = party === 'farmer' ? { farmerId: other.id } : {};
      const buyer = party === 'consumer' ? other : stall.consumer;
      const [one, two] = await Promise.all([stall.stock(9, sells), stall.stock(9, sells)]);
      const place = (quantity: number) =>
        stall.order(
          [
            { product: one, quantity },
            { product: two, quantity: 1 },
          ],
          { as: buyer, over: sells.farmerId ? { farmer: sells.farmerId } : {} },
        );
      const [first, second, kept] = [await place(2), await place(3), await place(1)];
      const seller = party === 'farmer' ? other : stall.farmer;
      await stall.move(kept.body.data._id, 'accepted', seller);
      const head = await stall.head();
      await stall.platform.db.$transaction((tx) =>
        cancelPendingOrdersOf(tx, other.id, stall.admin, party),
      );
      const heard = await stall.heardSince(head);
      expect(heard.map((event) => [event.name, event.data._id])).toEqual([
        ['order.updated', first.body.data._id],
        ['order.updated', second.body.data._id],
        ...[one, two].sort().map((id) => ['product.updated', id]),
      ]);
      expect(heard[0]?.data).toMatchObject({
        status: 'cancelled',
        version: 2,
        timeline: [{}, { by: { _id: stall.admin.id }, reason: 'The account was deleted.' }],
      });
      expect([await stall.left(one), await stall.left(two)]).toEqual([8, 8]);
      const { body } = await stall.call('GET', `/orders/${kept.body.data._id}`, {
        as: stall.admin,
      });
      expect(body.data.status).toBe('accepted');
    },
  );
});

test('the table lets nothing follow a final status, and nobody but its parties move an order', () => {
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
