import { describe, expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';

// Products that are sold in steps, by quantities with up to three decimals.

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, consumer] = await Promise.all([market.join('farmer'), market.join('consumer')]);
const category = await makeCategory(market.platform);

const { add, change, eventsSince, headNow } = productCalls(() => ({ market, farmer, category }));
const carrots = (over: object = {}) =>
  add({ unit: 'kg', quantityAvailable: 12.5, step: 0.25, minimum: 0.5, ...over });
const read = async (id: string): Promise<Product> =>
  (await market.get(`/products/${id}`)).body.data;
const setStock = async (product: string, fields: object) => {
  const body = { changes: [{ product, ...fields }] };
  return (await market.put('/products/stock', farmer, body)).body.data[0];
};

/** Leaves a stock of `quantity` more than there is, as a cancelled order of other steps does. */
async function returnToStock(id: string, quantity: number) {
  await market.platform.db.product.update({
    where: { id },
    data: { stockMilli: { increment: quantity * 1000 } },
  });
}

test('has its steps wherever it is returned, and none where it is sold in whole units', async () => {
  const head = await headNow();
  const product = await carrots();
  expect(product).toMatchObject({ quantityAvailable: 12.5, step: 0.25, minimum: 0.5 });
  const [created] = await eventsSince(head);
  expect(created).toMatchObject({ name: 'product.created', data: product });
  expect(await read(product._id)).toEqual(product);
  const own = await market.get('/products/farmer/me', farmer);
  expect(own.body.data).toContainEqual(product);
  const list = await market.get(`/products?farmer=${farmer.id}`);
  expect(list.body.data).toContainEqual(product);

  const whole = await add({ step: null });
  expect(Object.keys(whole)).not.toContain('step');
  expect(Object.keys(whole)).not.toContain('minimum');
});

test('is a row that the database takes only if it can be sold', async () => {
  const { _id: id } = await carrots();
  const write = (data: object) => market.platform.db.product.update({ where: { id }, data });
  for (const data of [
    { stepMilli: 0 },
    { stepMilli: 1_000_001 },
    { minimumMilli: 0 },
    { minimumMilli: 600 },
    { priceMinor: 1, minimumMilli: 250 },
  ]) {
    await expect(write(data), JSON.stringify(data)).rejects.toThrow();
  }
  await write({ stepMilli: 1, minimumMilli: 500, priceMinor: 1 });
});

describe('a change of steps', () => {
  test('is sent to everyone who watches', async () => {
    const { _id } = await carrots();
    const head = await headNow();
    const { status, body } = await change(_id, { step: 0.5, minimum: null });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ step: 0.5, version: 2 });
    expect(body.data).not.toHaveProperty('minimum');
    expect(await eventsSince(head)).toMatchObject([{ name: 'product.updated', data: body.data }]);
    expect(await read(_id)).toEqual(body.data);
  });

  test.each([
    [{ step: 2.5 }, 'minimum', 'The smallest order must be a multiple of 2.5 kg: 2.5 kg.'],
    [{ step: null, minimum: null }, 'quantityAvailable', 'Valid quantity is required'],
  ])('to %o is refused at its field and says what to do', async (fields, path, message) => {
    const product = await carrots();
    const answer = await change(product._id, fields);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path, message }]);
    expect(await read(product._id)).toEqual(product);
  });

  test('may bring its stock along, and may begin and end', async () => {
    const { _id } = await add({ unit: 'kg', quantityAvailable: 10 });
    const to = async (fields: object) => {
      const { status, body } = await change(_id, fields);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data;
    };
    expect(await to({ step: 0.1, quantityAvailable: 3.3 })).toMatchObject({ step: 0.1 });
    expect(await to({ step: 0.3 })).toMatchObject({ quantityAvailable: 3.3 });
    const whole = await to({ step: null, quantityAvailable: 4 });
    expect(whole).toMatchObject({ quantityAvailable: 4 });
    expect(whole).not.toHaveProperty('step');
    expect(await to({ minimum: 3 })).toMatchObject({ minimum: 3 });
  });

  test('leaves a stock between two steps alone while it stays as it is', async () => {
    const { _id } = await carrots();
    await returnToStock(_id, 0.1);
    expect((await change(_id, { name: 'Baby carrots' })).status).toBe(200);
    expect((await change(_id, { quantityAvailable: 12.6, step: 0.25 })).status).toBe(200);
    expect((await change(_id, { quantityAvailable: 12.7 })).status).toBe(400);
    expect((await change(_id, { step: 0.2, minimum: null })).status).toBe(200);
  });
});

