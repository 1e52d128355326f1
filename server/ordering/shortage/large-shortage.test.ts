import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { ShortageOutcome, ShortageResult } from '#contract/ordering/changes/order-changes';
import { createChangesFixture } from '../changes/testing/changes-fixture.ts';

// A shortage over a day of 2,000 orders, as large as a pick list may be. Everything is previewed and shared; only so
// many are really written here, the rest by `npm run test:faults`, where a server dies in the middle of it.

const DAY = '2030-01-05';
const ORDERS = 2000;

const fixture = await createChangesFixture();
const carrots = await fixture.createProduct(100, { stepMilli: 250 });
const beans = await fixture.createProduct(100, { name: 'Beans' });
// Each has carrots, of quantities in steps of 250 g; forty of them have beans too.
await fixture.platform.pool.query(
  `WITH new_order AS (
     INSERT INTO orders (consumer_id, farmer_id, status, total_minor, payment_method, notes, is_pickup, date,
       time, pickup_location, starts_at, created_at, updated_at)
     SELECT $1, $2, CASE WHEN n % 3 = 0 THEN 'pending' ELSE 'accepted' END::"OrderStatus", 1000000, 'cash', '',
       true, $3::date, '10:00', 'Gate', '2030-01-05T10:00Z', now() - n * interval '1 second', now()
     FROM generate_series(1, ${ORDERS}) AS n RETURNING id, consumer_id, created_at
   ), numbered AS (
     SELECT *, row_number() OVER (ORDER BY created_at, id) AS n FROM new_order
   ), entries AS (
     INSERT INTO order_timeline (order_id, sequence, kind, status, version, by_id, at)
     SELECT id, 1, 'status', 'pending', 1, consumer_id, created_at FROM numbered
   )
   INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli, on_short)
   SELECT id, 0, $4::uuid, 'Carrots', 'lb'::"Unit", 250, 250 * (1 + n % 17), 'ask'::"ShortWish" FROM numbered
   UNION ALL
   SELECT id, 1, $5::uuid, 'Beans', 'lb'::"Unit", 250, 1000 * (1 + n % 3),
     CASE WHEN n % 4 = 0 THEN 'leave_out' ELSE 'ask' END::"ShortWish" FROM numbered WHERE n <= 40`,
  [fixture.consumer.id, fixture.farmer.id, DAY, carrots, beans],
);
afterAll(() => fixture.close());

async function share(productId: string, over: object, query = ''): Promise<ShortageResult> {
  const { status, body } = await fixture.call('POST', `/farm/shortages${query}`, {
    as: fixture.farmer,
    body: { productId, from: DAY, to: DAY, available: 1, rule: 'fair', ...over },
  });
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  return body.data;
}

/** Sums of the wire have no more than three decimals. */
const sum = (outcomes: ShortageOutcome[], of: (outcome: ShortageOutcome) => number): number =>
  outcomes.reduce((total, outcome) => total + Math.round(of(outcome) * 1000), 0) / 1000;

test.each([
  ['fair', 1234.5],
  ['fair', 0],
  ['fair', 0.25],
  ['first_come', 1234.5],
])('a preview by the rule %s shares %d among all of them to the step', async (rule, available) => {
  const { ordered, outcomes } = await share(carrots, { rule, available }, '?preview=true');
  expect(outcomes).toHaveLength(ORDERS);
  expect(sum(outcomes, ({ quantity }) => quantity)).toBe(ordered);
  expect(sum(outcomes, ({ share: gets }) => gets)).toBe(available);
  for (const { quantity, share: gets, outcome } of outcomes) {
    expect(gets).toBeLessThanOrEqual(quantity);
    expect(Number.isInteger(gets * 4)).toBe(true);
    expect(outcome).toBe(gets === quantity ? 'unchanged' : 'proposed');
  }
});

test('by hand, a share for each of them is taken, and one too much is reported by its index', async () => {
  const { outcomes } = await share(carrots, { available: 1000 }, '?preview=true');
  const shares = outcomes.map(({ orderId, share: quantity }) => ({ orderId, quantity }));
  const byHand = { rule: 'manual', available: 1000, shares };
  const again = await share(carrots, byHand, '?preview=true');
  expect(again.outcomes).toEqual(outcomes);
  const last = shares.length - 1;
  const { body } = await fixture.call('POST', '/farm/shortages?preview=true', {
    as: fixture.farmer,
    body: {
      productId: carrots,
      from: DAY,
      to: DAY,
      ...byHand,
      shares: shares.map((each, index) => (index === last ? { ...each, quantity: 99 } : each)),
    },
  });
  expect(body.errors).toEqual([
    { path: `shares.${last}.quantity`, message: 'An order gets no more than it has.' },
  ]);
});

test('what was written of a large one is not written again when it is asked for again', async () => {
  const batch = { batchId: randomUUID(), available: 30 };
  const first = await share(beans, batch);
  expect(first.outcomes).toHaveLength(40);
  expect(sum(first.outcomes, ({ share: gets }) => gets)).toBe(30);
  const head = await fixture.head();
  expect(await share(beans, batch)).toEqual(first);
  expect(await fixture.eventsAfter(head)).toEqual([]);
  const { rows } = await fixture.platform.pool.query(
    `SELECT status::text, count(*)::int AS proposals, count(DISTINCT order_id)::int AS orders
     FROM order_proposals WHERE batch_id = $1 GROUP BY 1`,
    [batch.batchId],
  );
  const asked = first.outcomes.filter(({ outcome }) => outcome === 'proposed').length;
  expect(rows).toEqual([{ status: 'open', proposals: asked, orders: asked }]);
});
