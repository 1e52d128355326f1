import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import { type CountedRow, inStockOf } from '#contract/platform/quantities/constants/pieces';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { ShelfRow } from '../../catalogue/stock/stock-events.ts';
import type { ShelfChange } from '../model/write.ts';

/** Goods of an order: a line of it, or what its proposal holds back. */
export interface HeldGoods extends CountedRow {
  productId: string | null;
  name: string;
}

/** What a command does to the shelf, added up in its order. Products that are gone take and give nothing. */
export interface ShelfStock {
  /** Puts goods back, in thousandths of what they are counted in; see {@link inStockOf}. */
  give: (goods: HeldGoods, milli: number) => void;
  /** Takes goods. @returns false, with nothing taken, where there are too few */
  take: (productId: string, milli: number) => boolean;
  /** Takes all that is left. */
  empty: (productId: string | null) => void;
  leftOf: (productId: string) => number;
  /** Returns what changed, and what could not go back. */
  outcome: () => { shelf: ShelfChange[]; unreturned: UnreturnedGoods[] };
}

/** Opens a book of products with the stock that was read of them. */
export function openShelf(products: ReadonlyMap<string, ShelfRow>): ShelfStock {
  const left = new Map([...products].map(([id, { stockMilli }]) => [id, Number(stockMilli)]));
  const leftOf = (id: string) => left.get(id) ?? 0;
  const emptied = new Set<string>();
  const unreturned: UnreturnedGoods[] = [];
  return {
    give: (goods, milli) => {
      const product = products.get(goods.productId ?? '');
      if (!product || milli === 0) return;
      const returnedMilli = inStockOf(product, goods, milli);
      if (returnedMilli === null) unreturned.push(presentUnreturned(goods, milli));
      else left.set(product.id, leftOf(product.id) + returnedMilli);
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
    outcome: () => ({
      unreturned,
      shelf: [...products.values()].flatMap((product) => {
        const changeMilli = leftOf(product.id) - Number(product.stockMilli);
        const leavesNone = emptied.has(product.id) && leftOf(product.id) === 0;
        return changeMilli === 0 ? [] : [{ product, changeMilli, leavesNone }];
      }),
    }),
  };
}

const presentUnreturned = (
  { productId, name, unit, pieceMilli }: HeldGoods,
  milli: number,
): UnreturnedGoods => ({
  product: { _id: productId, name, unit },
  quantity: fromMilli(milli),
  ...(pieceMilli === null ? {} : { isByPiece: true }),
});
