import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { OrderStatus } from '#contract/orders';
import type { Answer, Caller } from '../testing/market.ts';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

// Crowds on a busy machine take their time.
vi.setConfig({ testTimeout: 120_000 });

let stall: OrderFixture;
let buyers: Caller[];

beforeAll(async () => {
  stall = await createOrderFixture();
  const names = Array.from({ length: 200 }, (_, index) => index);
  const { db, sessions } = stall.platform;
  // Straight into the table: a password's hash takes its time on purpose.
  const rows = await db.user.createManyAndReturn({
    data: names.map((index) => ({
      name: `Buyer ${index}`,
      email: `buyer${index}@farmgate.test`,
      passwordHash: '-',
      role: 'consumer' as const,
    })),
  });
  buyers = await Promise.all(
    rows.map(async ({ id, name, email, role, tokenVersion }) => ({
      id,
      name,
      email,
      role,
      token: await sessions.issue(id, tokenVersion, false),
    })),
  );
});

afterAll(() => stall.close());

const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('200 buyers for 10 units: 10 get one, 190 are told it is sold out, none is left', async () => {
  const product = await stall.stock(10);
  const head = await stall.head();
  const answers = await Promise.all(
    buyers.map((as) => stall.order([{ product, quantity: 1 }], { as })),
  );
  expect([count(answers, 201), count(answers, 409)]).toEqual([10, 190]);
  for (const { status, body } of answers) {
    if (status === 409)
      expect(body).toMatchObject({ code: 'OUT_OF_STOCK', message: 'Carrots is sold out.' });
  }
  expect(await stall.left(product)).toBe(0);
  const heard = await stall.heardSince(head);
  const levels = heard
    .filter((event) => event.name === 'product.updated')
    .map((event) => event.data);
  expect(levels).toMatchObject(
    Array.from({ length: 10 }, (_, index) => ({
      quantityAvailable: 9 - index,
      version: index + 2,
    })),
  );
});

test('carts over the same products in opposite orders never get in a knot', async () => {
  const products = await Promise.all(Array.from({ length: 8 }, () => stall.stock(100)));
  const answers = await Promise.all(
    buyers.map((as, index) => {
      const items = products.map((product) => ({ product, quantity: 1 }));
      return stall.order(index % 2 ? items : items.reverse(), { as });
    }),
  );
  expect([count(answers, 201), count(answers, 409)]).toEqual([100, 100]);
  expect(await Promise.all(products.map(stall.left))).toEqual(Array(8).fill(0));
});

test('50 equal posts with one key make one order and 50 equal answers', async () => {
  const product = await stall.stock(1);
  const head = await stall.head();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      stall.order([{ product, quantity: 1 }], { headers: { 'idempotency-key': 'once' } }),
    ),
  );
  expect(count(answers, 201)).toBe(50);
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  const heard = await stall.heardSince(head);
  expect(heard.map((event) => event.name)).toEqual(['order.created', 'product.updated']);
  expect(await stall.left(product)).toBe(0);
});

test('of accepting and cancelling at once one wins, and the other hears how it stands', async () => {
  const product = await stall.stock(200);
  const wins: OrderStatus[] = [];
  for (let round = 0; round < 10; round++) {
    const orders = await Promise.all(
      buyers.slice(0, 20).map((as) => stall.placed([{ product, quantity: 1 }], as)),
    );
    await Promise.all(
      orders.map(async ({ _id }, index) => {
        const buyer = buyers[index];
        const both = [
          () => stall.move(_id, 'accepted', stall.farmer),
          () => stall.move(_id, 'cancelled', buyer),
        ];
        const answers = await Promise.all((index % 2 ? both : both.reverse()).map((act) => act()));
        const winner = answers.find((answer) => answer.status === 200);
        const loser = answers.find((answer) => answer.status !== 200);
        expect(loser?.status).toBe(409);
        const won: OrderStatus = winner?.body.data.status;
        wins.push(won);
        expect(loser?.body).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
        expect(loser?.body.message).toContain(`is ${won}`);
        const { body } = await stall.call('GET', `/orders/${_id}`, { as: stall.admin });
        expect(body.data).toEqual(winner?.body.data);
        expect(body.data).toMatchObject({ version: 2, timeline: [{}, { status: won }] });
      }),
    );
  }
  const accepted = wins.filter((status) => status === 'accepted').length;
  expect(wins).toHaveLength(200);
  expect(await stall.left(product)).toBe(200 - accepted);
});

test('orders, returns, edits and deletions of the same shelf end with the sum right', async () => {
  const products = await Promise.all(Array.from({ length: 6 }, () => stall.stock(50)));
  const [doomed] = products;
  const answers = await Promise.all(
    buyers.slice(0, 60).map(async (as, index) => {
      if (index === 30) {
        return stall.call('DELETE', `/products/${doomed}`, { as: stall.farmer });
      }
      if (index % 10 === 5) {
        return stall.call('PUT', `/products/${products[1 + (index % 5)]}`, {
          as: stall.farmer,
          body: { price: 2.5 },
        });
      }
      const placed = await stall.order(
        products.map((product) => ({ product, quantity: 1 })),
        { as },
      );
      return placed.status === 201 && index % 2
        ? stall.move(placed.body.data._id, 'cancelled', as)
        : placed;
    }),
  );
  for (const { status, body } of answers) {
    expect([200, 201, 409], JSON.stringify(body)).toContain(status);
  }
  const kept = await stall.platform.db.orderLine.groupBy({
    by: ['productId'],
    where: { productId: { in: products }, order: { status: 'pending' } },
    _sum: { quantity: true },
  });
  for (const product of products.slice(1)) {
    const taken = kept.find((row) => row.productId === product)?._sum.quantity ?? 0;
    expect(await stall.left(product)).toBe(50 - taken);
  }
});
