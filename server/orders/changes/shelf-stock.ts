import type { ShelfRow } from '../../products/stock-events.ts';
import type { ShelfChange } from '../write-order.ts';

/** What a command does to the shelf, added up in its order. Products that are gone take and give nothing. */
export interface ShelfStock {
  /** Puts goods back, in thousandths of the unit. */
  give: (productId: string | null, milli: number) => void;
  /** Takes goods. @returns false, with nothing taken, where there are too few */
  take: (productId: string, milli: number) => boolean;
  /** Takes all that is left. */
  empty: (productId: string | null) => void;
  leftOf: (productId: string) => number;
  changes: () => ShelfChange[];
}

/** Opens a book of products with the stock that was read of them. */
export function openShelf(products: ReadonlyMap<string, ShelfRow>): ShelfStock {
  const left = new Map([...products].map(([id, { stockMilli }]) => [id, Number(stockMilli)]));
  const leftOf = (id: string) => left.get(id) ?? 0;
  const emptied = new Set<string>();
  return {
    give: (id, milli) => {
      if (id !== null && left.has(id)) left.set(id, leftOf(id) + milli);
    },
    take: (id, milli) => {
      if (leftOf(id) < milli) return false;
      left.set(id, leftOf(id) - milli);
      return true;
    },
    empty: (id) => {
      if (id === null || !left.has(id)) return;
      left.set(id, 0);
      emptied.add(id);
    },
    leftOf,
    changes: () =>
      [...products.values()].flatMap((product) => {
        const changeMilli = leftOf(product.id) - Number(product.stockMilli);
        const leavesNone = emptied.has(product.id) && leftOf(product.id) === 0;
        return changeMilli === 0 ? [] : [{ product, changeMilli, leavesNone }];
      }),
  };
}
