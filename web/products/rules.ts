import type { Product, ProductSort } from '#contract/products';
import { byField, type Order } from '../realtime/reducer.ts';

/** Newest first, as the server orders its lists. */
export const newestFirst = byField('createdAt', 'desc');

/** Today's date in UTC as `YYYY-MM-DD`, by which the server tells what is past. */
const today = (): string => new Date().toISOString().slice(0, 10);

/** Whether anybody may buy it: active, and not past its last day. */
export function isOnMarket(product: Pick<Product, 'isActive' | 'availableUntil'>): boolean {
  return product.isActive && (product.availableUntil === null || product.availableUntil >= today());
}

/** What the sort select offers, in its order. */
export const SORT_LABELS: Record<ProductSort, string> = {
  newest: 'Newest',
  'price-asc': 'Price: Low to High',
  'price-desc': 'Price: High to Low',
};

/** The order of each sort, which is the server's too: what is alike stands by its id. */
export const sortOrders: Record<ProductSort, Order<Product>> = {
  newest: newestFirst,
  'price-asc': byField('price', 'asc'),
  'price-desc': byField('price', 'desc'),
};

/** The products in the order the reader chose. */
export function sorted(products: readonly Product[], sort: ProductSort): Product[] {
  return products.toSorted(sortOrders[sort]);
}

/** Whose product it is, in the words of the market: the farm's name, or else the farmer's. */
export function farmOf(farmer: Product['farmer']): string {
  return farmer.farmName || farmer.name;
}

/** Below this a card says how few are left. */
export const LOW_STOCK_SHOWN = 10;

/** What kind of product it is: its category, or 'General' when that is gone. */
export function categoryName(product: Pick<Product, 'category'>): string {
  return product.category?.name ?? 'General';
}

const PREVIEW = 50;

/** The first 50 characters of a description. */
export function preview(description: string): string {
  const letters = Array.from(description);
  return letters.length > PREVIEW ? `${letters.slice(0, PREVIEW).join('')}…` : description;
}
