import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Order } from '#contract/orders';
import { Product } from '#contract/products';
import {
  type Caller,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../testing/market.ts';

let market: TestMarket;
let farmer: Caller;
let consumer: Caller;
let admin: Caller;
let category: string;

beforeAll(async () => {
  market = await startTestMarket();
  [farmer, consumer, admin] = await Promise.all([
    market.join('farmer'),
    market.join('consumer'),
    market.join('admin'),
  ]);
  category = await makeCategory(market.platform);
});

afterAll(() => market.close());

async function addProduct(over: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await market.call('POST', '/products', {
    as: farmer,
    body: productInput(category, over),
  });
  expect(status).toBe(201);
  Product.parse(body.data);
  return body.data._id;
}

describe('placing', () => {
  test('an order', async () => {
    const product = await addProduct({ quantityAvailable: 5 });
    const answer = await market.call('POST', '/orders', {
      as: consumer,
      body: orderInput(farmer.id, [{ product, quantity: 2, price: 2.5 }]),
    });
    expect(answer.body).toMatchObject({ success: true });
    expect(answer.status).toBe(201);
    Order.parse(answer.body.data);
    const read = await market.call('GET', `/orders/${answer.body.data._id}`, { as: farmer });
    expect(read.body.data).toEqual(answer.body.data);
    for (const [path, as] of [
      ['/orders/consumer', consumer],
      ['/orders/farmer', farmer],
      ['/orders', admin],
      [`/orders?search=${answer.body.data._id.slice(0, 8)}`, admin],
      [`/orders?search=${encodeURIComponent(consumer.name)}`, admin],
    ] as const) {
      const list = await market.call('GET', path, { as });
      expect(list.body).toMatchObject({ count: 1, data: [answer.body.data], nextCursor: null });
    }
    const products = await market.call('GET', '/products?search=CARR');
    expect(products.body.data[0].quantityAvailable).toBe(3);
    const accepted = await market.call('PUT', `/orders/${answer.body.data._id}`, {
      as: admin,
      body: { status: 'cancelled', reason: 'No rain' },
    });
    expect(accepted.body.data).toMatchObject({ status: 'cancelled', version: 2 });
    const stats = await market.call('GET', '/orders/stats/farmer', { as: farmer });
    expect(stats.body.data).toMatchObject({ productCount: 1, pendingOrders: 0 });
    expect(stats.body.data.days).toHaveLength(30);
  });
});
