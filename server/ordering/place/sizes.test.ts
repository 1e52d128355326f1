import { afterAll, describe, expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { ALWAYS_MILLI } from '../../catalogue/products/sizes.ts';
import { changeWhileWaiting } from '../testing/change-while-waiting.ts';
import { createOrderFixture, sizeRows } from '../testing/fixture.ts';

// Orders of sizes and of what is always available, as they are written.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

const always = { isAlways: true, stockMilli: ALWAYS_MILLI };
const productsIn = (events: readonly { name: string; data: object }[]) =>
  events.flatMap(({ name, data }) => (name === 'product.updated' ? [data as Product] : []));

describe('an order of sizes', () => {
  test('takes what its lines contain, once for each product, and copies each size', async () => {
    const { product, sizes } = await fixture.createSized(20, undefined, {
      netMilli: 1000,
      netUnit: 'kg',
    });
    const head = await fixture.head();
    const order = await fixture.placeOrder([
      { product, size: sizes[2], quantity: 2, price: 5, priceBasis: { unit: 'kg', content: 5 } },
      { product, size: sizes[0], quantity: 3, price: 1 },
    ]);
    expect(order.totalAmount).toBe(13);
    expect(order.items).toMatchObject([
      {
        product: { _id: product, unit: 'kg' },
        size: { _id: sizes[2], label: '5 kg', content: 5 },
        net: { amount: 1, unit: 'kg' },
        quantity: 2,
        price: 5,
        total: 10,
      },
      { size: { _id: sizes[0], label: '1 kg', content: 1 }, quantity: 3, price: 1, total: 3 },
    ]);
    expect(await fixture.stockOf(product)).toBe(7);
    const events = await fixture.eventsAfter(head);
    expect(events.map(({ name }) => name)).toEqual(['order.created', 'product.updated']);
    expect(productsIn(events)).toMatchObject([{ quantityAvailable: 7, version: 2 }]);
    const read = await fixture.call('GET', `/orders/${order._id}`, { as: fixture.farmer });
    expect(read.body.data.items).toEqual(order.items);
  });

  test('can have all twenty sizes, and takes nothing where the last does not fit', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => (index + 1) / 10);
    const items = (sized: { product: string; sizes: string[] }) =>
      sized.sizes.map((size) => ({ product: sized.product, size, quantity: 1 }));
    const enough = await fixture.createSized(21, sizeRows(contents));
    const order = await fixture.placeOrder(items(enough));
    expect([order.items.length, order.totalAmount]).toEqual([20, 21]);
    expect(await fixture.stockOf(enough.product)).toBe(0);
    const short = await fixture.createSized(20.999, sizeRows(contents));
    const { status, body } = await fixture.order(items(short));
    expect([status, body.problems]).toEqual([409, [{ line: 19, code: 'OUT_OF_STOCK', left: 0 }]]);
    expect(await fixture.stockOf(short.product)).toBe(20.999);
  });

  test('of two products gives each its event, by ascending id', async () => {
    const both = [await fixture.createSized(10), await fixture.createSized(10)];
    const plain = await fixture.createProduct(10);
    const head = await fixture.head();
    await fixture.placeOrder([
      ...both.flatMap(({ product, sizes }) => [
        { product, size: sizes[1], quantity: 1 },
        { product, size: sizes[0], quantity: 1 },
      ]),
      { product: plain, quantity: 2 },
    ]);
    const events = productsIn(await fixture.eventsAfter(head));
    const left = new Map([
      ...both.map(({ product }) => [product, 7] as const),
      [plain, 8] as const,
    ]);
    expect(events.map(({ _id, quantityAvailable }) => [_id, quantityAvailable])).toEqual(
      [...left].sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });

  test.each([
    ['twice', ['a', 'a'], 400, 'INVALID'],
    ['without one of what has some', [undefined], 400, 'SIZE_REQUIRED'],
    ['that there is not', [crypto.randomUUID()], 409, 'SIZE_UNAVAILABLE'],
    ['that is no id', ['one'], 400, 'INVALID'],
  ])('%s is refused, and takes nothing', async (_, wanted, status, code) => {
    const { product, sizes } = await fixture.createSized(10);
    const items = wanted.map((size) => ({
      product,
      size: size === 'a' ? sizes[0] : size,
      quantity: 1,
    }));
    const answer = await fixture.order(items);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await fixture.stockOf(product)).toBe(10);
  });

  test.each([
    ['taken', 'stock_milli = 4999, version = version + 1', 409, 'OUT_OF_STOCK'],
    ['turned off', `sizes = jsonb_set(sizes, '{2,isActive}', 'false')`, 409, 'SIZE_UNAVAILABLE'],
    ['removed', `sizes = sizes - 2`, 409, 'SIZE_UNAVAILABLE'],
    ['made larger', `sizes = jsonb_set(sizes, '{2,contentMilli}', '5500')`, 409, 'PRICE_CHANGED'],
    ['made dearer', `sizes = jsonb_set(sizes, '{2,priceMinor}', '501')`, 409, 'PRICE_CHANGED'],
    ['given back', 'stock_milli = 5000, version = version + 1', 201, undefined],
  ])('that is %s while it is placed is decided anew', async (_, set, status, code) => {
    const { product, sizes } = await fixture.createSized(10);
    const answer = await changeWhileWaiting(fixture.platform.pool, {
      lock: 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE',
      id: product,
      act: () =>
        fixture.order([
          {
            product,
            size: sizes[2],
            quantity: 1,
            price: 5,
            priceBasis: { unit: 'kg', content: 5 },
          },
        ]),
      change: `UPDATE products SET ${set} WHERE id = $1`,
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('what is always available', () => {
  test('takes nothing, alone and beside what is counted', async () => {
    const milk = await fixture.createProduct(0, { ...always, name: 'Milk' });
    const sized = await fixture.createSized(0, undefined, always);
    const counted = await fixture.createSized(10);
    const head = await fixture.head();
    await fixture.placeOrder([{ product: milk, quantity: 900_000 }]);
    expect(productsIn(await fixture.eventsAfter(head))).toEqual([]);
    const order = await fixture.placeOrder([
      { product: milk, quantity: 2 },
      { product: sized.product, size: sized.sizes[2], quantity: 100 },
      { product: counted.product, size: counted.sizes[2], quantity: 1 },
    ]);
    const events = productsIn(await fixture.eventsAfter(head));
    expect(events.map(({ _id }) => _id)).toEqual([counted.product]);
    expect(await fixture.stockOf(milk)).toBe(1_000_000);
    expect(await fixture.stockOf(sized.product)).toBe(1_000_000);
    // Counted by now: what was never taken does not come back.
    await fixture.changeProduct(milk, { isAlways: false, stockMilli: 3000 });
    expect((await fixture.changeStatus(order._id, 'cancelled', fixture.consumer)).status).toBe(200);
    expect(await fixture.stockOf(milk)).toBe(3);
    expect(await fixture.stockOf(counted.product)).toBe(10);
  });

  test('has a most in one order, which counts every line of it', async () => {
    const { product, sizes } = await fixture.createSized(0, undefined, {
      ...always,
      maxOrderMilli: 9000,
    });
    const items = [
      { product, size: sizes[2], quantity: 1 },
      { product, size: sizes[0], quantity: 5 },
    ];
    const { status, body } = await fixture.order(items);
    expect([status, body.code, body.problems]).toEqual([
      409,
      'OVER_MAXIMUM',
      [{ line: 1, code: 'OVER_MAXIMUM', most: 4 }],
    ]);
    expect(body.message).toBe('An order can have at most 9 kg of Carrots.');
  });

  test('that is counted from now on is decided anew', async () => {
    const milk = await fixture.createProduct(0, always);
    const answer = await changeWhileWaiting(fixture.platform.pool, {
      lock: 'SELECT 1 FROM products WHERE id = $1 FOR UPDATE',
      id: milk,
      act: () => fixture.order([{ product: milk, quantity: 3 }]),
      change: 'UPDATE products SET is_always = false, stock_milli = 2000 WHERE id = $1',
    });
    expect(answer.body.problems).toEqual([{ line: 0, code: 'OUT_OF_STOCK', left: 2 }]);
  });
});

describe('a cancelled order of sizes gives back what it took', () => {
  test.each<[string, Parameters<typeof fixture.changeProduct>[1], number]>([
    ['of a product that has none any more', { sizes: [], stepMilli: null, minimumMilli: null }, 20],
    ['of sizes that are others now', { sizes: sizeRows([3]) }, 20],
    ['of a product that is counted in g now', { unit: 'g', stockMilli: 9000 }, 11_009],
    ['of what is always available now', always, 1_000_000],
  ])('%s', async (_, change, left) => {
    const { product, sizes } = await fixture.createSized(20);
    const order = await fixture.placeOrder([
      { product, size: sizes[2], quantity: 2 },
      { product, size: sizes[0], quantity: 1 },
    ]);
    await fixture.changeProduct(product, change);
    const { status } = await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
    expect(status).toBe(200);
    expect(await fixture.stockOf(product)).toBe(left);
  });

  test('of a product that is counted otherwise now not, and says so', async () => {
    const { product, sizes } = await fixture.createSized(20);
    const order = await fixture.placeOrder([{ product, size: sizes[2], quantity: 2 }]);
    await fixture.changeProduct(product, { unit: 'each' });
    const { body } = await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
    expect(await fixture.stockOf(product)).toBe(10);
    expect(body.data.timeline.at(-1)).toMatchObject({
      detail: {
        unreturned: [{ quantity: 2, size: { label: '5 kg' }, product: { unit: 'kg' } }],
      },
    });
  });

  test('of a product that was deleted to nowhere', async () => {
    const { product, sizes } = await fixture.createSized(20);
    const order = await fixture.placeOrder([{ product, size: sizes[2], quantity: 2 }]);
    await fixture.platform.db.product.delete({ where: { id: product } });
    const { status } = await fixture.changeStatus(order._id, 'cancelled', fixture.consumer);
    expect(status).toBe(200);
  });
});
