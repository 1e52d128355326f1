import type { Unit } from '#contract/catalogue/products/product';
import {
  formatEstimate,
  formatMoney,
  fromMinor,
  lineTotalMinor,
  toMinor,
} from '#contract/platform/money/constants';
import { pieceWeightInWords } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import type { CartLine } from './rules.ts';

/** Goods as they were sold when they were chosen. */
type Chosen = Pick<CartLine, 'name' | 'price' | 'unit' | 'pieceWeight'>;

/** Returns whether the price of goods is per something else by now, as far as that is known. */
export const isOtherUnit = (before: Pick<Chosen, 'unit'>, unit: Unit | undefined): boolean =>
  before.unit !== undefined && unit !== undefined && unit !== before.unit;

/** Says what goods cost now, and per what if that changed; nothing where it is the same. */
export function priceSentence(
  before: Chosen,
  { price, unit }: { price: number; unit: Unit | undefined },
): string {
  const [now, then] = [formatMoney(price), formatMoney(before.price)];
  if (isOtherUnit(before, unit)) {
    return `${before.name} costs ${now} per ${unit} now instead of ${then} per ${before.unit}.`;
  }
  if (toMinor(price) === toMinor(before.price)) return '';
  return `${before.name} costs ${now} now instead of ${then}.`;
}

/** Says how what a piece weighs has changed, or that goods are sold by the piece by now, or (`null`) no longer. */
export function pieceSentence(
  { name, pieceWeight: before }: Chosen,
  after: { average: number } | null,
  unit: Unit,
): string {
  if (!after) return `${name} is no longer sold by the piece.`;
  return before
    ? `A piece of ${name} weighs about ${formatQuantity(after.average, unit)} now.`
    : `${name} is sold by the piece now, ${pieceWeightInWords(after, unit)}.`;
}

type Costed = Parameters<typeof lineTotalMinor>[0];

/** Says what goods come to now that they are sold otherwise; nothing where that is the same. */
export function costsSentence(before: Costed, after: Costed): string {
  if (lineTotalMinor(after) === lineTotalMinor(before)) return '';
  return `That makes ${costOf(after)} instead of ${costOf(before)}.`;
}

const costOf = (goods: Costed): string =>
  (goods.pieceWeight ? formatEstimate : formatMoney)(fromMinor(lineTotalMinor(goods)));
