// @long It tries crowds, or very many cases.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { Answer, Caller } from '../../testing/market.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

// Crowds on a busy machine take their time.
let fixture: OrderFixture;
let consumers: Caller[];

beforeAll(async () => {
  fixture = await createOrderFixture();
  const names = Array.from({ length: 200 }, (_, index) => index);
  const { db, sessions } = fixture.platform;
  // Straight into the table: a password's hash takes its time on purpose.
  const rows = await db.user.createManyAndReturn({
    data: names.map((index) => ({
      name: `Customer ${index}`,
      email: `buyer${index}@farmgate.test`,
      passwordHash: '-',
      role: 'consumer' as const,
    })),
  });
  consumers = await Promise.all(
    rows.map(async ({ id, name, email, role, tokenVersion }) => ({
      id,
      name,
      email,
      role,
      token: await sessions.issue({ userId: id, tokenVersion }),
    })),
  );
});

afterAll(() => fixture.close());

const count = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

test('sells 10 units to 10 of 200 concurrent customers and rejects the others as out of stock', async () => {
  const product = await fixture.createProduct(10);
  const head = await fixture.head();
  const answers = await Promise.all(
    consumers.map((as) => fixture.order([{ product, quantity: 1 }], { as })),
  );
  expect([count(answers, 201), count(answers, 409)]).toEqual([10, 190]);
  for (const { status, body } of answers) {
    if (status === 409)
      expect(body).toMatchObject({ code: 'OUT_OF_STOCK', message: 'Carrots is sold out.' });
  }
  expect(await fixture.stockOf(product)).toBe(0);
  const recorded = await fixture.eventsAfter(head);
  const levels = recorded
    .filter((event) => event.name === 'product.updated')
    .map((event) => event.data);
  expect(levels).toMatchObject(
    Array.from({ length: 10 }, (_, index) => ({
      quantityAvailable: 9 - index,
      version: index + 2,
    })),
  );
});

test('places carts with the same products in opposite orders without a deadlock', async () => {
  const products = await Promise.all(Array.from({ length: 8 }, () => fixture.createProduct(100)));
  const answers = await Promise.all(
    consumers.map((as, index) => {
      const items = products.map((product) => ({ product, quantity: 1 }));
      return fixture.order(index % 2 ? items : items.reverse(), { as });
    }),
  );
  expect([count(answers, 201), count(answers, 409)]).toEqual([100, 100]);
  expect(await Promise.all(products.map(fixture.stockOf))).toEqual(Array(8).fill(0));
});

test('creates one order for 50 equal requests with one key and gives them equal answers', async () => {
  const product = await fixture.createProduct(1);
  const head = await fixture.head();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      fixture.order([{ product, quantity: 1 }], { headers: { 'idempotency-key': 'once' } }),
    ),
  );
  expect(count(answers, 201)).toBe(50);
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  const recorded = await fixture.eventsAfter(head);
  expect(recorded.map((event) => event.name)).toEqual(['order.created', 'product.updated']);
  expect(await fixture.stockOf(product)).toBe(0);
});

test('accepts one of two concurrent status changes and rejects the other with the present status', async () => {
  const product = await fixture.createProduct(200);
  const wins: OrderStatus[] = [];
  for (let round = 0; round < 10; round++) {
    const orders = await Promise.all(
      consumers.slice(0, 20).map((as) => fixture.placeOrder([{ product, quantity: 1 }], as)),
    );
    await Promise.all(
      orders.map(async ({ _id }, index) => {
        const consumer = consumers[index];
        const both = [
          () => fixture.changeStatus(_id, 'accepted', fixture.farmer),
          () => fixture.changeStatus(_id, 'cancelled', consumer),
        ];
        const answers = await Promise.all((index % 2 ? both : both.reverse()).map((act) => act()));
        const winner = answers.find((answer) => answer.status === 200);
        const loser = answers.find((answer) => answer.status !== 200);
        expect(loser?.status).toBe(409);
        const won: OrderStatus = winner?.body.data.status;
        wins.push(won);
        expect(loser?.body).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
        expect(loser?.body.message).toContain(`is ${won}`);
        const { body } = await fixture.call('GET', `/orders/${_id}`, { as: fixture.admin });
        expect(body.data).toEqual(winner?.body.data);
        expect(body.data).toMatchObject({ version: 2, timeline: [{}, { status: won }] });
      }),
    );
  }
  const accepted = wins.filter((status) => status === 'accepted').length;
  expect(wins).toHaveLength(200);
  expect(await fixture.stockOf(product)).toBe(200 - accepted);
});

test('keeps the stock consistent under concurrent orders, cancellations, edits and deletions', async () => {
  const products = await Promise.all(Array.from({ length: 6 }, () => fixture.createProduct(50)));
  const [deletedId] = products;
  const answers = await Promise.all(
    consumers.slice(0, 60).map(async (as, index) => {
      if (index === 30) {
        return fixture.call('DELETE', `/products/${deletedId}`, { as: fixture.farmer });
      }
      if (index % 10 === 5) {
        return fixture.call('PUT', `/products/${products[1 + (index % 5)]}`, {
          as: fixture.farmer,
          body: { price: 2.5 },
        });
      }
      const placed = await fixture.order(
        products.map((product) => ({ product, quantity: 1 })),
        { as },
      );
      return placed.status === 201 && index % 2
        ? fixture.changeStatus(placed.body.data._id, 'cancelled', as)
        : placed;
    }),
  );
  for (const { status, body } of answers) {
    expect([200, 201, 409], JSON.stringify(body)).toContain(status);
  }
  const kept = await fixture.platform.db.orderLine.groupBy({
    by: ['productId'],
    where: { productId: { in: products }, order: { status: 'pending' } },
    _sum: { quantityMilli: true },
  });
  for (const product of products.slice(1)) {
    const taken = kept.find((row) => row.productId === product)?._sum.quantityMilli ?? 0;
    expect(await fixture.stockOf(product)).toBe(50 - fromMilli(taken));
  }
});
