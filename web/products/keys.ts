import type { ProductSort } from '#contract/products';

/** The filters of a list of products. */
export type ProductFilters = {
  search?: string | undefined;
  category?: string | undefined;
  farmer?: string | undefined;
};

/** The keys of products in the query cache; each begins with `all`. */
export const productsKeys = {
  all: ['products'] as const,
  markets: () => ['products', 'market'] as const,
  sortedMarkets: (sort: ProductSort) => ['products', 'market', sort] as const,
  market: (sort: ProductSort, filters: ProductFilters) =>
    ['products', 'market', sort, filters] as const,
  featured: () => ['products', 'featured'] as const,
  details: () => ['products', 'detail'] as const,
  detail: (id: string) => ['products', 'detail', id] as const,
  owns: () => ['products', 'own'] as const,
  own: (farmerId: string) => ['products', 'own', farmerId] as const,
};
