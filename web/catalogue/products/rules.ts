import { isListed } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductSort } from '#contract/catalogue/products/product-search';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
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

/** The options of the sort select, in order. */
export const SORT_LABELS: Record<ProductSort, Message> = {
  relevance: msg('Best match'),
  newest: msg('Newest'),
  'price-asc': msg('Price: Low to High'),
  'price-desc': msg('Price: High to Low'),
};

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

/** Returns the products in the chosen order. */
export function sorted(products: readonly Product[], sort: ProductSort): readonly Product[] {
  const order = sortOrders[sort];
  return order ? products.toSorted(order) : products;
}

/** Returns the name of the category, or 'General' if it was deleted. */
export function categoryName(product: Pick<Product, 'category'>): string {
  return product.category?.name ?? t('General');
}

const PREVIEW_LENGTH = 50;

/** Returns the first `PREVIEW_LENGTH` characters of a description. */
export function preview(description: string): string {
  const letters = Array.from(description);
  return letters.length > PREVIEW_LENGTH
    ? `${letters.slice(0, PREVIEW_LENGTH).join('')}…`
    : description;
}
