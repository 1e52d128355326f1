import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { lineCostMinor, toMilli } from '#contract/platform/quantities/constants/quantities';
import type { Caller } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// Crowds on a busy machine take their time.
// Orders of products that are sold in steps.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

const carrots = (stock: number, over: object = {}) =>
  fixture.createProduct(stock, { unit: 'kg', stepMilli: 250, minimumMilli: 500, ...over });

test('an order of parts costs and takes exactly these, and is shown so everywhere', async () => {
  const product = await carrots(10, { priceMinor: 399 });
  const head = await fixture.head();
  const order = await fixture.placeOrder([{ product, quantity: 1.25, price: 3.99 }]);
  // 4.9875, half up.
  expect(order).toMatchObject({ totalAmount: 4.99, items: [{ quantity: 1.25, price: 3.99 }] });
  expect(await fixture.eventsAfter(head)).toMatchObject([
    { name: 'order.created', data: { items: [{ quantity: 1.25 }] } },
    { name: 'product.updated', data: { quantityAvailable: 8.75, step: 0.25, minimum: 0.5 } },
  ]);
  const { body } = await fixture.call('GET', '/orders/farmer', { as: fixture.farmer });
  expect(body.data).toContainEqual(order);
  const cancelled = await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
  expect(cancelled.body.data).toMatchObject({ totalAmount: 4.99, items: [{ quantity: 1.25 }] });
  expect(await fixture.stockOf(product)).toBe(10);
});

describe('refuses', () => {
  test.each([
    [0.3, 'You can order Carrots in steps of 0.25 kg, from 0.5 kg.'],
    [0.25, 'You can order Carrots in steps of 0.25 kg, from 0.5 kg.'],
    [1.001, 'You can order Carrots in steps of 0.25 kg, from 0.5 kg.'],
  ])('%d kg, and says which quantities can be had', async (quantity, message) => {
    const product = await carrots(10);
    const { status, body } = await fixture.order([{ product, quantity }]);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'QUANTITY_NOT_OFFERED',
      message,
      errors: [{ path: 'items.0.quantity', message }],
      problems: [{ line: 0, code: 'QUANTITY_NOT_OFFERED', step: 0.25, minimum: 0.5 }],
    });
    expect(await fixture.stockOf(product)).toBe(10);
  });

  test('a part of what is sold in whole units', async () => {
    const product = await fixture.createProduct(10, { unit: 'bunch' });
    const { body } = await fixture.order([{ product, quantity: 1.5 }]);
    expect(body.message).toBe('You can order Carrots in steps of 1 bunch.');
  });

  test.each([0.0001, 0.1 + 0.2, 1.0005, 1e21, '1,5', '1e3', null, -0.5, -0])(
    'the quantity %s, which is none',
    async (quantity) => {
      const product = await carrots(10);
      const { status, body } = await fixture.order([{ product, quantity: quantity as number }]);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ path: 'items.0.quantity' }]);
    },
  );

  test('more than the largest quantity that can be ordered, and names that one', async () => {
    const product = await carrots(1, { stepMilli: 300, minimumMilli: null });
    const { status, body } = await fixture.order([{ product, quantity: 1.2 }]);
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'OUT_OF_STOCK',
      message: 'Only 0.9 kg of Carrots left.',
      problems: [{ code: 'OUT_OF_STOCK', left: 0.9 }],
    });
    await fixture.placeOrder([{ product, quantity: 0.9 }]);
    expect(await fixture.stockOf(product)).toBe(0.1);
    const rest = await fixture.order([{ product, quantity: 0.3 }]);
    expect(rest.body.message).toBe('Carrots is sold out.');
  });
});

test('steps that change while an order is placed are never missed', async () => {
  const product = await carrots(100, { minimumMilli: null });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index === 15
        ? fixture.call('PUT', `/products/${product}`, {
            as: fixture.farmer,
            body: { step: null, quantityAvailable: 1000 },
          })
        : fixture.order([{ product, quantity: 0.25 }]),
    ),
  );
  const row = await fixture.platform.db.product.findUniqueOrThrow({ where: { id: product } });
  expect(row.stepMilli).toBeNull();
  const changed: Product = answers[15]?.body.data;
  // Nothing was sold in quarters after the change.
  expect(Number(row.stockMilli)).toBe(toMilli(changed.quantityAvailable));
  for (const { status, body } of answers) {
    expect([200, 201, 400], JSON.stringify(body)).toContain(status);
  }
});

test('a crowd takes no more than there is, and what it cancels comes back exactly', async () => {
  const stock = 20;
  const product = await carrots(stock, { stepMilli: 100, minimumMilli: 200, priceMinor: 333 });
  const head = await fixture.head();
  const quantities = fc.sample(fc.integer({ min: 2, max: 15 }), { numRuns: 60, seed: 7 });
  const orders: Order[] = [];
  await Promise.all(
    quantities.map(async (tenths, index) => {
      const { status, body } = await fixture.order([{ product, quantity: tenths / 10 }]);
      if (status !== 201) {
        expect(body.code).toBe('OUT_OF_STOCK');
        return;
      }
      const order: Order = body.data;
      expect(order.totalAmount * 100).toBeCloseTo(lineCostMinor(333, tenths * 100), 6);
      if (index % 3) orders.push(order);
      else await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
    }),
  );
  const takenMilli = orders.reduce((sum, { items }) => sum + toMilli(items[0]?.quantity ?? 0), 0);
  expect(toMilli(await fixture.stockOf(product))).toBe(toMilli(stock) - takenMilli);
  const levels = (await fixture.eventsAfter(head)).flatMap(({ name, data }) =>
    name === 'product.updated' ? [(data as Product).quantityAvailable] : [],
  );
  for (const level of levels) {
    expect(level).toBeGreaterThanOrEqual(0);
    expect(toMilli(level) % 100).toBe(0);
  }
});

describe('ordering again', () => {
  const again = async (order: Order, as: Caller = fixture.consumer) =>
    (await fixture.call('POST', `/orders/${order._id}/again`, { as })).body.data.items;

  test('has the same parts, in the form the cart needs', async () => {
    const product = await carrots(10);
    const order = await fixture.placeOrder([{ product, quantity: 1.25 }]);
    expect(await again(order)).toMatchObject([
      {
        product: { _id: product, quantityAvailable: 8.75, step: 0.25, minimum: 0.5 },
        quantity: 1.25,
        orderedQuantity: 1.25,
        outcome: 'added',
      },
    ]);
  });

  test('rounds down to the steps in which it is sold now', async () => {
    const product = await carrots(10);
    const order = await fixture.placeOrder([{ product, quantity: 1.25 }]);
    const { db } = fixture.platform;
    await db.product.update({ where: { id: product }, data: { stepMilli: 500 } });
    expect(await again(order)).toMatchObject([{ quantity: 1, outcome: 'quantity_changed' }]);
    await db.product.update({
      where: { id: product },
      data: { stepMilli: null, minimumMilli: 2000 },
    });
    expect(await again(order)).toMatchObject([
      { product: { minimum: 2 }, quantity: 2, outcome: 'quantity_changed' },
    ]);
  });
});
