import {
  formatGoods,
  formatQuantity,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import { GRAMS, isWeightUnit, type Unit } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';

// Goods that are sold by the piece and priced by weight, such as a chicken of about 1.8 kg.

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

/** The units that convert into each other exactly, as people count. */
const METRIC: readonly Unit[] = ['g', 'kg'];

/** Returns a quantity in another unit; undefined where the two are not both of weight. */
function inOtherUnit(quantity: number, from: Unit, to: Unit): number | undefined {
  if (from === to) return quantity;
  return isWeightUnit(from) && isWeightUnit(to) ? (quantity * GRAMS[from]) / GRAMS[to] : undefined;
}

/**
 * Returns a quantity, in thousandths, as goods have it that are counted in another unit; null where there is no such
 * quantity: only g and kg convert, as long as nothing is rounded.
 */
export function convertMilli(milli: number, from: Unit, to: Unit): number | null {
  if (from === to) return milli;
  const converted = [from, to].every((unit) => METRIC.includes(unit))
    ? inOtherUnit(milli, from, to)
    : undefined;
  return converted !== undefined && Number.isSafeInteger(converted) ? converted : null;
}

/** What of a row of a product or of a line says in what it is counted. */
export interface CountedRow {
  unit: Unit;
  /** What one piece weighs; null of what is counted in its unit. */
  pieceMilli: number | null;
}

/** Returns the unit in which a product or a line is counted: see {@link quantityUnit}. */
export const countedIn = ({ unit, pieceMilli }: CountedRow): Unit =>
  pieceMilli === null ? unit : 'each';

/**
 * Returns how much of a product's stock a quantity of a line is, in thousandths of what the product is counted in now.
 * Null where the product has come to be counted otherwise, and the quantity does not convert exactly: then the line
 * neither gives it back nor takes part in sums of the product.
 */
export const inStockOf = (product: CountedRow, line: CountedRow, milli: number): number | null =>
  convertMilli(milli, countedIn(line), countedIn(product));

/**
 * Returns about how much of goods somebody wants by a quantity of them as they were counted before, in thousandths:
 * other units of weight, and pieces for a weight or a weight for pieces. Null where one says nothing of the other, such
 * as bunches of kg.
 */
export function aboutMilli(milli: number, before: CountedRow, now: CountedRow): number | null {
  if (countedIn(before) === countedIn(now)) return milli;
  const weightMilli = before.pieceMilli === null ? milli : (milli * before.pieceMilli) / MILLI;
  const nowMilli = inOtherUnit(weightMilli, before.unit, now.unit);
  if (nowMilli === undefined) return null;
  return now.pieceMilli === null
    ? Math.round(nowMilli)
    : Math.max(1, Math.round(nowMilli / now.pieceMilli)) * MILLI;
}

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

const formatPieces = (quantity: number): string =>
  t('{quantity, plural, one {# piece} other {# pieces}}', { quantity });

/** Formats a quantity of goods that may be counted in pieces: '2 lb', '3 bunches', '2 pieces'. */
export const formatGoodsQuantity = (
  { product, isByPiece }: { product: { unit: Unit }; isByPiece?: boolean | undefined },
  quantity: number,
): string => (isByPiece ? formatPieces(quantity) : formatQuantity(quantity, product.unit));
