import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';

// Products without some allergens: what does not say which it has is never among them.

const market = closeAfter(await startTestMarket());
const { db, pool } = market.platform;
const farmer = await market.join('farmer');
const category = await makeCategory(market.platform);
const ALLERGENS: Record<string, string[]> = {
  Carrots: [],
  'Seed cake': ['gluten', 'sesame'],
  'Nut cheese': ['milk', 'nuts'],
  Butter: ['milk'],
  Surprise: ['unknown'],
};
await db.product.createMany({
  data: Object.entries(ALLERGENS).map(([name, allergens]) => ({
    ...{ farmerId: farmer.id, categoryId: category, name, description: 'Good.', allergens },
    ...{ priceMinor: 100, unit: 'each' as const, stockMilli: 5000 },
  })),
});
const get = (path: string) => market.get(path);
const found = async (query: string) =>
  ((await get(`/products?${query}`)).body.data as Product[]).map(({ name }) => name).sort();
const counted = async (query: string) => (await get(`/products/facets?${query}`)).body.data;

it.each([
  ['milk', ['Carrots', 'Seed cake']],
  ['nuts', ['Butter', 'Carrots', 'Seed cake']],
  ['nuts,gluten', ['Butter', 'Carrots']],
  ['fish', ['Butter', 'Carrots', 'Nut cheese', 'Seed cake']],
  ['', ['Butter', 'Carrots', 'Nut cheese', 'Seed cake', 'Surprise']],
])('without "%s" there are %j, and the facets count the same', async (without, names) => {
  expect(await found(`without=${without}`)).toEqual(names);
  const facets = await counted(`without=${without}`);
  expect(facets.found.count).toBe(names.length);
  expect(facets.inStock.count).toBe(names.length);
  expect(facets.categories[0].count).toBe(names.length);
});

it('goes with a search and other filters', async () => {
  expect(await found('without=milk&search=cake&inStock=true')).toEqual(['Seed cake']);
});

it.each(['unknown', 'none', 'milk,milk', 'milk, nuts', 'milk,', 'Milk', 'milk,peanut'])(
  'refuses "%s"',
  async (without) => {
    for (const path of ['/products', '/products/facets']) {
      const { status, body } = await get(`${path}?without=${encodeURIComponent(without)}`);
      expect([status, body.errors?.[0]?.path]).toEqual([400, 'without']);
    }
  },
);

it('reads a page of 20,000 products by the index of the newest, whatever is left out', async () => {
  await pool.query(
    `INSERT INTO products (farmer_id, category_id, name, description, price_minor, unit, stock_milli, allergens,
       created_at, updated_at)
     SELECT $1, $2, 'Leek ' || n, 'Long.', 100, 'each', 5000,
       CASE n % 4 WHEN 0 THEN '{unknown}' WHEN 1 THEN '{milk}' WHEN 2 THEN '{nuts,gluten}' ELSE '{}' END::text[],
       now() - n * interval '1 second', now()
     FROM generate_series(1, 20000) n`,
    [farmer.id, category],
  );
  await pool.query('ANALYZE products');
  const { rows } = await pool.query<Record<string, string>>(
    `EXPLAIN SELECT p.id FROM products p WHERE p.is_active AND NOT p.allergens && '{unknown,milk}'::text[]
     ORDER BY p.created_at DESC, p.id DESC LIMIT 25`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using products_(is_active_)?created_at_id_idx/);
  expect(plan).not.toContain('Sort');
  const facets = await counted('without=milk,nuts');
  expect(facets.found).toEqual({ count: 1000, isExact: false });
});
