import type { UNITS } from '#contract/constants/products';
import { formatGoods, formatQuantity } from '#contract/constants/quantities';

// Goods that are sold by the piece and priced by weight, such as a chicken of about 1.8 kg.

type Unit = (typeof UNITS)[number];

/**
 * How a product is sold: by its unit, in which it is priced and counted; or by the piece, priced by the unit of
 * weight. What a piece really weighs is known once it is weighed.
 */
export const SOLD_BY = ['unit', 'piece_by_weight'] as const;
export type SoldBy = (typeof SOLD_BY)[number];

/** The heaviest piece, in the unit of its price. */
export const PIECE_WEIGHT_MAX = 100_000;

/** What one piece weighs, in the unit of the price. */
export interface PieceWeightRange {
  average: number;
  min?: number | null | undefined;
  max?: number | null | undefined;
}

/** What of goods says in what they are counted. */
export interface CountedGoods {
  unit: Unit;
  /** Of what is sold by the piece and priced by weight. */
  pieceWeight?: PieceWeightRange | null | undefined;
}

/** Returns the unit in which goods are counted: pieces, where `unit` is only that of their price. */
export const quantityUnit = ({ unit, pieceWeight }: CountedGoods): Unit =>
  pieceWeight ? 'each' : unit;

/** Formats a line of an order: '2 lb Carrots', '3 × Chicken' of what is sold by the piece and priced by weight. */
export const formatLine = ({
  quantity,
  product,
  pieceWeight,
}: {
  quantity: number;
  product: { name: string; unit: Unit };
  pieceWeight?: PieceWeightRange | undefined;
}): string =>
  formatGoods(quantity, quantityUnit({ unit: product.unit, pieceWeight }), product.name);

/** Formats how many or how much of goods: '2 lb', and '1 piece' of what is counted in pieces but priced by weight. */
export const formatCounted = (quantity: number, goods: CountedGoods): string =>
  goods.pieceWeight ? formatPieces(quantity) : formatQuantity(quantity, goods.unit);

function formatPieces(quantity: number): string {
  const words = formatQuantity(quantity, 'each');
  return `${words} ${words === '1' ? 'piece' : 'pieces'}`;
}

/** Formats a quantity of goods that may be counted in pieces: '2 lb', '3 bunches', '2 pieces'. */
export const formatGoodsQuantity = (
  { product, isByPiece }: { product: { unit: Unit }; isByPiece?: boolean | undefined },
  quantity: number,
): string => (isByPiece ? formatPieces(quantity) : formatQuantity(quantity, product.unit));

/** Formats how much more or less it is, with its sign: '+2 lb', '−1 piece' with a minus sign. */
export const formatQuantityChange = (
  goods: Parameters<typeof formatGoodsQuantity>[0],
  delta: number,
): string => `${delta < 0 ? '−' : '+'}${formatGoodsQuantity(goods, Math.abs(delta))}`;

/** Says what a piece weighs: 'about 1.8 kg each', with its range where the farm says it: '(1.5 to 2.1 kg)'. */
export function pieceWeightInWords({ average, min, max }: PieceWeightRange, unit: Unit): string {
  const range = [min ?? average, max ?? average] as const;
  const about = `about ${formatQuantity(average, unit)} each`;
  if (range[0] === range[1]) return about;
  return `${about} (${formatQuantity(range[0], unit).split(' ')[0]} to ${formatQuantity(range[1], unit)})`;
}
