import type { Product } from '#contract/catalogue/products/product';
import type { StockChange } from '#contract/catalogue/products/products';
import { fromMinor, PRICE_MAX_MINOR, toMinor } from '#contract/platform/money/constants';

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

/** Returns what to ask of the server for one product. */
export function bulkChangeOf(product: Product, change: BulkChange): StockChange {
  const { _id, quantityAvailable: seen, price } = product;
  switch (change.kind) {
    case 'hide':
      return { product: _id, isActive: false };
    case 'show':
      return { product: _id, isActive: true };
    case 'soldOut':
      return { product: _id, quantityAvailable: 0 };
    case 'stock':
      return { product: _id, quantityAvailable: change.to, seen };
    case 'price':
      return { product: _id, price: priceAfter(price, change.by) };
  }
}
