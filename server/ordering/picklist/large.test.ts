import { afterAll, expect, test } from 'vitest';
import { PICK_PAGE } from '#contract/ordering/picklist/constants';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { createOrderFixture } from '../testing/fixture.ts';

// A day of 2,000 orders of 6 lines.

const DAY = '2030-01-05';
const ORDERS = 2000;

const fixture = await createOrderFixture();
const products = await Promise.all(
  Array.from({ length: 12 }, (_, index) => fixture.createProduct(1, { name: `Goods ${index}` })),
);
await fixture.platform.pool.query(
  `WITH new_order AS (
     INSERT INTO orders (consumer_id, farmer_id, status, total_minor, payment_method, notes, is_pickup, date,
       time, pickup_location, updated_at)
     SELECT $1, $2, CASE WHEN n % 10 = 0 THEN 'pending' ELSE 'accepted' END::"OrderStatus", 1500, 'cash', '', true,
       $3::date, '10:00', 'Gate ' || n % 7, now()
     FROM generate_series(1, ${ORDERS}) AS n RETURNING id, consumer_id, created_at
   ), entries AS (
     INSERT INTO order_timeline (order_id, sequence, kind, status, version, by_id, at)
     SELECT id, sequence, 'status', CASE sequence WHEN 1 THEN 'pending' ELSE 'accepted' END::"OrderStatus",
       sequence, consumer_id, created_at FROM new_order, generate_series(1, 2) AS sequence
   )
   INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli)
   SELECT new_order.id, line, ($4::uuid[])[1 + (line * 2 + length(new_order.id::text)) % 12], 'Goods', 'kg', 250, 1500
   FROM new_order, generate_series(0, 5) AS line`,
  [fixture.consumer.id, fixture.farmer.id, DAY, products],
);
afterAll(() => fixture.close());

const get = async (path: string) => {
  const { status, body } = await fixture.call('GET', `/farm/picklist${path}`, {
    as: fixture.farmer,
  });
  expect(status).toBe(200);
  return body;
};

test('adds up all of it, and returns the orders page by page', async () => {
  const list: Picklist = (await get(`?date=${DAY}`)).data;
  const sum = (of: (total: Picklist['products'][number]) => number) =>
    list.products.reduce((total, each) => total + of(each), 0);
  expect(sum(({ quantity }) => quantity)).toBe(ORDERS * 0.9 * 6 * 1.5);
  expect(sum(({ pendingQuantity }) => pendingQuantity)).toBe(ORDERS * 0.1 * 6 * 1.5);
  expect(list.orders).toHaveLength(PICK_PAGE);
  const seen = new Set(list.orders.map(({ _id }) => _id));
  for (let cursor = list.nextCursor; cursor !== null; ) {
    const page = await get(`/orders?date=${DAY}&limit=200&cursor=${cursor}`);
    for (const { _id } of page.data) {
      expect(seen.has(_id)).toBe(false);
      seen.add(_id);
    }
    cursor = page.nextCursor;
  }
  expect(seen.size).toBe(ORDERS);
});

test('is printed and compared as a whole', async () => {
  const body = { date: DAY };
  const print = await fixture.call('POST', '/farm/picklist/prints', { as: fixture.farmer, body });
  expect(print.status).toBe(201);
  const { data } = await get(`?date=${DAY}`);
  expect(data.changes).toEqual([]);
  for (const { sincePrint } of data.products) expect(sincePrint).toBe(0);
});
