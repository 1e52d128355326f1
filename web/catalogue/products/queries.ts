import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { ProductFilters, ProductSort } from '#contract/catalogue/products/product-search';
import { call, dataOf } from '../../platform/api/api.ts';
import { paging, rootKeys } from '../../platform/queries/pages.ts';

/** The keys of products in the query cache; each begins with `all`. */
export const productsKeys = {
  all: rootKeys.products,
  markets: () => ['products', 'market'] as const,
  sortedMarkets: (sort: ProductSort) => ['products', 'market', sort] as const,
  /** `start` is the cursor of the first page, null for the first of all. */
  market: (sort: ProductSort, filters: ProductFilters, start: string | null = null) =>
    [...['products', 'market', sort, filters], ...(start === null ? [] : [start])] as const,
  allFacets: () => ['products', 'facets'] as const,
  facets: (filters: ProductFilters) => ['products', 'facets', filters] as const,
  featured: () => ['products', 'featured'] as const,
  details: () => ['products', 'detail'] as const,
  use: (id: string) => ['products', 'use', id] as const,
  detail: (id: string) => ['products', 'detail', id] as const,
  owns: () => ['products', 'own'] as const,
  own: (farmerId: string) => ['products', 'own', farmerId] as const,
};

/** The number of newest products that the home page fetches. */
export const FEATURED_COUNT = 8;
/** The page size of product lists. */
const PAGE_SIZE = 24;
/** The server's maximum page size, because a farmer's own products are searched in the browser. */
const OWN_PAGE_SIZE = 200;

/** The products on the market, page by page, from the first page or the one that the cursor `start` begins. */
export const productsQuery = (
  filters: ProductFilters = {},
  sort: ProductSort = 'newest',
  start: string | null = null,
) =>
  infiniteQueryOptions({
    queryKey: productsKeys.market(sort, filters, start),
    queryFn: ({ pageParam, signal }) =>
      call(productsApi.list, {
        query: { ...filters, sort, limit: PAGE_SIZE, cursor: pageParam },
        signal,
      }),
    ...paging,
    initialPageParam: start,
  });

/** What each choice of a filter would find. */
export const productFacetsQuery = (filters: ProductFilters) =>
  queryOptions({
    queryKey: productsKeys.facets(filters),
    queryFn: dataOf(productsApi.facets, { query: filters }),
  });

/** The newest few products, for the home page. */
export const featuredProductsQuery = () =>
  queryOptions({
    queryKey: productsKeys.featured(),
    queryFn: dataOf(productsApi.list, { query: { limit: FEATURED_COUNT } }),
  });

/** One product. */
export const productQuery = (id: string) =>
  queryOptions({
    queryKey: productsKeys.detail(id),
    queryFn: dataOf(productsApi.detail, { params: { id } }),
  });

/** The products of the signed-in farmer (whose id is given), inactive ones too, newest first. */
export const ownProductsQuery = (farmerId: string) =>
  infiniteQueryOptions({
    queryKey: productsKeys.own(farmerId),
    queryFn: ({ pageParam, signal }) =>
      call(productsApi.own, { query: { limit: OWN_PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
  });
