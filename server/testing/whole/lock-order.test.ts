import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { type Caller, makeCategory, orderInput, startTestMarket } from '../market.ts';

// Orders lock the products they are about by ascending id. Whatever else changes several products at
// once must lock them in the same order, or the two wait for each other.

const market = await startTestMarket();
const admin = await market.join('admin');
const connectionString = market.env.DATABASE_URL;
const [holder, watcher] = [
  new pg.Client({ connectionString }),
  new pg.Client({ connectionString }),
];
await Promise.all([holder.connect(), watcher.connect()]);
afterAll(async () => {
  await Promise.all([holder.end(), watcher.end()]);
  await market.close();
});

/** Two products, the one with the higher id first in the table and in every index. */
async function setStock(farmer: Caller, category: string): Promise<[string, string]> {
  const tail = randomUUID().slice(1);
  const ids: [string, string] = [`0${tail}`, `f${tail}`];
  for (const [index, id] of [...ids].reverse().entries()) {
    await market.platform.db.product.create({
      data: {
        id,
        farmerId: farmer.id,
        categoryId: category,
        name: 'Carrots',
        description: 'Sweet.',
        priceMinor: 250,
        unit: 'bunch',
        stockMilli: 1_000_000,
        createdAt: new Date(Date.now() - index * 60_000),
      },
    });
  }
  return ids;
}

const isWaiting = async () => {
  const { rows } = await watcher.query(
    `SELECT 1 FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

/** Whether nobody holds the product. */
async function isFree(product: string): Promise<boolean> {
  const { rows } = await watcher.query(
    'SELECT 1 FROM products WHERE id = $1 FOR UPDATE SKIP LOCKED',
    [product],
  );
  return rows.length === 1;
}

const CHANGES: [string, (farmer: Caller, category: string) => Promise<{ status: number }>][] = [
  ['deleting a category', (_, category) => market.delete(`/categories/${category}`, admin)],
  [
    'renaming a farm',
    (farmer) =>
      market.put('/users/farmers/profile', farmer, {
        farmName: `Hill ${farmer.id}`,
        description: 'Soil.',
      }),
  ],
  [
    'changing several stocks',
    async (farmer) => {
      const { body } = await market.get('/products/farmer/me', farmer);
      const changes = body.data.map(({ _id }: { _id: string }) => ({ product: _id, price: 9 }));
      return market.put('/products/stock', farmer, { changes });
    },
  ],
  ['deleting a farmer', (farmer) => market.delete(`/users/${farmer.id}`, admin)],
];

it.each(CHANGES)(
  '%s waits for the product with the lowest id before it locks another',
  async (_, change) => {
    const farmer = await market.join('farmer');
    const category = await makeCategory(market.platform);
    const [low, high] = await setStock(farmer, category);
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [low]);
    const changing = change(farmer, category);
    await until(isWaiting);
    const wasFree = await isFree(high);
    await holder.query('COMMIT');
    expect((await changing).status).toBe(200);
    expect(wasFree).toBe(true);
  },
);

it('orders, renames and category deletions at the same time all succeed', async () => {
  const farmer = await market.join('farmer');
  const category = await makeCategory(market.platform);
  const stock = await setStock(farmer, category);
  const items = stock.map((product) => ({ product, quantity: 1 }));
  const consumers = await Promise.all(Array.from({ length: 4 }, () => market.join('consumer')));
  const before = await deadlocks();
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, round) => {
      const other = await makeCategory(market.platform);
      return Promise.all([
        ...consumers.map((as) => market.post('/orders', as, orderInput(farmer.id, items))),
        market.put('/users/farmers/profile', farmer, {
          farmName: `Hill ${round}`,
          description: 'Soil.',
        }),
        market.put(`/products/${stock[round % 2]}`, farmer, { category: other }),
        market.delete(`/categories/${round === 3 ? category : other}`, admin),
      ]);
    }),
  );
  const statuses = new Set(answers.flat().map(({ status }) => status));
  // 400: the category was deleted before the product could move into it.
  expect([...statuses].filter((status) => ![200, 201, 400].includes(status))).toEqual([]);
  expect(await deadlocks()).toBe(before);
});

async function deadlocks(): Promise<number> {
  await watcher.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await watcher.query(
    'SELECT deadlocks::int AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0].count;
}
