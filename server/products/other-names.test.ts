import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/products';
import { makeCategory, startTestMarket, type TestMarket } from '../testing/market.ts';
import { otherNamesOf } from './other-names.ts';

let market: TestMarket;

const PRODUCTS: [name: string, isActive?: boolean][] = [
  ['Glossy Eggplant'],
  ['Lettuce'],
  ['Green Onions'],
  ['Bell Tower Honey'],
  ['Red Capsicum'],
  ['Rutabaga', false],
];

beforeAll(async () => {
  market = await startTestMarket();
  const [farmer, categoryId] = await Promise.all([
    market.join('farmer'),
    makeCategory(market.platform),
  ]);
  await market.platform.db.product.createMany({
    data: PRODUCTS.map(([name, isActive = true]) => ({
      farmerId: farmer.id,
      categoryId,
      name,
      description: '',
      priceMinor: 100,
      unit: 'each' as const,
      stockMilli: 5000,
      isActive,
    })),
  });
});
afterAll(() => market.close());

async function search(words: string) {
  const query = new URLSearchParams({ search: words });
  const { body } = await market.call('GET', `/products?${query}`);
  const { data, correctedSearch } = body as { data: Product[]; correctedSearch?: string };
  return { names: data.map(({ name }) => name), correctedSearch };
}

it.each([
  ['aubergine', 'eggplant', 'Glossy Eggplant'],
  ['AUBERGINES', 'eggplant', 'Glossy Eggplant'],
  ['glossy brinjal', 'glossy eggplant', 'Glossy Eggplant'],
  ['salad', 'lettuce', 'Lettuce'],
  ['scallions', 'green onion', 'Green Onions'],
  ['spring onions', 'green onion', 'Green Onions'],
  ['bell peppers', 'capsicum', 'Red Capsicum'],
])('finds by another name, %s, what the market calls otherwise', async (typed, meant, name) => {
  expect(await search(typed)).toEqual({ names: [name], correctedSearch: meant });
});

it('uses no other name of what the market has, nor one that is not on sale', async () => {
  expect(await search('eggplant')).toEqual({ names: ['Glossy Eggplant'] });
  expect((await search('swede')).correctedSearch).not.toBe('rutabaga');
});

it('knows singular and plural, and whole names alone', () => {
  expect(otherNamesOf('courgettes')).toEqual(['zucchini']);
  expect(otherNamesOf('zucchini')).toEqual(['courgette']);
  expect(otherNamesOf('rocket')).toEqual(['arugula']);
  expect(otherNamesOf('corn salad')).toEqual([]);
  expect(otherNamesOf('')).toEqual([]);
});
