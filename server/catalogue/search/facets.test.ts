import { expect, it } from 'vitest';
import { type Counts, presentFacets } from './facets.ts';

const counts = (over: Partial<Counts> = {}): Counts => ({
  found: 3,
  organic: 2,
  inStock: 1,
  pickup: 3,
  delivery: 0,
  minPrice: 150,
  maxPrice: 1205,
  categories: [],
  farmers: [],
  towns: [],
  ...over,
});

it('takes each choice from the products that fit all other filters', () => {
  const all = counts();
  const others = {
    category: counts({ categories: [{ id: 'c', name: 'Fruit', count: 9 }] }),
    farmer: counts({ farmers: [{ id: 'f', name: 'Hill', count: 8 }] }),
    organic: counts({ organic: 7 }),
    inStock: counts({ inStock: 6 }),
    orderType: counts({ pickup: 5, delivery: 4 }),
    town: counts({ towns: [{ name: 'Putney', count: 6 }] }),
    without: counts(),
    prices: counts({ minPrice: 100, maxPrice: 100 }),
  };
  expect(presentFacets(all, (choice) => others[choice])).toEqual({
    found: { count: 3, isExact: true },
    organic: { count: 7, isExact: true },
    inStock: { count: 6, isExact: true },
    pickup: { count: 5, isExact: true },
    delivery: { count: 4, isExact: true },
    categories: [{ _id: 'c', name: 'Fruit', count: 9, isExact: true }],
    farmers: [{ _id: 'f', name: 'Hill', count: 8, isExact: true }],
    towns: [{ name: 'Putney', count: 6, isExact: true }],
    prices: { min: 1, max: 1 },
  });
});

it.each([
  [1000, 1000, { count: 1000, isExact: true }],
  [1001, 1001, { count: 1000, isExact: false }],
  [1001, 4, { count: 4, isExact: false }],
])('of %i products with %i in stock says %o', (found, inStock, expected) => {
  const all = counts({ found, inStock });
  expect(presentFacets(all, () => all).inStock).toEqual(expected);
});

it('has the chosen farm once, and no prices where there is nothing', () => {
  const none = counts({ found: 0, minPrice: null, maxPrice: null });
  const farm = { id: 'f', name: 'Hill', count: 0 };
  expect(presentFacets(none, () => none, farm)).toMatchObject({
    farmers: [{ _id: 'f', name: 'Hill', count: 0 }],
    prices: null,
  });
  const some = counts({ farmers: [{ id: 'f', name: 'Hill', count: 2 }] });
  expect(presentFacets(some, () => some, farm).farmers).toHaveLength(1);
});
