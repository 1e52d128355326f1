import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const ids = new Map<string, string>();

/** The market that is searched: name, description, and what is special. */
const PRODUCTS: [name: string, description: string, special?: Record<string, unknown>][] = [
  ['Red Haven Peaches', 'Handle like eggs.'],
  ['Duck Eggs', 'Large and blue.'],
  ['Eggs', 'From hens on grass.'],
  ['Quail Eggs', 'Sold out already.', { stockMilli: 0 }],
  ['Eggplant', 'Glossy.'],
  ['Nutmegger Squash', 'Stores well.'],
  ['Cream', 'Beaten with an egg it is a custard.'],
  ['Tomato', 'One large one.'],
  ['Heirloom Tomatoes', 'Brandywine.'],
  ['Strawberry Jam', 'Little sugar.'],
  ['Mixed Berries', 'Picked this morning.'],
  ['Lettuce', 'Crisp leaves.'],
  ['Peas', 'Sugar snaps.'],
  ['Crème Brûlée', 'Burnt.'],
  ['Hidden Rutabaga', 'A draft.', { isActive: false }],
  ['Expired Kohlrabi', 'Gone.', { availableUntil: new Date('2026-01-01') }],
];

const market = closeAfter(await startTestMarket());
const { db } = market.platform;
const [farmer, orchard] = await Promise.all([market.join('farmer'), market.join('farmer')]);
const vegetables = await makeCategory(market.platform);
const made = await db.product.createManyAndReturn({
  data: PRODUCTS.map(([name, description, special], index) => ({
    farmerId: farmer.id,
    categoryId: vegetables,
    name,
    description,
    priceMinor: 100 * (index + 1),
    unit: 'each' as const,
    stockMilli: 5000,
    // The first is the newest.
    createdAt: new Date(Date.UTC(2026, 0, 1) - index * 60_000),
    ...special,
  })),
});
for (const { name, id } of made) ids.set(name, id);

