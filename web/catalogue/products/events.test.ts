import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import type { ListAnswer } from '../../platform/queries/pages.ts';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { productReducers } from './events.ts';
import { featuredProductsQuery, productsQuery } from './queries.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const FARM = id(900);

/** Returns a product that was created in this minute. */
const product = (number: number, change: Partial<Product> = {}): Product => ({
  _id: id(number),
  name: `Product ${number}`,
  description: 'Fresh',
  category: { _id: id(800), name: 'Vegetables' },
  price: number,
  unit: 'lb',
  soldBy: 'unit',
  quantityAvailable: 10,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: {
    _id: FARM,
    name: 'Ada',
    farmName: 'Green Valley Farm',
    address: { street: '', city: '', state: '', zipCode: '' },
  },
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  version: 1,
  ...change,
});

const envelope = <Name extends EventName>(name: Name, data: Envelope<Name>['data']) =>
  ({ seq: 1, id: id(1000), at: '2026-01-02T00:00:00Z', name, data }) as Envelope<Name>;

const apply = {
  created: (cache: QueryClient, data: Product) =>
    productReducers['product.created'](cache, envelope('product.created', data)),
  updated: (cache: QueryClient, data: Product) =>
    productReducers['product.updated'](cache, envelope('product.updated', data)),
};

const pages = (data: Product[], nextCursor: string | null = null) => ({
  pages: [{ success: true as const, data, count: data.length, nextCursor }],
  pageParams: [null],
});
const names = (data: InfiniteData<ListAnswer<Product>, string | null> | undefined) =>
  data?.pages.flatMap((page) => page.data).map((each) => each.name);

/** Returns a cache that was filled when these were all products. */
function cacheOf(all: readonly Product[]): QueryClient {
  const cache = createQueryClient();
  cache.setQueryData(productsQuery().queryKey, pages(all.toReversed()));
  cache.setQueryData(featuredProductsQuery().queryKey, all.toReversed());
  return cache;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('a list with filters', () => {
  const facts = { isOrganic: true, quantityAvailable: 3, price: 5 };
  it.each([
    ['sold out', { inStock: 'true' }, { quantityAvailable: 0 }],
    ['no longer organic', { organic: 'true' }, { isOrganic: false }],
    ['too dear', { maxPrice: 5 }, { price: 5.01 }],
    ['too cheap', { minPrice: 5 }, { price: 4.99 }],
    ['of another category', { category: id(800) }, { category: { _id: id(801), name: 'Fruits' } }],
  ] as const)('loses what is %s, and has it back', (_, filters, change) => {
    const cache = createQueryClient();
    const { queryKey } = productsQuery(filters);
    cache.setQueryData(queryKey, pages([product(2, facts), product(1, facts)]));
    apply.updated(cache, product(2, { ...facts, ...change, version: 2 }));
    expect(names(cache.getQueryData(queryKey))).toEqual(['Product 1']);
    // An older state that arrives late changes nothing.
    apply.updated(cache, product(1, { ...facts, ...change, version: 1 }));
    expect(names(cache.getQueryData(queryKey))).toEqual(['Product 1']);
    apply.updated(cache, product(2, { ...facts, version: 3 }));
    expect(names(cache.getQueryData(queryKey))).toEqual(['Product 2', 'Product 1']);
  });

  it('asks the server what a farm offers, and how well a product fits', () => {
    const cache = createQueryClient();
    for (const query of [
      productsQuery({ orderType: 'pickup' }),
      productsQuery({ search: 'plum' }, 'relevance'),
    ]) {
      cache.setQueryData(query.queryKey, pages([product(1), product(3)]));
      apply.updated(cache, product(3, { price: 9, version: 2 }));
      apply.created(cache, product(2));
      expect(names(cache.getQueryData(query.queryKey))).toEqual(['Product 1', 'Product 3']);
      vi.advanceTimersByTime(1_000);
      expect(cache.getQueryState(query.queryKey)?.isInvalidated).toBe(true);
    }
  });
});

it('removes a product past its last day from the market', () => {
  vi.setSystemTime('2026-11-21T10:00:00Z');
  const cache = cacheOf([product(1, { availableUntil: '2026-11-21' })]);
  apply.updated(cache, product(1, { availableUntil: '2026-11-21', version: 2 }));
  expect(names(cache.getQueryData(productsQuery().queryKey))).toEqual(['Product 1']);
  apply.updated(cache, product(1, { availableUntil: '2026-11-20', version: 3 }));
  expect(names(cache.getQueryData(productsQuery().queryKey))).toEqual([]);
});

it('keeps eight products on the home page', () => {
  const eight = Array.from({ length: 8 }, (_, index) => product(index + 1));
  const cache = cacheOf(eight);
  apply.created(cache, product(9));
  expect(cache.getQueryData(featuredProductsQuery().queryKey)?.map((each) => each.name)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2].map((number) => `Product ${number}`),
  );
});
