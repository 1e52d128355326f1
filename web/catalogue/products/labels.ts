import { nameOfCategory } from '#contract/catalogue/categories/constants';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductSort } from '#contract/catalogue/products/product-search';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { sortOrders } from './rules.ts';

// Apart from the rules, which a visitor's first page loads.

/** The options of the sort select, in order. */
export const SORT_LABELS: Record<ProductSort, Message> = {
  relevance: msg('Best match'),
  newest: msg('Newest'),
  'price-asc': msg('Price: Low to High'),
  'price-desc': msg('Price: High to Low'),
};

/** Returns the products in the chosen order. */
export function sorted(products: readonly Product[], sort: ProductSort): readonly Product[] {
  const order = sortOrders[sort];
  return order ? products.toSorted(order) : products;
}

/** Returns the name of the category, or 'General' if it was deleted. */
export function categoryName(product: Pick<Product, 'category'>): string {
  return product.category ? nameOfCategory(product.category) : t('General');
}

const PREVIEW_LENGTH = 50;

/** Returns the first `PREVIEW_LENGTH` characters of a description. */
export function preview(description: string): string {
  const letters = Array.from(description);
  return letters.length > PREVIEW_LENGTH
    ? `${letters.slice(0, PREVIEW_LENGTH).join('')}…`
    : description;
}
