import { afterEach, describe, expect, it } from 'vitest';
import {
  parsePrice,
  priceParameter,
  priceText,
  withPriceNumbers,
} from '#contract/catalogue/products/constants/prices';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  chosenSort,
  filtersOf,
  formatFacet,
  NO_FILTERS,
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
  ['20000000', 20_000_000],
  ['20000000.01', undefined],
  ['1,200', 1200],
  ['1.200', undefined],
  ['2.505', undefined],
  ['-1', undefined],
  ['1e309', undefined],
  ['NaN', undefined],
  ['two', undefined],
])('reads the price %j as %j', (text, price) => {
  expect(parsePrice(text)).toBe(price);
});

afterEach(() => setMarket(DEFAULT_MARKET));

/** Makes a market of another currency and locale. */
const adopt = (locale: string, decimals: number) =>
  setMarket({ ...DEFAULT_MARKET, locale, currency: { ...DEFAULT_MARKET.currency, decimals } });

it('an address holds the number of what is typed, and a field the text of it', () => {
  expect(['1,200', '25.000', ' x '].map(priceParameter)).toEqual(['1200', '25.000', 'x']);
  adopt('id-ID', 0);
  expect(['25.000', '2.000.000.000', '2.000.000.001'].map(priceParameter)).toEqual([
    '25000',
    '2000000000',
    '2.000.000.001',
  ]);
  adopt('ar-TN', 3);
  expect(['1.250', '1,25', '1.255,5'].map(priceParameter)).toEqual(['1250', '1.25', '1255.5']);
  expect([parsePrice('1.25'), parsePrice('1.255'), priceText('1.255')]).toEqual([
    1.25,
    1.255,
    '1,255',
  ]);
  expect(['', 'x'].map(priceText)).toEqual(['', 'x']);
});

it.each([
  ['en-US', 2, 'minPrice=1.5&sort=newest', undefined],
  ['en-US', 2, 'minPrice=1%2C200&search=', 'minPrice=1200'],
  ['en-US', 2, 'typedMinPrice=&typedMaxPrice=&search=egg', 'search=egg'],
  [
    'id-ID',
    0,
    'search=a&typedMinPrice=25.000&typedMaxPrice=1.000.000',
    'search=a&minPrice=25000&maxPrice=1000000',
  ],
  ['id-ID', 0, 'minPrice=25.000', 'minPrice=25000'],
  // Only what a form sent is typed; the rest of an address is numbers.
  ['ar-TN', 3, 'minPrice=1.255', undefined],
  ['ar-TN', 3, 'typedMinPrice=1.255', 'minPrice=1255'],
  ['ar-TN', 3, 'minPrice=7&typedMinPrice=8', 'minPrice=8'],
  // What is no price, or has two readings, stays to be asked about.
  ['en-US', 2, 'typedMinPrice=cheap', 'minPrice=cheap'],
  ['en-US', 2, 'minPrice=cheap&maxPrice=1.200', undefined],
])('in %s with %i decimals the address of ?%s is %s', (locale, decimals, query, canonical) => {
  adopt(locale, decimals);
  const next = withPriceNumbers(new URLSearchParams(query));
  expect(next?.toString()).toBe(canonical);
  if (next) expect(withPriceNumbers(next)).toBeUndefined();
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
    ['?without=nuts,milk,bread', { without: 'milk,nuts' }],
    // As a form without scripts sends it.
    ['?without=milk&without=eggs', { without: 'eggs,milk' }],
    ['?without=unknown', {}],
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
  expect(labels({ without: 'milk,nuts' }).at(-1)).toBe('Without milk and nuts');
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
