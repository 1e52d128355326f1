import { expect, test } from 'vitest';
import { closeAfter, makeCategory, startTestMarket } from '../../testing/market.ts';
import { productCalls } from '../testing/calls.ts';

// Searches, filters and counts of what is sold in sizes, is always available, or has SKUs.

const market = closeAfter(await startTestMarket({ RATE_LIMIT_SCALE: '100' }));
const [farmer, neighbour] = await Promise.all([market.join('farmer'), market.join('farmer')]);
const category = await makeCategory(market.platform);
const { add, change } = productCalls(() => ({ market, farmer, category }));

const size = (label: string, content: number, price: number, over: object = {}) => ({
  ...{ label, content, price },
  ...over,
});
const eggs = await add({
  ...{ name: 'Eggs', unit: 'each', quantityAvailable: 9, price: undefined, sku: 'EGG' },
  sizes: [
    size('Tray of thirty', 30, 9, { sku: 'EGG-30' }),
    size('Half dozen', 6, 2),
    size('Single', 1, 0.5, { isActive: false, sku: 'one%' }),
  ],
});
const sacks = await add({
  ...{ name: 'Eggplant', unit: 'kg', quantityAvailable: 4, price: undefined },
  sizes: [size('5 kg sack', 5, 4)],
});
const bread = await add({ name: 'Eggy bread', availability: 'always', price: 7, sku: 'BRD' });
await add({ name: 'Kale', sku: 'EGG-30' }, neighbour);

const names = async (path: string, as = farmer) => {
  const { status, body } = await market.get(path, as);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};
const search = (words: string, rest = '') =>
  names(`/products?farmer=${farmer.id}&search=${encodeURIComponent(words)}${rest}`);
const own = (words: string, as = farmer) =>
  names(`/products/farmer/me?search=${encodeURIComponent(words)}`, as);

test('a label of a size that is on finds its product', async () => {
  expect(await search('tray')).toEqual(['Eggs']);
  expect(await search('TRAYS of thirty')).toEqual(['Eggs']);
  expect(await search('5 kg')).toEqual(['Eggplant']);
  expect(await search('single')).toEqual([]);
  const [thirty, six, one] = eggs.sizes ?? [];
  await change(eggs._id, { sizes: [thirty, six, { ...one, label: 'Loose', isActive: true }] });
  expect(await search('loose')).toEqual(['Eggs']);
  await change(eggs._id, { sizes: [thirty, six, { ...one, isActive: false }] });
  expect(await search('loose')).toEqual([]);
});

test('a SKU finds its product for its farm alone', async () => {
  expect(await own('egg-30')).toEqual(['Eggs']);
  expect(await own('EGG-30', neighbour)).toEqual(['Kale']);
  expect(await own('BR')).toEqual(['Eggy bread']);
  expect(await own('30')).toEqual(['Eggs']);
  expect(await own('e%')).toEqual(['Eggs']);
  expect(await own('one_')).toEqual([]);
  expect(await own('eggs')).toEqual(['Eggs']);
  expect(await own('egg')).toEqual(['Eggy bread', 'Eggplant', 'Eggs']);
  expect(await search('EGG-30')).toEqual([]);
  expect(await search('BRD')).toEqual([]);
});

test('filters, sorts and counts go by the smallest order and the lowest price', async () => {
  expect(await search('egg', '&inStock=true&sort=price-asc')).toEqual(['Eggs', 'Eggy bread']);
  expect(await search('egg', '&sort=price-desc')).toEqual(['Eggy bread', 'Eggplant', 'Eggs']);
  expect(await search('egg', '&maxPrice=2')).toEqual(['Eggs']);
  expect(await search('egg', '&minPrice=2.5')).toEqual(['Eggy bread', 'Eggplant']);
  // What is sold out is the last of the best, although it is newer.
  expect((await search('egg', '&sort=relevance')).at(-1)).toBe('Eggplant');
  const { body } = await market.get(`/products/facets?farmer=${farmer.id}`);
  expect(body.data).toMatchObject({
    ...{ found: { count: 3 }, inStock: { count: 2 } },
    prices: { min: 2, max: 7 },
  });
  await change(sacks._id, { quantityAvailable: 5 });
  expect(await search('eggplant', '&inStock=true')).toEqual(['Eggplant']);
  expect((await market.get(`/products/${bread._id}`)).body.data.sku).toBe('BRD');
});
