import { isListed } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductSort } from '#contract/catalogue/products/product-search';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { byField, type Order } from '../../platform/realtime/reducer.ts';

/** Newest first, as the server orders its lists. */
export const newestFirst = byField('createdAt', 'desc');

/** Returns whether a product can be bought: active, of a farm in the market, and its last day is not over there. */
export const isOnMarket = (
  product: Pick<Product, 'isActive' | 'availableUntil' | 'farmer'>,
): boolean =>
  !product.farmer.isDraft &&
  isListed(product, dayIn(product.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE));

/**
 * The compare function of each sort, as on the server: equal products are ordered by id. Only the server knows what
 * fits a search best.
 */
export const sortOrders: Record<ProductSort, Order<Product> | undefined> = {
  relevance: undefined,
  newest: newestFirst,
  'price-asc': byField('price', 'asc'),
  'price-desc': byField('price', 'desc'),
};
