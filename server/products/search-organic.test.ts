import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/products';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../testing/market.ts';

// Searches that hold the word organic.

let market: TestMarket;
let farmer: Caller;
let vegetables: string;

beforeAll(async () => {
  market = await startTestMarket();
  farmer = await market.join('farmer');
  vegetables = await makeCategory(market.platform);
  for (const product of [
    { name: 'Eggs', description: 'From hens on grass.' },
    { name: 'Tomato', description: 'One large one.' },
    { name: 'Heirloom Tomatoes', description: 'Brandywine.', isOrganic: true },
  ]) {
    const body = productInput(vegetables, product);
    expect((await market.call('POST', '/products', { as: farmer, body })).status).toBe(201);
  }
});
afterAll(() => market.close());

const search = async (query: Record<string, string>) => {
  const { status, body } = await market.call('GET', `/products?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { data: Product[]; correctedSearch?: string };
};

it.each([
  ['organic', ['Heirloom Tomatoes']],
  ['Organic tomato', ['Heirloom Tomatoes']],
  ['tomatoes organic', ['Heirloom Tomatoes']],
  ['organic eggs', []],
])('means the mark, of which no text tells: %s', async (words, names) => {
  for (const sort of ['relevance', 'newest', 'price-asc']) {
    const { data, correctedSearch } = await search({ search: words, sort });
    expect(data.map(({ name }) => name)).toEqual(names);
    expect(correctedSearch).toBeUndefined();
  }
  const { body } = await market.call(
    'GET',
    `/products/facets?${new URLSearchParams({ search: words })}`,
  );
  expect(body.data.found.count).toBe(names.length);
});

it('stays beside a corrected one', async () => {
  const { data, correctedSearch } = await search({ search: 'organic tomatos' });
  expect(data.map(({ name }) => name)).toEqual(['Heirloom Tomatoes']);
  expect(correctedSearch).toBe('organic tomatoes');
});

it('is a word of a text first', async () => {
  const { body } = await market.call('POST', '/products', {
    as: farmer,
    body: productInput(vegetables, { name: 'Organic Compost' }),
  });
  expect((await search({ search: 'organic' })).data.map(({ name }) => name)).toEqual([
    'Organic Compost',
  ]);
  await market.call('DELETE', `/products/${body.data._id}`, { as: farmer });
});
