import type { LineDifference, OrderLine } from '#contract/ordering/changes/order-lines';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatGoods,
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';

// What may become of an order's lines, in words that the order's pages, the timeline and the news share.

/** Returns what a line is expected to weigh, '≈ 3.6 kg', until it is weighed; nothing of other goods. */
export function expectedWeight({
  product,
  quantity,
  pieceWeight,
  packed,
}: Pick<OrderLine, 'product' | 'quantity' | 'pieceWeight' | 'packed'>): string | undefined {
  if (!pieceWeight || quantity === 0 || packed !== undefined) return undefined;
  const expected = fromMilli(Math.round(toMilli(pieceWeight.average) * quantity));
  return `≈ ${formatQuantity(expected, product.unit)}`;
}

/** Returns the lines of an order with each one that stands for another right behind it. */
export function linesInOrder(lines: readonly OrderLine[]): OrderLine[] {
  const known = new Set(lines.map(({ _id }) => _id));
  const isBehind = ({ replaces }: OrderLine) => replaces !== undefined && known.has(replaces);
  const withThoseFor = (line: OrderLine): OrderLine[] => [
    line,
    ...lines.filter((other) => other !== line && other.replaces === line._id).flatMap(withThoseFor),
  ];
  return lines.filter((line) => !isBehind(line)).flatMap(withThoseFor);
}

/** Says how one line changed: '2 lb instead of 5 lb of Carrots', 'no Kale', '1 bunch Chard instead of Kale'. */
function differenceInWords(line: LineDifference, all: readonly LineDifference[]): string {
  const { product, from, to, replaces, isByPiece } = line;
  if (to === 0) return `no ${product.name}`;
  if (from > 0) {
    return `${formatGoodsQuantity(line, to)} instead of ${formatGoodsQuantity(line, from)} of ${product.name}`;
  }
  const replaced = all.find(({ lineId }) => lineId === replaces);
  const goods = formatGoods(to, isByPiece ? 'each' : product.unit, product.name);
  return replaced ? `${goods} instead of ${replaced.product.name}` : `${goods} added`;
}

/** Says how lines changed, each in a few words. What was replaced is named beside what stands for it. */
export function differencesInWords(differences: readonly LineDifference[]): string[] {
  const replaced = new Set(differences.filter(({ to }) => to > 0).map(({ replaces }) => replaces));
  return differences
    .filter(({ lineId, to }) => to > 0 || !replaced.has(lineId))
    .map((each) => differenceInWords(each, differences));
}

/** Says how lines changed in one line: '2 lb instead of 5 lb of Carrots, no Kale and 2 more'. */
export function differencesInBrief(differences: readonly LineDifference[], most = 2): string {
  const words = differencesInWords(differences);
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(', ')} and ${more} more` : words.join(', ');
}

/** Returns what a line came to when it was ordered, before it changed. */
export const orderedTotal = ({ price, orderedQuantity, pieceWeight }: OrderLine): number =>
  fromMinor(
    estimateMinor({
      priceMinor: toMinor(price),
      quantityMilli: toMilli(orderedQuantity),
      pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
    }),
  );

/** Returns words for the middle of a sentence: 'no Kale' of 'No Kale'. */
export const lowerFirst = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);
