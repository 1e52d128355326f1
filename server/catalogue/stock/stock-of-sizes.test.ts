import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { StockResult } from '#contract/catalogue/products/products';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';

// Stock, prices and returns of what is sold in sizes, and of what is always available.

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, consumer] = await Promise.all([market.join('farmer'), market.join('consumer')]);
const category = await makeCategory(market.platform);
const { add, change, eventsSince, headNow } = productCalls(() => ({ market, farmer, category }));

const bags = (over: object = {}) =>
  add({
    ...{ name: 'Potatoes', unit: 'kg', quantityAvailable: 20, price: undefined },
    sizes: [
      { label: '1 kg', content: 1, price: 3 },
      { label: '5 kg', content: 5, price: 12 },
      { label: '250 g', content: 0.25, price: 1, isActive: false },
    ],
    ...over,
  });
const always = (over: object = {}) =>
  add({ name: 'Bread', availability: 'always', quantityAvailable: undefined, ...over });
const set = async (...changes: object[]): Promise<StockResult[]> => {
  const { status, body } = await market.put('/products/stock', farmer, { changes });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
};
const read = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`, farmer)).body.data;
const sizeIds = ({ sizes = [] }: Product) => sizes.map(({ _id }) => _id);

describe('the price of a size', () => {
  test('is set among other changes of its product, in one version and one event', async () => {
    const product = await bags();
    const [one, five, off] = sizeIds(product);
    const head = await headNow();
    const id = product._id;
    const results = await set(
      { product: id, size: one, price: 4 },
      { product: id, size: five, price: 3.5 },
      { product: id, size: off, price: 0.5 },
      { product: id, quantityAvailable: 7.125, seen: 20, isActive: false },
    );
    const after = await read(id);
    expect(after).toMatchObject({
      ...{ price: 3.5, quantityAvailable: 7.125, isActive: false, version: 2 },
      sizes: [{ price: 4 }, { price: 3.5 }, { price: 0.5 }],
    });
    expect(results).toEqual(Array(4).fill({ _id: id, product: after }));
    expect(await eventsSince(head)).toMatchObject([{ name: 'product.updated', data: after }]);
    const again = await set(
      { product: id, size: one, price: 4 },
      { product: id, quantityAvailable: 7.125, seen: 20 },
    );
    expect(again).toEqual(Array(2).fill({ _id: id, product: after }));
  });

  test('is refused for itself: the others hold', async () => {
    const product = await bags();
    const [one] = sizeIds(product);
    const id = product._id;
    const whole = await add({ price: 2 });
    const results = await set(
      { product: id, size: randomUUID(), price: 4 },
      { product: id, quantityAvailable: 5, seen: 4 },
      { product: id, size: one, price: 2.5 },
      { product: whole._id, size: one, price: 2.5 },
    );
    const after = await read(id);
    expect(after).toMatchObject({ price: 2.5, quantityAvailable: 20, version: 2 });
    expect(results).toMatchObject([
      { code: 'INVALID', message: 'Potatoes: This size was removed meanwhile.' },
      { code: 'STOCK_CHANGED', current: after },
      { product: after },
      { code: 'INVALID', message: 'Carrots: This size was removed meanwhile.' },
    ]);
  });

  test('is none of its product alone, but may be repeated', async () => {
    const { _id } = await bags();
    expect(await set({ product: _id, price: 2 })).toMatchObject([
      {
        code: 'INVALID',
        message: 'Potatoes: The price is the lowest of its sizes. Edit the sizes instead.',
      },
    ]);
    expect(await set({ product: _id, price: 3, isActive: false })).toMatchObject([
      { product: { price: 3, isActive: false } },
    ]);
  });

  test.each([
    [
      'each product and size once',
      (id: string, size: string) => [
        { product: id, size, price: 1 },
        { product: id.toUpperCase(), size: size.toUpperCase(), price: 2 },
      ],
    ],
    [
      'a product once',
      (id: string) => [
        { product: id, price: 1 },
        { product: id, isActive: true },
      ],
    ],
    [
      'no stock of a size',
      (id: string, size: string) => [{ product: id, size, price: 1, quantityAvailable: 0 }],
    ],
    ['a size without a price', (id: string, size: string) => [{ product: id, size }]],
    ['a price of a size', (id: string, size: string) => [{ product: id, size, price: 0 }]],
  ])('takes only %s', async (_, changes) => {
    const body = { changes: changes(randomUUID(), randomUUID()) };
    expect((await market.put('/products/stock', farmer, body)).status).toBe(400);
  });

  test('of two devices at once, each of its own size, both hold', async () => {
    const product = await bags();
    const [one, five] = sizeIds(product);
    await Promise.all([
      set({ product: product._id, size: one, price: 7 }),
      set({ product: product._id, size: five, price: 8 }),
    ]);
    expect(await read(product._id)).toMatchObject({
      ...{ price: 7, version: 3 },
      sizes: [{ price: 7 }, { price: 8 }, { price: 1 }],
    });
  });
});

test('what is sold in sizes is sold out until the morning, and returns as it was', async () => {
  const { _id } = await bags();
  const [result] = await set({ product: _id, quantityAvailable: 0, seen: 20, untilMorning: true });
  expect(result).toMatchObject({ product: { quantityAvailable: 0, returnsAt: expect.anything() } });
  const [sizes] = [(await read(_id)).sizes];
  const { body } = await change(_id, { sizes: sizes?.slice(0, 2) });
  expect(body.data).toMatchObject({ returnsAt: expect.anything(), sizes: [{}, {}] });
});

describe('what is always available', () => {
  test('takes prices and visibility, and no stock', async () => {
    const { _id } = await always();
    const [refused] = await set({ product: _id, quantityAvailable: 5, seen: 1_000_000, price: 9 });
    expect(refused).toEqual({
      _id,
      code: 'ALWAYS_AVAILABLE',
      message: 'Bread is always available. To give it a stock, edit the product.',
    });
    for (const gone of [
      { quantityAvailable: 0 },
      { quantityAvailable: 0, seen: 1_000_000, untilMorning: true },
    ]) {
      expect(await set({ product: _id, ...gone })).toMatchObject([{ code: 'ALWAYS_AVAILABLE' }]);
    }
    expect(await set({ product: _id, price: 4, isActive: false })).toMatchObject([
      { product: { price: 4, isActive: false, availability: 'always' } },
    ]);
    const repeat = { product: _id, quantityAvailable: 1_000_000, seen: 1_000_000 };
    expect(await set(repeat)).toMatchObject([{ product: { availability: 'always' } }]);
  });
});

describe('customers who wait', () => {
  const restockedAt = async (id: string) =>
    (await market.platform.db.product.findUniqueOrThrow({ where: { id } })).restockAt;
  const waits = (id: string, isSet = true) =>
    market.put(`/products/${id}/alert`, consumer, { isSet });

  test('have it back once a smaller size can be ordered', async () => {
    const product = await bags({ quantityAvailable: 0.5 });
    expect((await waits(product._id)).status).toBe(200);
    const [one, five, small] = product.sizes ?? [];
    await change(product._id, { sizes: [one, five] });
    expect(await restockedAt(product._id)).toBeNull();
    await change(product._id, {
      sizes: [one, five, { ...small, _id: undefined, isActive: true }],
    });
    expect(await restockedAt(product._id)).not.toBeNull();
    expect((await waits(product._id, false)).status).toBe(200);
    expect((await waits(product._id)).body.code).toBe('IN_STOCK');
  });

  test('have it back when it becomes always available, and wait for nothing that is', async () => {
    const { _id } = await add({ quantityAvailable: 0 });
    await waits(_id);
    expect((await change(_id, { availability: 'always' })).status).toBe(200);
    expect(await restockedAt(_id)).not.toBeNull();
    const bread = await always();
    expect((await waits(bread._id)).body.code).toBe('IN_STOCK');
  });
});

test('the emptiest first are those of which fewer than ten of the smallest order are left', async () => {
  const farm = await market.join('farmer');
  const size = (content: number, minimum?: number) => ({
    label: `${content}`,
    content,
    price: 3,
    minimum,
  });
  const sized = (name: string, quantityAvailable: number, ...sizes: object[]) =>
    add({ name, unit: 'kg', quantityAvailable, price: undefined, sizes }, farm);
  await add({ name: 'Bread', availability: 'always' }, farm);
  await sized('Enough', 5, size(5), size(0.5));
  await sized('Fifth left', 10, size(5), { ...size(0.5), isActive: false });
  await sized('Tenth left', 4.9, size(1, 5));
  await add({ name: 'Third left', quantityAvailable: 3 }, farm);
  const { body } = await market.get('/orders/stats/farmer', farm);
  expect(body.data.lowStock.map(({ name }: Product) => name)).toEqual([
    'Tenth left',
    'Fifth left',
    'Third left',
  ]);
});
