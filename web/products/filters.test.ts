import { describe, expect, it } from 'vitest';
import {
  chosenSort,
  filtersOf,
  formatFacet,
  NO_FILTERS,
  parsePrice,
  priceErrors,
  readFilterTexts,
  setFilters,
} from './filters.ts';

const ID = 'ABCDEF00-0000-4000-8000-000000000001';

it.each([
  ['', undefined],
  ['2', 2],
  [' 2.5 ', 2.5],
  ['2,50', 2.5],
  ['0', 0],
  ['1000000', 1_000_000],
  ['1000000.01', undefined],
  ['2.505', undefined],
  ['-1', undefined],
  ['1e309', undefined],
  ['NaN', undefined],
  ['two', undefined],
])('reads the price %j as %j', (text, price) => {
  expect(parsePrice(text)).toBe(price);
});

it.each([
  ['', '', {}],
  ['2', '2', {}],
  ['3', '2', { maxPrice: "The highest price can't be below the lowest." }],
  ['x', '', { minPrice: 'Enter a price like 2.50.' }],
  ['1', '-1', { maxPrice: 'Enter a price like 2.50.' }],
])('says what is wrong with prices from %j to %j', (minPrice, maxPrice, errors) => {
  expect(priceErrors({ minPrice, maxPrice })).toEqual(errors);
});

describe('an address', () => {
  it.each([
    ['', {}],
    ['?search=%20plums%20&sort=newest', { search: 'plums' }],
    [`?category=${ID}&farmer=${ID}`, { category: ID.toLowerCase(), farmer: ID.toLowerCase() }],
    ['?organic=true&inStock=true', { organic: 'true', inStock: 'true' }],
    ['?organic=yes&inStock=false&orderType=post', {}],
    [
      '?orderType=delivery&minPrice=1&maxPrice=2,5',
      { orderType: 'delivery', minPrice: 1, maxPrice: 2.5 },
    ],
    ['?minPrice=9&maxPrice=2', {}],
    ['?minPrice=cheap&maxPrice=2', {}],
  ])('%s asks for %o', (query, filters) => {
    expect(filtersOf(readFilterTexts(query))).toEqual(filters);
  });

  it('without anything asks for all', () => {
    expect(readFilterTexts('')).toEqual(NO_FILTERS);
  });
});

it('names what is set, the prices as one', () => {
  const names = { category: 'Fruit', farm: undefined };
  const filters = {
    search: 'x',
    category: 'a',
    farmer: 'b',
    organic: 'true',
    inStock: 'true',
  } as const;
  const labels = (more: object) =>
    setFilters({ ...filters, ...more }, names).map(({ label }) => label);
  expect(labels({ orderType: 'pickup', minPrice: 1, maxPrice: 2 })).toEqual([
    'Fruit',
    'One farm',
    'Organic',
    'In stock',
    'Pickup',
    '₨1.00 to ₨2.00',
  ]);
  expect(labels({ maxPrice: 2 }).at(-1)).toBe('Up to ₨2.00');
  expect(labels({ minPrice: 0 }).at(-1)).toBe('From ₨0.00');
  expect(setFilters({ search: 'x' }, names)).toEqual([]);
});

it.each([
  ['', false, 'newest'],
  ['', true, 'relevance'],
  ['newest', true, 'newest'],
  ['relevance', true, 'relevance'],
  ['relevance', false, 'newest'],
  ['price-asc', false, 'price-asc'],
  ['cheapest', true, 'relevance'],
])('sorts by %j, searching %j, as %s', (text, isSearching, sort) => {
  expect(chosenSort(text, isSearching)).toBe(sort);
});

it('says when there are more than were counted', () => {
  expect(formatFacet({ count: 12, isExact: true })).toBe('12');
  expect(formatFacet({ count: 1000, isExact: false })).toBe('1,000+');
});
