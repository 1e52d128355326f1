import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { STOCK_BATCH_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { StockResult } from '#contract/catalogue/products/products';
import { room } from '#contract/platform/events/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  startTestMarket,
} from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, neighbour, consumer] = await Promise.all([
  market.join('farmer'),
  market.join('farmer'),
  market.join('consumer'),
]);
const category = await makeCategory(market.platform);

const { add, eventsSince, headNow } = productCalls(() => ({ market, farmer, category }));

const change = (changes: unknown, as: Caller = farmer) =>
  market.put('/products/stock', as, { changes });

/** Changes one product. @returns its result */
async function changeOne(product: string, fields: object): Promise<StockResult> {
  const { status, body } = await change([{ product, ...fields }]);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data[0];
}

const read = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`, farmer)).body.data;

const buy = (product: string, quantity: number) =>
  market.post('/orders', consumer, orderInput(farmer.id, [{ product, quantity }]));

test('sets stock, price and visibility, and nothing else', async () => {
  const before = await add({ quantityAvailable: 12 });
  const head = await headNow();
  const result = await changeOne(before._id, {
    quantityAvailable: 20,
    seen: 12,
    price: 4.35,
    isActive: false,
  });
  const after = { ...before, quantityAvailable: 20, price: 4.35, isActive: false, version: 2 };
  expect(result).toEqual({ _id: before._id, product: after });
  expect(await read(before._id)).toEqual(after);
  expect(await eventsSince(head)).toEqual([
    {
      name: 'product.updated',
      rooms: [room.farm(farmer.id), room.admins, room.everyone],
      data: after,
    },
  ]);
});

test('notifies everyone of a product that comes back to the market', async () => {
  const { _id } = await add({ isActive: false });
  const head = await headNow();
  await changeOne(_id, { isActive: true });
  expect((await eventsSince(head)).map(({ name }) => name)).toEqual([
    'product.updated',
    'product.created',
  ]);
});

test('does not overwrite what was sold since the stock was seen', async () => {
  const { _id } = await add({ quantityAvailable: 12 });
  expect((await buy(_id, 2)).status).toBe(201);
  const head = await headNow();
  expect(await changeOne(_id, { quantityAvailable: 20, seen: 12, price: 9 })).toMatchObject({
    code: 'STOCK_CHANGED',
    message: expect.stringMatching(/^The stock of .+ has just changed: 10 .*left now\.$/),
    current: { _id, quantityAvailable: 10, version: 2 },
  });
  expect(await read(_id)).toMatchObject({ quantityAvailable: 10, version: 2 });
  expect(await eventsSince(head)).toEqual([]);
  expect(await changeOne(_id, { quantityAvailable: 20, seen: 10 })).toMatchObject({
    product: { quantityAvailable: 20, version: 3 },
  });
});

test('is sold out whatever was seen, unless that is given', async () => {
  const { _id } = await add({ quantityAvailable: 12 });
  await buy(_id, 5);
  expect(await changeOne(_id, { quantityAvailable: 0, seen: 12 })).toMatchObject({
    code: 'STOCK_CHANGED',
  });
  expect(await changeOne(_id, { quantityAvailable: 0 })).toMatchObject({
    product: { quantityAvailable: 0, version: 3 },
  });
  expect((await buy(_id, 1)).body.code).toBe('OUT_OF_STOCK');
});

test('answers a repeat as done and changes nothing more', async () => {
  const { _id } = await add({ quantityAvailable: 12 });
  const fields = { quantityAvailable: 20, seen: 12, price: 2 };
  const first = await changeOne(_id, fields);
  const head = await headNow();
  expect(await changeOne(_id, fields)).toEqual(first);
  expect(await eventsSince(head)).toEqual([]);
});

test('decides each product for itself', async () => {
  const [kept, moved] = [await add({ quantityAvailable: 3 }), await add({ quantityAvailable: 3 })];
  const theirs = await add({}, neighbour);
  const hidden = await add({ isActive: false }, neighbour);
  const unknown = randomUUID();
  const { body } = await change([
    { product: theirs._id, price: 1 },
    { product: kept._id.toUpperCase(), quantityAvailable: 5, seen: 3 },
    { product: hidden._id, isActive: true },
    { product: moved._id, quantityAvailable: 5, seen: 4 },
    { product: unknown, price: 1 },
  ]);
  expect(body.data).toMatchObject([
    { _id: theirs._id, code: 'FORBIDDEN', message: 'This product belongs to another farm.' },
    { _id: kept._id, product: { quantityAvailable: 5 } },
    { _id: hidden._id, code: 'NOT_FOUND', message: 'Product not found' },
    { _id: moved._id, code: 'STOCK_CHANGED' },
    { _id: unknown, code: 'NOT_FOUND' },
  ]);
  expect((await read(theirs._id)).price).toBe(theirs.price);
});

describe('refuses', () => {
  const id = randomUUID();
  test.each([
    ['nothing', []],
    ['no change', [{ product: id }]],
    ['a stock without the one seen', [{ product: id, quantityAvailable: 5 }]],
    ['a negative stock', [{ product: id, quantityAvailable: -1, seen: 1 }]],
    ['a stock in tenths of a thousandth', [{ product: id, quantityAvailable: 1.0005, seen: 1 }]],
    ['a stock with a comma', [{ product: id, quantityAvailable: '1,5', seen: 1 }]],
    ['a stock as a text', [{ product: id, quantityAvailable: '1e3', seen: 1 }]],
    ['a seen stock that none can be', [{ product: id, quantityAvailable: 1, seen: 0.0001 }]],
    ['too large a stock', [{ product: id, quantityAvailable: 1e6 + 1, seen: 1 }]],
    ['a price of nothing', [{ product: id, price: 0 }]],
    ['a price in tenths of a cent', [{ product: id, price: 0.001 }]],
    ['what is no id', [{ product: 'kale', price: 1 }]],
    [
      'a product that is there twice, once in each case',
      [
        { product: id, price: 1 },
        { product: id.toUpperCase(), price: 2 },
      ],
    ],
    [
      'more than one call takes',
      Array.from({ length: STOCK_BATCH_MAX + 1 }, () => ({ product: randomUUID(), price: 1 })),
    ],
  ])('%s', async (_, changes) => {
    expect((await change(changes)).status).toBe(400);
  });

  test('consumers', async () => {
    expect((await change([{ product: id, price: 1 }], consumer)).status).toBe(403);
  });
});

describe('at the same moment', () => {
  test('sales and steps of the farmer all count', async () => {
    const { _id } = await add({ quantityAvailable: 100 });
    const stepUp = async () => {
      for (;;) {
        const { quantityAvailable: seen } = await read(_id);
        const result = await changeOne(_id, { quantityAvailable: seen + 1, seen });
        if ('product' in result) return;
      }
    };
    const stepSixTimes = async () => {
      for (let steps = 0; steps < 6; steps++) await stepUp();
    };
    await Promise.all([
      stepSixTimes(),
      ...Array.from({ length: 10 }, async () => expect((await buy(_id, 3)).status).toBe(201)),
    ]);
    expect((await read(_id)).quantityAvailable).toBe(100 + 6 - 30);
  });

  test('two devices that set the same stock have both done so', async () => {
    const { _id } = await add({ quantityAvailable: 12 });
    const set = () => changeOne(_id, { quantityAvailable: 20, seen: 12 });
    for (const result of await Promise.all([set(), set(), set()])) {
      expect(result).toMatchObject({ product: { quantityAvailable: 20, version: 2 } });
    }
  });

  test('changes of the same products, in any order, all succeed', async () => {
    const products = await Promise.all(Array.from({ length: 8 }, () => add()));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, round) => {
        const changes = products.map(({ _id }) => ({ product: _id, price: round + 1 }));
        return change(round % 2 ? changes : changes.reverse());
      }),
    );
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBe(200);
    const after = await Promise.all(products.map(({ _id }) => read(_id)));
    // The person who was last was last everywhere.
    expect(new Set(after.map(({ price }) => price)).size).toBe(1);
    expect(new Set(after.map(({ version }) => version))).toEqual(new Set([13]));
  });
});

test('changes as many products as one call takes', async () => {
  const products = await Promise.all(Array.from({ length: STOCK_BATCH_MAX }, () => add()));
  const { body } = await change(products.map(({ _id }) => ({ product: _id, isActive: false })));
  expect(body.data.filter((result: StockResult) => 'product' in result)).toHaveLength(
    STOCK_BATCH_MAX,
  );
});
