import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { Product } from '#contract/products';
import { refetch, touched } from '../realtime/in-flight.ts';
import { remove, renew, upsert } from '../realtime/reducer.ts';
import { isOnMarket, newestFirst, sortOrders } from './rules.ts';

/** What a list of products is narrowed down to; what is left out is not asked for. */
export type ProductFilters = {
  search?: string | undefined;
  category?: string | undefined;
  farmer?: string | undefined;
};

/** How many of the newest products the home page fetches. */
export const FEATURED = 8;
export const FEATURED_KEY = ['products', 'featured'] as const;

const MARKET = ['products', 'market'] as const;
const OWN = ['products', 'own'] as const;
const detailKey = (id: string) => ['products', 'detail', id] as const;

/** Whether the market's list under this key holds the product; undefined where words are sought. */
function belongsToMarket(product: Product, key: QueryKey): boolean | undefined {
  if (!isOnMarket(product)) return false;
  const { search, category, farmer } = (key[3] ?? {}) as ProductFilters;
  if (category && category !== product.category?._id) return false;
  if (farmer && farmer !== product.farmer._id) return false;
  return search ? undefined : true;
}

/** Whether it is this farmer's own list: everybody hears of new products, not only of their own. */
function belongsToFarm(product: Product, key: QueryKey): boolean {
  return key[2] === product.farmer._id;
}

function mergeFeatured(cache: QueryClient, product: Product): void {
  const before = cache.getQueryData<Product[]>(FEATURED_KEY);
  upsert(cache, FEATURED_KEY, product, { order: newestFirst, belongs: isOnMarket });
  const after = cache.getQueryData<Product[]>(FEATURED_KEY);
  if (!before || !after) return;
  // One fewer than there were: another takes the free place, and only the server knows which.
  if (after.length < before.length) refetch(cache, FEATURED_KEY);
  if (after.length > FEATURED) cache.setQueryData(FEATURED_KEY, after.slice(0, FEATURED));
}

/**
 * Puts a product, as an event or an answer brought it, wherever it is shown: in the lists, on its
 * own page, in the cart. One that is older than what is known changes nothing.
 */
export function mergeProduct(cache: QueryClient, product: Product): void {
  for (const [sort, order] of Object.entries(sortOrders)) {
    upsert(cache, [...MARKET, sort], product, { order, belongs: belongsToMarket });
  }
  upsert(cache, OWN, product, { order: newestFirst, belongs: belongsToFarm });
  mergeFeatured(cache, product);
  renew(cache, product, detailKey(product._id));
  touched(cache, detailKey(product._id));
}

/** Takes a product that was deleted out of everything that shows it. */
export function removeProduct(cache: QueryClient, id: string): void {
  remove(cache, MARKET, id);
  remove(cache, OWN, id);
  remove(cache, FEATURED_KEY, id);
  refetch(cache, FEATURED_KEY);
  // Who is on its page learns from the server that it is gone.
  refetch(cache, detailKey(id));
}
