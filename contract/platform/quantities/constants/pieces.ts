import {
  formatGoods,
  formatQuantity,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import {
  type CountedUnit,
  GRAMS,
  isWeightUnit,
  type Unit,
  type UnitLabel,
} from '#contract/platform/quantities/constants/units';
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
  /** Of what is sold in a size. */
  size?: { label: string } | null | undefined;
  /** The farm's own words for what it counts. */
  unitLabel?: UnitLabel | null | undefined;
}

/** Returns the unit of a stock: pieces, where `unit` is only that of the price. */
export const stockUnit = ({ unit, pieceWeight }: CountedGoods): Unit =>
  pieceWeight ? 'each' : unit;

/** Returns in what goods are counted: pieces, where `unit` is that of their price or of the stock alone. */
export const quantityUnit = ({ unit, pieceWeight, size, unitLabel }: CountedGoods): CountedUnit =>
  pieceWeight || size ? 'each' : (unitLabel ?? unit);

/** Returns of what the price of goods is: of a piece of their size, of what is counted, or of a unit of weight. */
export const pricedUnit = ({ unit, size, unitLabel }: CountedGoods): CountedUnit =>
  size ? 'each' : (unitLabel ?? unit);

/** What a unit is of a weight or a volume, as people count, in g or ml: these convert into each other exactly. */
const METRIC: Partial<Record<Unit, { of: 'weight' | 'volume'; in: number }>> = {
  g: { of: 'weight', in: 1 },
  kg: { of: 'weight', in: 1000 },
  ml: { of: 'volume', in: 1 },
  l: { of: 'volume', in: 1000 },
};

/** Returns a quantity in another unit; undefined where the two are not both of weight. */
function inOtherUnit(quantity: number, from: Unit, to: Unit): number | undefined {
  if (from === to) return quantity;
  return isWeightUnit(from) && isWeightUnit(to) ? (quantity * GRAMS[from]) / GRAMS[to] : undefined;
}

/**
 * Returns a quantity, in thousandths, as goods have it that are counted in another unit; null where there is no such
 * quantity: only g and kg convert, and ml and l, as long as nothing is rounded.
 */
export function convertMilli(milli: number, from: Unit, to: Unit): number | null {
  if (from === to) return milli;
  const [own, other] = [METRIC[from], METRIC[to]];
  if (!own || !other || own.of !== other.of) return null;
  const converted = (milli * own.in) / other.in;
  return Number.isSafeInteger(converted) ? converted : null;
}

/** What of a row of a product or of a line says in what it is counted. */
export interface CountedRow {
  unit: Unit;
  /** What one piece weighs; null of what is counted in its unit. */
  pieceMilli: number | null;
  /** What a piece of its size contains, of a line that is sold in one; absent and null for all others, and for products. */
  contentMilli?: number | null | undefined;
}

/** Returns the unit of a stock from which a product or a line is sold; of a size, that of its product. */
export const countedIn = ({ unit, pieceMilli }: CountedRow): Unit =>
  pieceMilli === null ? unit : 'each';

/** Returns what a quantity of a line takes from the stock, in thousandths of what {@link countedIn} says. */
export const takenMilli = (
  { contentMilli }: Pick<CountedRow, 'contentMilli'>,
  milli: number,
): number =>
  contentMilli == null ? milli : Number((BigInt(milli) * BigInt(contentMilli)) / BigInt(MILLI));

/**
 * Returns how much of a product's stock a quantity of a line is, in thousandths of what the product is counted in now.
 * Null where the product has come to be counted otherwise, and the quantity does not convert exactly: then the line
 * neither gives it back nor takes part in sums of the product.
 */
export const inStockOf = (product: CountedRow, line: CountedRow, milli: number): number | null =>
  convertMilli(takenMilli(line, milli), countedIn(line), countedIn(product));

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

/** The name of goods, with the size in which they are sold: 'Carrots (5 kg)'. */
export const nameWithSize = (name: string, size: CountedGoods['size']): string =>
  size ? t('{name} ({size})', { name, size: size.label }) : name;

/**
 * Formats a line of an order: '2 lb Carrots', '2 × Carrots (5 kg)' of a size, '3 × Chicken' of what is sold by the piece
 * and priced by weight.
 */
export const formatLine = ({
  quantity,
  product,
  pieceWeight,
  size,
}: {
  quantity: number;
  product: { name: string; unit: Unit; unitLabel?: UnitLabel | undefined };
  pieceWeight?: PieceWeightRange | undefined;
  size?: { label: string } | undefined;
}): string =>
  formatGoods(
    quantity,
    quantityUnit({ ...product, pieceWeight, size }),
    nameWithSize(product.name, size),
  );

/**
 * Formats how many or how much of goods: '2 lb', and '1 piece' of what is sold in sizes, or is counted in pieces but
 * priced by weight.
 */
export const formatCounted = (quantity: number, goods: CountedGoods): string =>
  goods.pieceWeight || goods.size
    ? formatPieces(quantity)
    : formatQuantity(quantity, quantityUnit(goods));

const formatPieces = (quantity: number): string =>
  t('{quantity, plural, one {# piece} other {# pieces}}', { quantity });

/** Formats a quantity of goods that may be counted in pieces: '2 lb', '3 bunches', '2 pieces', '2 × 5 kg'. */
export const formatGoodsQuantity = (
  {
    product,
    isByPiece,
    size,
  }: {
    product: { unit: Unit; unitLabel?: UnitLabel | undefined };
    isByPiece?: boolean | undefined;
    size?: { label: string } | undefined;
  },
  quantity: number,
): string => {
  if (size) return t('{quantity, number} × {size}', { quantity, size: size.label });
  return isByPiece ? formatPieces(quantity) : formatQuantity(quantity, quantityUnit(product));
};
