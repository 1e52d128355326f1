import type { Product } from '#contract/catalogue/products/product';
import type { StockChange } from '#contract/catalogue/products/products';
import { fromMinor, PRICE_MAX_MINOR, toMinor } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';

/** What can be done with several products at once. */
export type BulkChange =
  | { kind: 'hide' | 'show' | 'soldOut' }
  | { kind: 'stock'; to: number }
  | { kind: 'price'; by: PriceChange };

/** How a price changes: by per cent, by an amount, or to one. */
export type PriceChange = { kind: 'percent' | 'amount' | 'set'; value: number };

const MIN_PRICE_MINOR = 1;

/** Returns a price after a change, rounded to the cent and never below the smallest there is. */
export function priceAfter(price: number, { kind, value }: PriceChange): number {
  const minor = toMinor(price);
  const after = {
    percent: () => Math.round((minor * (100 + value)) / 100),
    amount: () => minor + toMinor(value),
    set: () => toMinor(value),
  }[kind]();
  return fromMinor(Math.min(PRICE_MAX_MINOR, Math.max(MIN_PRICE_MINOR, after)));
}

/** Says why a change cannot be made of a product; undefined where it can. */
export function bulkProblem({ name, sizes, availability }: Product, change: BulkChange) {
  if (sizes && change.kind === 'price' && change.by.kind === 'set') {
    return t('{name} has a price for each of its sizes. Set them in its row.', { name });
  }
  const isStock = change.kind === 'stock' || change.kind === 'soldOut';
  return isStock && availability === 'always'
    ? t('{name} is always available. To give it a stock, edit the product.', { name })
    : undefined;
}

/** Returns what to ask of the server for one product: of its price, for each of its sizes. */
export function bulkChangesOf(product: Product, change: BulkChange): StockChange[] {
  const { _id, quantityAvailable: seen, price, sizes } = product;
  switch (change.kind) {
    case 'hide':
      return [{ product: _id, isActive: false }];
    case 'show':
      return [{ product: _id, isActive: true }];
    case 'soldOut':
      return [{ product: _id, quantityAvailable: 0 }];
    case 'stock':
      return [{ product: _id, quantityAvailable: change.to, seen }];
    case 'price':
      return sizes
        ? sizes.map((size) => ({
            product: _id,
            size: size._id,
            price: priceAfter(size.price, change.by),
          }))
        : [{ product: _id, price: priceAfter(price, change.by) }];
  }
}