describe('the stock list', () => {
  test('sets a stock in steps, against the one that was seen', async () => {
    const { _id } = await carrots();
    expect(await setStock(_id, { quantityAvailable: 12.75, seen: 12.5 })).toMatchObject({
      product: { quantityAvailable: 12.75 },
    });
    expect(await setStock(_id, { quantityAvailable: 13, seen: 12.5 })).toMatchObject({
      code: 'STOCK_CHANGED',
      message: 'The stock of Carrots has just changed: 12.75 kg left now.',
    });
  });

  test('refuses a stock between two steps, and a price at which the smallest order is free', async () => {
    const { _id } = await carrots({ step: 0.001, minimum: 0.1 });
    const halves = await add({ quantityAvailable: 4 });
    expect(await setStock(halves._id, { quantityAvailable: 4.5, seen: 4 })).toEqual({
      _id: halves._id,
      code: 'INVALID',
      message: 'Carrots is stocked in steps of 1 bunch.',
    });
    expect(await setStock(_id, { price: 0.01 })).toMatchObject({
      code: 'INVALID',
      message: 'Carrots: At this price 0.1 kg would cost nothing. Make the smallest order larger.',
    });
    expect(await setStock(_id, { price: 0.05 })).toMatchObject({ product: { price: 0.05 } });
  });

  test('takes a returned rest as it is, and away', async () => {
    const { _id } = await carrots();
    await returnToStock(_id, 0.1);
    expect(await setStock(_id, { price: 4 })).toMatchObject({
      product: { quantityAvailable: 12.6 },
    });
    expect(await setStock(_id, { quantityAvailable: 12.6, seen: 12.6 })).toHaveProperty('product');
    expect(await setStock(_id, { quantityAvailable: 0 })).toMatchObject({
      product: { quantityAvailable: 0 },
    });
  });

  test('of two devices that step at once counts both', async () => {
    const { _id } = await carrots({ quantityAvailable: 1 });
    const addStock = async (by: number) => {
      for (let seen = 1; ; ) {
        const result = await setStock(_id, { quantityAvailable: seen + by, seen });
        if ('product' in result) return;
        seen = result.current.quantityAvailable;
      }
    };
    await Promise.all([addStock(0.25), addStock(0.5)]);
    expect((await read(_id)).quantityAvailable).toBe(1.75);
  });
});

test('counts as sold out for customers when less than its smallest order is left', async () => {
  const shop = await market.join('farmer');
  const rest = await add({ step: 0.25, minimum: 0.5, quantityAvailable: 0.25 }, shop);
  const enough = await add({ step: 0.25, minimum: 0.5, quantityAvailable: 0.5 }, shop);
  const remainder = await add({ quantityAvailable: 0 }, shop);
  await returnToStock(remainder._id, 0.9);
  const list = await market.get(`/products?farmer=${shop.id}&inStock=true`);
  expect(list.body.data.map(({ _id }: Product) => _id)).toEqual([enough._id]);
  const facets = await market.get(`/products/facets?farmer=${shop.id}`);
  expect(facets.body.data).toMatchObject({ found: { count: 3 }, inStock: { count: 1 } });
  // The best match has what is sold out last, although these are newer.
  const best = await market.get(`/products?farmer=${shop.id}&search=carrots&sort=relevance`);
  expect(best.body.data[0]._id).toBe(enough._id);
  const bought = await market.post(
    '/orders',
    consumer,
    orderInput(shop.id, [{ product: rest._id, quantity: 0.25 }]),
  );
  expect(bought.body).toMatchObject({ code: 'OUT_OF_STOCK', message: 'Carrots is sold out.' });
});

test('is refused where it cannot be', async () => {
  for (const [over, path] of [
    [{ step: 0.3, quantityAvailable: 1 }, 'quantityAvailable'],
    [{ step: 0.3, minimum: 1, quantityAvailable: 3 }, 'minimum'],
    [{ step: 1001, quantityAvailable: 1001 }, 'step'],
  ] as const) {
    const { status, body } = await market.post('/products', farmer, productInput(category, over));
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path }]);
  }
  // A smallest order above the stock is sound: it is sold out until there is more.
  expect(await carrots({ minimum: 20 })).toMatchObject({ minimum: 20, quantityAvailable: 12.5 });
});
