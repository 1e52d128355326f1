import { afterAll, expect, test } from 'vitest';
import { productInput } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// In rupiah, dong or rial lunch costs a million: prices up to 2,000,000,000, and sums of orders beyond what four bytes
// hold.

const HIGHEST = 2_000_000_000;

const fixture = await createOrderFixture();
await changeMarket(fixture, {
  currencyCode: 'IDR',
  currencySign: 'Rp',
  currencyDecimals: 0,
  locale: 'id-ID',
});
afterAll(() => fixture.close());

const create = (price: number) =>
  fixture.call('POST', '/products', {
    as: fixture.farmer,
    body: productInput(fixture.category, { price, quantityAvailable: 1_000_000 }),
  });
const list = async (query: string) => (await fixture.call('GET', `/products?${query}`)).body;

test('a price is at most 2,000,000,000 of the smallest unit, whatever the decimals', async () => {
  const { status, body } = await create(HIGHEST);
  expect([status, body.data.price]).toEqual([201, HIGHEST]);
  const refused = await create(HIGHEST + 1);
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: 'price', message: 'The price can be at most 2.000.000.000.' }],
  ]);
  for (const [decimals, highest] of [
    [1, 200_000_000],
    [2, 20_000_000],
    [3, 2_000_000],
  ] as const) {
    await changeMarket(fixture, { currencyDecimals: decimals });
    const [above, most] = [await create(highest + 10 ** -decimals), await create(highest)];
    expect([above.status, most.status, most.body.data.price]).toEqual([400, 201, highest]);
    const rows = await fixture.platform.db.product.deleteMany({
      where: { id: most.body.data._id, priceMinor: HIGHEST },
    });
    expect(rows.count).toBe(1);
  }
  await changeMarket(fixture, { currencyDecimals: 0 });
});

test('lists are filtered and sorted by it, page by page', async () => {
  const dear = (await create(HIGHEST)).body.data._id;
  const less = (await create(HIGHEST - 1)).body.data._id;
  const { data } = await list(`minPrice=${HIGHEST - 1}&maxPrice=${HIGHEST}&sort=price-asc`);
  expect(data[0]._id).toBe(less);
  const first = await list(`minPrice=${HIGHEST - 1}&sort=price-desc&limit=1`);
  const next = await list(
    `minPrice=${HIGHEST - 1}&sort=price-desc&limit=100&cursor=${first.nextCursor}`,
  );
  expect([...first.data, ...next.data].map(({ _id }: { _id: string }) => _id)).toContain(dear);
  const { data: facets } = (await fixture.call('GET', `/products/facets?minPrice=${HIGHEST - 1}`))
    .body;
  expect(facets.prices).toEqual({ min: HIGHEST - 1, max: HIGHEST });
  const above = await fixture.call('GET', `/products?maxPrice=${HIGHEST + 1}`);
  expect(above.status).toBe(400);
});

test('orders, the figures of a farm and of the market, and exports sum beyond four bytes', async () => {
  const product = await fixture.createProduct(1_000_000, { priceMinor: HIGHEST });
  const totals: number[] = [];
  for (const quantity of [500, 499]) {
    const order = await fixture.placeOrder([{ product, quantity, price: HIGHEST }]);
    expect(order.items[0]?.total).toBe(quantity * HIGHEST);
    for (const status of ['accepted', 'completed']) {
      const answer = await fixture.changeStatus(order._id, status, fixture.farmer);
      expect(answer.status).toBe(200);
    }
    totals.push(order.totalAmount);
  }
  const sum = 999 * HIGHEST;
  expect(totals).toEqual([500 * HIGHEST, 499 * HIGHEST]);

  const { data: farm } = (await fixture.call('GET', '/orders/stats/farmer', { as: fixture.farmer }))
    .body;
  expect([farm.totalRevenue, farm.days.at(-1).revenue]).toEqual([sum, sum]);
  const { data: all } = (await fixture.call('GET', '/admin/stats', { as: fixture.admin })).body;
  expect(all.revenue).toBe(sum);
  const page = await fixture.call('GET', '/orders?sort=total-desc&limit=1', {
    as: fixture.admin,
  });
  expect(page.body.data[0].totalAmount).toBe(500 * HIGHEST);
  const csv = await fixture.call('GET', '/admin/exports/orders', { as: fixture.admin });
  expect(JSON.stringify(csv.body)).toContain(String(500 * HIGHEST));
});

test('an order above the largest total is refused, not summed wrongly', async () => {
  const product = await fixture.createProduct(1_000_000, { priceMinor: HIGHEST });
  const { status, body } = await fixture.order([{ product, quantity: 1_000_000 }]);
  expect([status, body.errors?.[0].path]).toEqual([400, 'items']);
});
