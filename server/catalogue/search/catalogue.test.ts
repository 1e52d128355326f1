import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRODUCT_SORTS } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductSort } from '#contract/catalogue/products/product-search';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { type Caller, closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';

const day = (offset: number) => new Date(Math.floor(Date.now() / 86_400_000 + offset) * 86_400_000);

const market = closeAfter(await startTestMarket());
const { platform } = market;
const [farmer, other] = await Promise.all([market.join('farmer'), market.join('farmer')]);
const [vegetables, fruit] = await Promise.all([
  makeCategory(platform),
  makeCategory(platform, 'Fruit'),
]);
const row = (over: Record<string, unknown>) => ({
  farmerId: farmer.id,
  categoryId: vegetables,
  name: 'Leek',
  description: 'Long.',
  priceMinor: 100,
  unit: UNITS[0],
  stockMilli: 5000,
  ...over,
});
// Few prices and few instants, so that pages end between rows that differ only in their id.
await platform.db.product.createMany({
  data: Array.from({ length: 60 }, (_, index) =>
    row({
      name: `Leek ${index}`,
      priceMinor: 100 + (index % 4),
      createdAt: new Date(Date.UTC(2026, 0, 1) + (index % 5)),
      ...(index % 3 === 0 ? { categoryId: fruit } : {}),
      ...(index % 2 === 0 ? { farmerId: other.id } : {}),
    }),
  ),
});
await platform.db.product.createMany({
  data: [
    row({ name: 'Hidden', isActive: false }),
    row({ name: 'Expired', availableUntil: day(-1) }),
    row({ name: 'Last day', availableUntil: day(0) }),
    row({ name: 'Crème Brûlée', description: 'From São Tomé' }),
    row({ name: '100% juice' }),
    row({ name: 'snake_case' }),
    row({ name: 'back\\slash' }),
  ],
});

const list = async (query: Record<string, string>): Promise<Product[]> => {
  const { status, body } = await market.get(`/products?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.count).toBe(body.data.length);
  return body.data;
};
const names = async (query: Record<string, string>) =>
  (await list(query)).map((product) => product.name).sort();

/** Follows the cursors to the end. */
async function pages(path: string, query: Record<string, string>, as?: Caller): Promise<Product[]> {
  const rows: Product[] = [];
  let cursor: string | null = '';
  do {
    const search: URLSearchParams = new URLSearchParams({ ...query, cursor: cursor ?? '' });
    const { status, body } = await market.get(`${path}?${search}`, as);
    expect(status).toBe(200);
    rows.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor);
  return rows;
}

const isNewer = (left: Product, right: Product) =>
  left.createdAt > right.createdAt || (left.createdAt === right.createdAt && left._id > right._id);

const before: Record<ProductSort, (left: Product, right: Product) => boolean> = {
  newest: isNewer,
  // Without a search there is nothing that fits best.
  relevance: isNewer,
  'price-asc': (left, right) =>
    left.price < right.price || (left.price === right.price && left._id < right._id),
  'price-desc': (left, right) =>
    left.price > right.price || (left.price === right.price && left._id > right._id),
};

describe('the catalogue', () => {
  test('omits inactive products and those past their last day', async () => {
    const shown = await names({ limit: '200' });
    expect(shown).not.toContain('Hidden');
    expect(shown).not.toContain('Expired');
    expect(shown).toContain('Last day');
    expect(shown).toHaveLength(65);
  });

  test('filters by category and farmer', async () => {
    expect(await list({ category: fruit })).toHaveLength(20);
    expect(await list({ farmer: other.id })).toHaveLength(30);
    expect(await list({ farmer: other.id, category: fruit, search: 'leek' })).toHaveLength(10);
    expect(await list({ category: crypto.randomUUID() })).toEqual([]);
  });

  test.each([
    ['creme brulee', 'Crème Brûlée'],
    ['CRÈME', 'Crème Brûlée'],
    ['sao tome', 'Crème Brûlée'],
    ['100%', '100% juice'],
    ['0% j', '100% juice'],
    ['%', '100% juice'],
    ['_', 'snake_case'],
    ['\\', 'back\\slash'],
  ])('finds %s literally, whatever case or accents', async (search, name) => {
    expect(await names({ search })).toEqual([name]);
  });

  test('finds any part of a text, with statistics of common words', async () => {
    const { db } = market.platform;
    // Hundreds share a few words, so that those of one product stand out.
    await db.product.createMany({
      data: Array.from({ length: 200 }, () => ({
        farmerId: farmer.id,
        name: 'Leek',
        description: 'Long.',
        priceMinor: 100,
        unit: UNITS[0],
        stockMilli: 1000,
        isActive: false,
      })),
    });
    await db.$executeRaw`ANALYZE products`;
    await db.product.deleteMany({ where: { isActive: false, name: 'Leek' } });
    const led = async (phrase: string) =>
      (await db.$queryRaw`SELECT rare_word_pattern(${phrase}) AS pattern`) as unknown;
    expect(await led('Leek 17 long')).toEqual([{ pattern: null }]);
    expect(await led('ong. snake_case leek')).toEqual([{ pattern: '% snake\\_case %' }]);
    expect(await led('eek juice')).toEqual([{ pattern: '% juice%' }]);

    const texts = await db.$queryRaw<{ name: string; text: string }[]>`
      SELECT name, search_text AS text FROM products
      WHERE is_active AND (available_until IS NULL OR available_until >= market_day())`;
    const part = fc
      .tuple(fc.constantFrom(...texts), fc.nat(20), fc.integer({ min: 1, max: 25 }))
      .map(([{ text }, from, length]) => text.slice(from, from + length))
      .filter((phrase) => phrase.trim() === phrase && phrase !== '');
    await fc.assert(
      fc.asyncProperty(part, async (search) => {
        const found = texts.filter(({ text }) => text.includes(search)).map(({ name }) => name);
        expect(await names({ search, limit: '200' })).toEqual(found.sort());
      }),
    );
  });

  test("finds by the farm's name, also after it changed", async () => {
    const rename = (farmName: string) =>
      market.put('/users/farmers/profile', other, { farmName, description: 'A farm.' });
    await rename('Grüne Wiese');
    expect(await list({ search: 'grune' })).toHaveLength(30);
    await rename('Blaue Wiese');
    expect(await list({ search: 'grune' })).toHaveLength(0);
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=ten',
    'sort=cheapest',
    'organic=yes',
    'inStock=1',
    'orderType=post',
    'minPrice=-1',
    'minPrice=1e309',
    'minPrice=cheap',
    'maxPrice=1.005',
    'minPrice=9&maxPrice=2',
    'category=fruit',
    'farmer=1',
    'cursor=nonsense',
    `cursor=${Buffer.from('["newest","0000-01-01T00:00:00Z","a"]').toString('base64url')}`,
    `search=${'x'.repeat(201)}`,
    'search=%00',
    'category=1&category=2',
  ])('refuses ?%s', async (query) => {
    const { status, body } = await market.get(`/products?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'INVALID' });
  });

  test('treats an empty value as absent', async () => {
    expect(
      await list({ category: '', search: '', sort: '', farmer: '', limit: '', cursor: '' }),
    ).toHaveLength(65);
  });

  test('rejects the cursor of another sort', async () => {
    const { body } = await market.get('/products?sort=price-asc&limit=1');
    const answer = await market.get(`/products?sort=price-desc&cursor=${body.nextCursor}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path: 'cursor' }]);
  });

  test('rejects any text as a cursor without a 5xx', async () => {
    const place = fc.tuple(
      fc.constantFrom(...PRODUCT_SORTS),
      fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant('0000-01-01T00:00:00Z')),
      fc.oneof(fc.uuid(), fc.string()),
    );
    const texts = fc.oneof(
      fc.string({ minLength: 1, maxLength: 60 }),
      place.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PRODUCT_SORTS), texts, async (sort, cursor) => {
        const query = new URLSearchParams({ sort, cursor });
        const { status } = await market.get(`/products?${query}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 150 },
    );
  });
});

test('pages through any list in order, each row once, for any page size', async () => {
  const all = new Set((await list({ limit: '200' })).map((product) => product._id));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PRODUCT_SORTS),
      fc.integer({ min: 3, max: 70 }),
      async (sort, limit) => {
        const rows = await pages('/products', { sort, limit: String(limit) });
        expect(rows).toHaveLength(all.size);
        expect(new Set(rows.map((row) => row._id))).toEqual(all);
        for (const [index, row] of rows.entries()) {
          const next = rows[index + 1];
          if (next) expect(before[sort](row, next)).toBe(true);
        }
      },
    ),
    { numRuns: 15 },
  );
});

test('returns all products of the own farm, and only those, in pages', async () => {
  const rows = await pages('/products/farmer/me', { limit: '7' }, farmer);
  expect(rows).toHaveLength(37);
  expect(new Set(rows.map((row) => row._id)).size).toBe(37);
  expect(new Set(rows.map((row) => row.farmer._id))).toEqual(new Set([farmer.id]));
  expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(['Hidden', 'Expired']));
  const found = await pages('/products/farmer/me', { search: 'hidd' }, farmer);
  expect(found.map((row) => row.name)).toEqual(['Hidden']);
});
