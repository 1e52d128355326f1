import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const farmers: Caller[] = [];
const consumers: Caller[] = [];
const products: string[] = [];

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');
const category = await makeCategory(market.platform);
for (let index = 0; index < 3; index++) {
  const farmer = await market.join('farmer');
  const made = await market.post('/products', farmer, {
    ...productInput(category),
    quantityAvailable: 10_000,
  });
  farmers.push(farmer);
  products.push(made.body.data._id);
  consumers.push(await market.join('consumer'));
}

const rowsOf = async (text: string) => (await market.platform.pool.query(text)).rows;

/** The counts as the triggers keep them, and as they are counted from the rows themselves. */
async function bothWays() {
  const kept = {
    farms: await rowsOf(`
      SELECT farmer_id, day::text, status::text, sum(orders)::int AS orders, sum(total_minor)::int AS total
      FROM farm_order_totals GROUP BY 1, 2, 3
      HAVING sum(orders) <> 0 OR sum(total_minor) <> 0 ORDER BY 1, 2, 3`),
    market: await rowsOf(`
      SELECT day::text, status::text, sum(orders)::int AS orders, sum(total_minor)::int AS total
      FROM market_order_totals GROUP BY 1, 2
      HAVING sum(orders) <> 0 OR sum(total_minor) <> 0 ORDER BY 1, 2`),
    users: await rowsOf(`
      SELECT role::text, sum(users)::int AS users FROM user_totals
      GROUP BY 1 HAVING sum(users) <> 0 ORDER BY 1`),
  };
  const day = `to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
  const counted = {
    farms: await rowsOf(`
      SELECT farmer_id, day, status::text, count(*)::int AS orders, sum(total_minor)::int AS total
      FROM orders CROSS JOIN LATERAL (VALUES (${day}), ('-infinity')) AS days(day)
      GROUP BY 1, 2, 3 ORDER BY farmer_id, day::date::text, status::text`),
    market: await rowsOf(`
      SELECT day, status::text, count(*)::int AS orders, sum(total_minor)::int AS total
      FROM orders CROSS JOIN LATERAL (VALUES (${day}), ('-infinity')) AS days(day)
      GROUP BY 1, 2 ORDER BY 1, 2`),
    users: await rowsOf(`
      SELECT role::text, count(*)::int AS users FROM users WHERE deleted_at IS NULL
      GROUP BY 1 ORDER BY 1`),
  };
  return { kept, counted };
}

const one = fc.nat({ max: 2 });
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ farm: one, by: one, quantity: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 3, arbitrary: fc.record({ to: fc.constantFrom(...ORDER_STATUSES), which: fc.nat() }) },
);

describe('the counts kept by triggers', () => {
  it('match the rows after concurrent orders and changes', async () => {
    const placed: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
        await Promise.all(
          steps.map(async (each) => {
            if ('farm' in each) {
              const { status, body } = await market.post(
                '/orders',
                consumers[each.by],
                orderInput(farmers[each.farm]?.id ?? '', [
                  { product: products[each.farm] ?? '', quantity: each.quantity },
                ]),
              );
              expect(status).toBe(201);
              placed.push(body.data._id);
            } else if (placed.length > 0) {
              // What is not allowed from where it is is refused and changes no count.
              await market.put(`/orders/${placed[each.which % placed.length]}`, admin, {
                status: each.to,
              });
            }
          }),
        );
        const { kept, counted } = await bothWays();
        expect(kept).toEqual(counted);
      }),
      { numRuns: 12 },
    );
    expect(placed.length).toBeGreaterThan(20);
  });

  it('follow changes, deletions and deleted accounts', async () => {
    const { db } = market.platform;
    const orders = await db.order.findMany({ take: 3 });
    const [moved, deleted] = orders;
    const earlier = new Date(Date.now() - 5 * 86_400_000);
    await db.order.update({ where: { id: moved?.id ?? '' }, data: { createdAt: earlier } });
    await db.order.delete({ where: { id: deleted?.id ?? '' } });
    await db.user.update({
      where: { id: consumers[0]?.id ?? '' },
      data: { deletedAt: new Date() },
    });
    const { kept, counted } = await bothWays();
    expect(kept).toEqual(counted);
  });

  it('are the same after a full recount', async () => {
    const before = (await bothWays()).kept;
    await market.platform.pool.query('SELECT recount_totals()');
    expect((await bothWays()).kept).toEqual(before);
  });
});
