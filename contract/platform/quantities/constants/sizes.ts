import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';

// Sizes in which a product is sold from one stock, such as bags of 1, 2 and 5 kg. Everything here is as on the wire.

export const SIZES_MAX = 20;
export const SIZE_LABEL_MAX = 40;
export const SKU_MAX = 40;

/** What of a size decides how many of it there are. */
export interface SizeStock {
  /** In units of the stock. */
  content: number;
  isActive: boolean;
  /** The fewest pieces that can be ordered at once; absent for one. */
  minimum?: number | null | undefined;
}

/** What of a product with sizes decides how many there are; {@link quantityAvailable} is the stock that all share. */
interface SharedStock<Size extends SizeStock = SizeStock> {
  quantityAvailable: number;
  sizes?: readonly Size[] | undefined;
}

/** Returns how many pieces of a size the stock still has. */
export const piecesLeft = (
  { content }: Pick<SizeStock, 'content'>,
  quantityAvailable: number,
): number => Math.floor(toMilli(quantityAvailable) / toMilli(content));

/** Returns how many pieces of a size can be ordered: none where fewer are left than its smallest order. */
export function mostPieces(size: SizeStock, quantityAvailable: number): number {
  const left = piecesLeft(size, quantityAvailable);
  return size.isActive && left >= (size.minimum ?? 1) ? left : 0;
}

/** Returns the smallest quantity of the stock that an order can take: the least of any size that is on. */
export const smallestOrder = (sizes: readonly SizeStock[]): number =>
  fromMilli(
    Math.min(
      ...sizes
        .filter(({ isActive }) => isActive)
        .map(({ content, minimum }) => toMilli(content) * (minimum ?? 1)),
    ),
  );

/** Returns the size that is chosen at the start: the first that can be ordered; else the first that is on. */
export const firstSize = <Size extends SizeStock>({
  quantityAvailable,
  sizes = [],
}: SharedStock<Size>): Size | undefined =>
  sizes.find((size) => mostPieces(size, quantityAvailable) > 0) ??
  sizes.find(({ isActive }) => isActive);

/** What a list of goods names: a product, in a size where it has some. */
interface NamedGoods {
  product: string;
  size?: string | undefined;
}

/** Returns one text for each product and size. */
export const goodsKey = ({ product, size }: NamedGoods): string =>
  size === undefined ? product : `${product}:${size}`;

/** Whether each product stands in a list once, in each of its sizes. */
export const isEachOnce = (items: readonly NamedGoods[]): boolean =>
  new Set(items.map(goodsKey)).size === items.length;
