import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { PRODUCT_SORTS } from '#contract/catalogue/products/constants/products';
import type { HiddenProduct, Product } from '#contract/catalogue/products/product';
import type { ProductFilters } from '#contract/catalogue/products/product-search';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import {
  type FeatureReducers,
  refetchAbout,
  remove,
  removeWhere,
  replaceEverywhere,
  upsert,
} from '../../platform/realtime/reducer.ts';
import { FEATURED_COUNT, productsKeys } from './queries.ts';
import { isOnMarket, newestFirst, sortOrders } from './rules.ts';

const PUBLIC_LISTS = [productsKeys.markets(), productsKeys.featured()];
const ALL_LISTS = [...PUBLIC_LISTS, productsKeys.owns()];

/**
 * Returns whether the market list under this key contains the product; undefined where only the server knows: for a
 * text search, for what its farm offers and where, and for what it is to be without.
 */
function belongsToMarket(product: Product, key: QueryKey): boolean | undefined {
  if (!isOnMarket(product)) return false;
  const filters = (key[3] ?? {}) as ProductFilters;
  const { category, farmer, minPrice = 0, maxPrice = Number.POSITIVE_INFINITY } = filters;
  if (category && category !== product.category?._id) return false;
  if (farmer && farmer !== product.farmer._id) return false;
  if (filters.organic === 'true' && !product.isOrganic) return false;
  if (filters.inStock === 'true' && isSoldOut(product)) return false;
  if (product.price < minPrice || product.price > maxPrice) return false;
  return filters.search || filters.orderType || filters.town || filters.without ? undefined : true;
}

/** Returns whether the list under this key is that of the product's farmer. */
function belongsToFarm(product: Product, key: QueryKey): boolean {
  return key[2] === product.farmer._id;
}

function mergeFeatured(cache: QueryClient, product: Product): void {
  const before = cache.getQueryData<Product[]>(productsKeys.featured());
  upsert(cache, productsKeys.featured(), product, { order: newestFirst, belongs: isOnMarket });
  const after = cache.getQueryData<Product[]>(productsKeys.featured());
  if (!before || !after) return;
  // A product left the list; only the server knows which one takes its place.
  if (after.length < before.length) refetch(cache, productsKeys.featured());
  if (after.length > FEATURED_COUNT)
    cache.setQueryData(productsKeys.featured(), after.slice(0, FEATURED_COUNT));
}

/**
 * Merges a product from an event or a response into the lists and its own page. Ignores a product that
 * is older than the cached one.
 */
export function mergeProduct(cache: QueryClient, product: Product): void {
  for (const sort of PRODUCT_SORTS) {
    const order = sortOrders[sort];
    upsert(cache, productsKeys.sortedMarkets(sort), product, {
      ...(order && { order }),
      belongs: belongsToMarket,
    });
  }
  refetch(cache, productsKeys.allFacets());
  upsert(cache, productsKeys.owns(), product, { order: newestFirst, belongs: belongsToFarm });
  mergeFeatured(cache, product);
  replaceEverywhere(cache, product, productsKeys.detail(product._id));
  protectFromStaleFetch(cache, productsKeys.detail(product._id));
}

/** Refetches what only the server knows once something left the public lists. */
function refetchPublic(cache: QueryClient): void {
  refetch(cache, productsKeys.allFacets());
  refetch(cache, productsKeys.featured());
}

/** Removes a product that became inactive from all public lists, unless a newer version is cached. */
function hideProduct(cache: QueryClient, hidden: HiddenProduct): void {
  for (const key of PUBLIC_LISTS)
    upsert<HiddenProduct>(cache, key, hidden, { belongs: () => false });
  refetchPublic(cache);
  // The product page and the cart show what the server answers.
  refetch(cache, productsKeys.detail(hidden._id));
}

const removeFarm = (cache: QueryClient, lists: readonly QueryKey[], farmerId: string): void => {
  for (const key of lists)
    removeWhere<Product>(cache, key, ({ farmer }) => farmer._id === farmerId);
};

/** Removes a deleted product from all lists. */
export function removeProduct(cache: QueryClient, id: string): void {
  for (const key of ALL_LISTS) remove(cache, key, id);
  refetchPublic(cache);
  // The product page shows what the server answers.
  refetch(cache, productsKeys.detail(id));
}

/** Refetches all products, which contain the names of their category and farm. */
const refetchProducts = (cache: QueryClient): void => refetch(cache, productsKeys.all);

/** Keeps every list of products and each product's page current. */
export const productReducers = {
  'product.created': (cache, { data }) => mergeProduct(cache, data),
  'product.updated': (cache, { data }) =>
    'name' in data ? mergeProduct(cache, data) : hideProduct(cache, data),
  'product.deleted': (cache, { data }) => removeProduct(cache, data._id),
  'category.changed': refetchProducts,
  'farmer.updated': refetchProducts,
  'farmer.deleted': (cache, { data }) => {
    removeFarm(cache, ALL_LISTS, data._id);
    refetchPublic(cache);
    // The product pages and the cart show what the server answers.
    refetchAbout(cache, productsKeys.details(), data._id);
  },
  // A farm that is back, the farm's own lists and the pages show what the server answers.
  'farmer.listingChanged': (cache, { data }) => {
    if (!data.isListed) removeFarm(cache, PUBLIC_LISTS, data._id);
    refetchProducts(cache);
  },
} satisfies FeatureReducers;