const search = async (query: Record<string, string>) => {
  const { status, body } = await market.get(`/products?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { data: Product[]; correctedSearch?: string; nextCursor: string | null };
};
const best = async (words: string, more: Record<string, string> = {}) =>
  (await search({ search: words, sort: 'relevance', ...more })).data.map(({ name }) => name);

describe('the best match', () => {
  it('has names before descriptions, whole words first, and what is sold out last', async () => {
    expect(await best('egg')).toEqual([
      'Eggs',
      'Duck Eggs',
      'Eggplant',
      'Nutmegger Squash',
      'Red Haven Peaches',
      'Cream',
      'Quail Eggs',
    ]);
  });

  it.each([
    ['EGGS', 'Eggs'],
    ['tomato', 'Tomato'],
    ['tomatoes', 'Tomato'],
    ['creme brulee', 'Crème Brûlée'],
    ['CRÈME', 'Crème Brûlée'],
    ['heirloom tomato', 'Heirloom Tomatoes'],
    ['lettuce leaf', 'Lettuce'],
    ['berries', 'Mixed Berries'],
    ['berry', 'Mixed Berries'],
  ])('of %s is %s', async (words, name) => {
    expect((await best(words))[0]).toBe(name);
  });

  it.each([
    ['tomatoes', ['Heirloom Tomatoes', 'Tomato']],
    ['tomato', ['Heirloom Tomatoes', 'Tomato']],
    ['berries', ['Mixed Berries', 'Strawberry Jam']],
    ['berry', ['Mixed Berries', 'Strawberry Jam']],
    ['leaves', ['Lettuce']],
    ['peas', ['Peas']],
  ])('finds %s in the singular and plural: %s', async (words, names) => {
    expect((await best(words)).sort()).toEqual(names);
    for (const sort of ['newest', 'price-asc', 'price-desc']) {
      const { data } = await search({ search: words, sort });
      expect(data.map(({ name }) => name).sort()).toEqual(names);
    }
  });

  it('goes by the farm and its place, also after it moved or got another name', async () => {
    const { body } = await market.post(
      '/products',
      orchard,
      productInput(vegetables, { name: 'Plums' }),
    );
    expect(await best('plums')).toEqual(['Plums']);
    const move = (city: string, zipCode: string) =>
      market.put('/users/profile', orchard, {
        name: 'Olive',
        address: { street: '', city, state: 'NH', zipCode },
      });
    const rename = (farmName: string) =>
      market.put('/users/farmers/profile', orchard, { farmName, description: 'Trees.' });
    expect((await move('Putney', '03441')).status).toBe(200);
    expect((await rename('Egg Hill')).status).toBe(200);
    for (const words of ['putney', 'PUTNEY NH', '03441', 'egg hill']) {
      expect(await best(words), words).toEqual(['Plums']);
    }
    expect((await best('egg')).at(-2)).toBe('Plums');
    await move('Walpole', '03608');
    expect(await best('putney')).toEqual([]);
    expect(await best('walpole plums')).toEqual(['Plums']);
    await market.delete(`/products/${body.data._id}`, orchard);
  });

  it('pages each product once with ties, whatever the page size, while stock changes', async () => {
    const { db } = market.platform;
    const at = new Date(Date.UTC(2025, 0, 1));
    await db.product.createMany({
      data: Array.from({ length: 40 }, (_, index) => ({
        farmerId: farmer.id,
        name: index % 2 === 0 ? 'Turnip' : 'Roots',
        description: 'A turnip.',
        priceMinor: 100,
        unit: 'each' as const,
        stockMilli: 1000 * (5 + (index % 3)),
        createdAt: new Date(at.getTime() + (index % 3)),
      })),
    });
    const whole = (await search({ search: 'turnip', sort: 'relevance', limit: '200' })).data;
    expect(whole.map(({ name }) => name)).toEqual([
      ...Array(20).fill('Turnip'),
      ...Array(20).fill('Roots'),
    ]);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 41 }), async (limit) => {
        const rows: string[] = [];
        let cursor: string | null = '';
        do {
          const page = await search({
            search: 'turnip',
            sort: 'relevance',
            limit: String(limit),
            cursor: cursor ?? '',
          });
          rows.push(...page.data.map(({ _id }) => _id));
          cursor = page.nextCursor;
          // Less of it is no other place.
          await db.product.updateMany({
            where: { name: 'Turnip', stockMilli: { gt: 1000 } },
            data: { stockMilli: { decrement: 1000 } },
          });
        } while (cursor);
        expect(rows).toEqual(whole.map(({ _id }) => _id));
      }),
      { numRuns: 8 },
    );
    await db.product.deleteMany({ where: { name: { in: ['Turnip', 'Roots'] } } });
  });

  it('ranks the newest of many, and ends', async () => {
    const { db } = market.platform;
    await db.product.createMany({
      data: Array.from({ length: 1200 }, (_, index) => ({
        farmerId: farmer.id,
        name: index < 600 ? 'Chard' : 'Greens',
        description: 'Some chard.',
        priceMinor: 100,
        unit: 'each' as const,
        stockMilli: 1000,
      })),
    });
    let cursor: string | null = '';
    const rows = new Set<string>();
    do {
      const page = await search({ search: 'chard', sort: 'relevance', limit: '200', cursor });
      for (const { _id } of page.data) rows.add(_id);
      cursor = page.nextCursor;
    } while (cursor);
    expect(rows.size).toBeGreaterThanOrEqual(500);
    expect(rows.size).toBeLessThanOrEqual(1000);
    await db.product.deleteMany({ where: { name: { in: ['Chard', 'Greens'] } } });
  });

  it('takes no cursor of another sort, nor of itself without a search', async () => {
    const { nextCursor } = await search({ search: 'egg', sort: 'relevance', limit: '1' });
    for (const query of [
      { search: 'egg', sort: 'newest' },
      { sort: 'relevance' },
      { search: 'egg', sort: 'price-asc' },
    ]) {
      const params = new URLSearchParams({ ...query, cursor: nextCursor ?? '' });
      expect((await market.get(`/products?${params}`)).status).toBe(400);
    }
  });
});

describe('similar words', () => {
  it.each([
    ['tomatos', 'tomatoes', ['Heirloom Tomatoes', 'Tomato']],
    ['Heirlom Tomatos', 'heirloom tomatoes', ['Heirloom Tomatoes']],
    ['strawbery', 'strawberry', ['Strawberry Jam']],
    ['egplant', 'eggplant', ['Eggplant']],
  ])('stand in for %s, of which there is nothing', async (typed, corrected, names) => {
    for (const sort of ['relevance', 'newest', 'price-desc']) {
      const answer = await search({ search: typed, sort });
      expect(answer.correctedSearch).toBe(corrected);
      expect(answer.data.map(({ name }) => name).sort()).toEqual(names);
    }
  });

  it('come page by page', async () => {
    const first = await search({ search: 'tomatos', sort: 'relevance', limit: '1' });
    const second = await search({
      search: 'tomatos',
      sort: 'relevance',
      limit: '1',
      cursor: first.nextCursor ?? '',
    });
    expect([...first.data, ...second.data].map(({ name }) => name).sort()).toEqual([
      'Heirloom Tomatoes',
      'Tomato',
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('are not used for what the market has, though the filters leave nothing', async () => {
    const answer = await search({ search: 'tomato', organic: 'true' });
    expect(answer).toMatchObject({ data: [] });
    expect(answer.correctedSearch).toBeUndefined();
  });

  it('are all words in another order, without a correction', async () => {
    const answer = await search({ search: 'brandywine heirloom', sort: 'relevance' });
    expect(answer.data.map(({ name }) => name)).toEqual(['Heirloom Tomatoes']);
    expect(answer.correctedSearch).toBeUndefined();
  });

  it.each(['rutabga', 'rutabaga', 'kohlrabbi', 'kohlrabi'])(
    'never lead to drafts or what is gone: %s',
    async (typed) => {
      expect(await search({ search: typed })).toMatchObject({ data: [], nextCursor: null });
    },
  );
});

describe('filters', () => {
  it('narrow by stock, price, organic and by how the farm hands over', async () => {
    expect(await best('eggs', { inStock: 'true' })).not.toContain('Quail Eggs');
    expect(await best('eggs', { inStock: 'false', organic: 'false' })).toContain('Quail Eggs');
    const priced = await search({ minPrice: '2', maxPrice: '3.00', sort: 'price-asc' });
    expect(priced.data.map(({ price }) => price)).toEqual([2, 3]);
    const { data } = await search({ category: vegetables.toUpperCase(), farmer: farmer.id });
    expect(data).toHaveLength(PRODUCTS.length - 2);

    const { body } = await market.post(
      '/products',
      orchard,
      productInput(vegetables, { name: 'Quinces', isOrganic: true }),
    );
    expect(await best('quince', { organic: 'true' })).toEqual(['Quinces']);
    const offer = (acceptsPickup: boolean, acceptsDelivery: boolean) =>
      market.put('/users/farmers/profile', orchard, {
        farmName: 'Hill',
        description: 'Trees.',
        acceptsPickup,
        acceptsDelivery,
      });
    for (const [pickup, delivery] of [
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ] as const) {
      await offer(pickup, delivery);
      expect(await best('quince', { orderType: 'pickup' })).toEqual(pickup ? ['Quinces'] : []);
      expect(await best('quince', { orderType: 'delivery' })).toEqual(delivery ? ['Quinces'] : []);
    }
    await market.delete(`/products/${body.data._id}`, orchard);
  });
});

describe('facets', () => {
  const facets = async (query: Record<string, string> = {}) => {
    const path = `/products/facets?${new URLSearchParams(query)}`;
    const { status, body } = await market.get(path);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };
  const exact = (count: number) => ({ count, isExact: true });

  it('count what each choice would find, with the other filters as they are', async () => {
    expect(await facets({ search: 'egg' })).toEqual({
      found: exact(7),
      organic: exact(0),
      inStock: exact(6),
      pickup: exact(7),
      delivery: exact(0),
      categories: [{ _id: vegetables, name: 'Vegetables', ...exact(7) }],
      farmers: [{ _id: farmer.id, name: farmer.name, ...exact(7) }],
      towns: [{ name: 'Ashford', count: 7, isExact: true }],
      prices: { min: 1, max: 7 },
    });
    // What is chosen narrows the others, not itself.
    expect(await facets({ search: 'egg', organic: 'true' })).toMatchObject({
      found: exact(0),
      organic: exact(0),
      inStock: exact(0),
      categories: [],
    });
    expect(await facets({ search: 'egg', inStock: 'true', maxPrice: '3' })).toMatchObject({
      found: exact(3),
      inStock: exact(3),
      prices: { min: 1, max: 7 },
    });
  });

  it.each<Record<string, string>>([
    {},
    { search: 'tomatos' },
    { search: 'berries', inStock: 'true' },
    { orderType: 'pickup', minPrice: '3' },
    { search: '%' },
  ])('agree with the list for %o', async (query) => {
    const { data } = await search({ ...query, limit: '200' });
    const answer = await facets(query);
    expect(answer.found).toEqual(exact(data.length));
    const counted = await search({ ...query, limit: '200', inStock: 'true' });
    expect(answer.inStock).toEqual(exact(counted.data.length));
    for (const { _id, count } of answer.categories) {
      expect((await search({ ...query, limit: '200', category: _id })).data).toHaveLength(count);
    }
  });

  it('never count drafts, and name the chosen farm though it has nothing', async () => {
    const all = await facets();
    expect(all.found).toEqual(exact(PRODUCTS.length - 2));
    const answer = await facets({ farmer: orchard.id.toUpperCase(), search: 'egg' });
    expect(answer.farmers.map((farm: { _id: string }) => farm._id)).toContain(orchard.id);
    expect(answer.found).toEqual(exact(0));
    const unknown = await facets({ farmer: crypto.randomUUID() });
    expect(unknown.found).toEqual(exact(0));
  });

  it('follow the stock, the farm and the category at once', async () => {
    const consumer = await market.join('consumer');
    const made = await market.post(
      '/products',
      orchard,
      productInput(vegetables, { name: 'Medlars', quantityAvailable: 2 }),
    );
    expect((await facets({ search: 'medlar' })).inStock).toEqual(exact(1));
    const order = orderInput(orchard.id, [{ product: made.body.data._id, quantity: 2 }]);
    await market.put('/users/farmers/profile', orchard, {
      farmName: 'Hill',
      description: 'Trees.',
      acceptsPickup: true,
    });
    expect((await facets({ search: 'medlar' })).pickup).toEqual(exact(1));
    expect((await market.post('/orders', consumer, order)).status).toBe(201);
    expect((await facets({ search: 'medlar' })).inStock).toEqual(exact(0));
    expect(await best('medlar', { inStock: 'true' })).toEqual([]);
    await market.put('/users/farmers/profile', orchard, {
      farmName: 'Hill',
      description: 'Trees.',
      acceptsPickup: false,
    });
    expect((await facets({ search: 'medlar' })).pickup).toEqual(exact(0));
    const place = `/products/${made.body.data._id}`;
    await market.put(place, orchard, { quantityAvailable: 1 });
    expect((await facets({ search: 'medlar' })).inStock).toEqual(exact(1));
    await market.put(place, orchard, { isActive: false });
    expect((await facets({ search: 'medlar' })).found).toEqual(exact(0));
  });
});
