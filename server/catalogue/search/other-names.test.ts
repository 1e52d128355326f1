import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { otherNamesOf } from './word-forms.ts';

const PRODUCTS: [name: string, isActive?: boolean][] = [
  ['Glossy Eggplant'],
  ['Lettuce'],
  ['Green Onions'],
  ['Bell Tower Honey'],
  ['Red Capsicum'],
  ['Rutabaga', false],
];

const market = closeAfter(await startTestMarket());
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
    isOrganic: name === 'Glossy Eggplant',
  })),
});

async function search(words: string, sort = 'newest') {
  const query = new URLSearchParams({ search: words, sort });
  const { body } = await market.get(`/products?${query}`);
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

it.each([
  ['organic', { names: ['Glossy Eggplant'] }],
  ['Organic eggplants', { names: ['Glossy Eggplant'] }],
  ['eggplant organic', { names: ['Glossy Eggplant'] }],
  ['organic lettuce', { names: [] }],
  ['organic egplant', { names: ['Glossy Eggplant'], correctedSearch: 'organic eggplant' }],
])('takes the word organic, which no text contains, for the mark: %s', async (words, found) => {
  for (const sort of ['relevance', 'newest', 'price-asc']) {
    expect(await search(words, sort), sort).toEqual(found);
  }
  const query = new URLSearchParams({ search: words });
  const { body } = await market.get(`/products/facets?${query}`);
  expect(body.data.found.count).toBe(found.names.length);
});

it('takes the word organic for one of a text first', async () => {
  const { db } = market.platform;
  const { farmerId, categoryId } = await db.product.findFirstOrThrow();
  const goods = { farmerId, categoryId, description: '', priceMinor: 100, stockMilli: 5000 };
  await db.product.create({ data: { ...goods, name: 'Organic Compost', unit: 'each' } });
  // A sort that was not asked for yet, whose answer is in no cache.
  expect(await search('organic', 'price-desc')).toEqual({ names: ['Organic Compost'] });
  await db.product.deleteMany({ where: { name: 'Organic Compost' } });
});

it('matches singular and plural, and whole names alone', () => {
  expect(otherNamesOf('courgettes')).toEqual(['zucchini']);
  expect(otherNamesOf('zucchini')).toEqual(['courgette']);
  expect(otherNamesOf('rocket')).toEqual(['arugula']);
  expect(otherNamesOf('corn salad')).toEqual([]);
  expect(otherNamesOf('')).toEqual([]);
});
