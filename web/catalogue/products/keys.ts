import type { ProductFilters, ProductSort } from '#contract/catalogue/products/product-search';
import { rootKeys } from '../../platform/queries/pages.ts';

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
