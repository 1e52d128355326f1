import type { ProductSize } from '#contract/catalogue/products/product';
import { takenMilli } from '#contract/platform/quantities/constants/pieces';
import { MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { firstSize, piecesLeft } from '#contract/platform/quantities/constants/sizes';
import { type Stocked, stockForOrder } from '#contract/platform/quantities/constants/steps';
import type { OrderedSize } from '#contract/platform/quantities/quantity';

/** What of a product decides what can be ordered of it, in which sizes. */
export interface OfferedGoods extends Stocked {
  price: number;
  sizes?: readonly ProductSize[] | undefined;
}

/** A product as it is sold in one of its sizes. */
type InSize<Goods> = Omit<Goods, 'sizes'> & { size?: OrderedSize | undefined };

/** Returns what a quantity takes from the stock, in thousandths: pieces of a size, else the quantity itself. */
export const stockTaken = ({
  quantity,
  size,
}: {
  quantity: number;
  size?: { content: number } | undefined;
}): number => takenMilli({ contentMilli: size && toMilli(size.content) }, toMilli(quantity));

/**
 * Returns a product as it is sold in a size: its price is that of a piece, and its quantities count pieces. None are left
 * of a size that is off.
 * @param otherMilli what other lines take from the stock, in thousandths
 */
export function inSize<Goods extends OfferedGoods>(
  { sizes: _, ...goods }: Goods,
  { _id, label, content, price, minimum, isActive }: Omit<ProductSize, 'sku'>,
  otherMilli = 0,
): InSize<Goods> {
  const leftMilli = Math.max(0, toMilli(stockForOrder(goods)) - otherMilli);
  return {
    ...goods,
    price,
    quantityAvailable: isActive ? piecesLeft({ content }, leftMilli / MILLI) : 0,
    maxPerOrder: undefined,
    step: undefined,
    minimum,
    size: { _id, label, content },
  };
}

/** Returns a product as it is sold in the size that is chosen at the start, or in its unit where it has no sizes. */
export function inFirstSize<Goods extends OfferedGoods>(goods: Goods): InSize<Goods> {
  const size = firstSize(goods);
  return size ? inSize(goods, size) : goods;
}

/** Returns the size of a product with this id, where it is sold in it. */
export const sizeOf = (
  { sizes }: Pick<OfferedGoods, 'sizes'>,
  id: string | undefined,
): ProductSize | undefined => sizes?.find(({ _id, isActive }) => isActive && _id === id);
