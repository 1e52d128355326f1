import type { Unit } from '#contract/catalogue/products/product';
import { toMinor } from '#contract/platform/money/constants';
import {
  isOffered,
  isSoldOut,
  mostOf,
  nearestOffered,
  type Steps,
  stepsOf,
  stockForOrder,
} from '#contract/platform/quantities/constants/steps';
import type { NetContent, UnitLabel } from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { inSize, type OfferedGoods, sizeOf, stockTaken } from '../../catalogue/model/sizes.ts';
import { type Cart, type CartLine, pieceOf, recount, withLines, wordsOf } from './rules.ts';

/** The current offer of a product, its unit if known; null if it is no longer sold. */
export type Offer =
  | (OfferedGoods & {
      unit?: Unit;
      pieceWeight?: { average: number } | undefined;
      unitLabel?: UnitLabel | undefined;
      net?: NetContent | undefined;
      /** Its last day, where no day until then takes orders. */
      missedDay?: string | undefined;
    })
  | null;

/** What changed about a line since it was added to the cart. */
export type LineNotice = {
  line: CartLine;
  /** The product is not sold any more. */
  isGone: boolean;
  /** Its last day, where no day until then takes orders. */
  missedDay?: string | undefined;
  /** A size has to be chosen: the product is sold in sizes by now, or no longer in the line's. */
  asksSize?: 'required' | 'gone' | undefined;
  /** The largest quantity that can be ordered, if it is below that of the line. */
  left?: number | undefined;
  /** Why no more can be ordered, where that is not the stock: other lines take it, or an order has no more. */
  limit?: 'others' | 'maximum' | undefined;
  /**
   * What the line's quantity is about, if the product is counted in something else now: the nearest that is offered.
   */
  recounted?: number | undefined;
  /** The nearest quantity that can be ordered, if that of the line is not one of the product's steps any more. */
  nearest?: number | undefined;
  /** How the product is sold now. */
  steps: Steps;
  /** What a piece weighs now, if that changed; null for what is no longer sold by the piece. */
  pieceWeight?: { average: number } | null | undefined;
  /** The line's size as it is now; null of what is no longer sold in sizes. */
  size?: OrderedSize | null | undefined;
  /** Whether a piece of the size contains more or less than it did. */
  isRefilled?: boolean | undefined;
  /** The new price, if it changed. */
  price?: number | undefined;
  /** What the price is per now, if that is known. */
  unit?: Unit | undefined;
  unitLabel?: UnitLabel | undefined;
  net?: NetContent | undefined;
};

/** @param otherMilli what the lines before it take from the product's stock, in thousandths */
function noticesOf(
  line: CartLine,
  offer: Offer | undefined,
  otherMilli: number,
): LineNotice | null {
  if (offer === undefined) return null;
  if (offer === null) return { line, isGone: true, steps: {} };
  const { missedDay } = offer;
  if (missedDay !== undefined) return { line, isGone: false, left: 0, missedDay, steps: {} };
  const size = sizeOf(offer, line.size?._id);
  if (offer.sizes && !size) {
    return isSoldOut(offer)
      ? { line, isGone: false, left: 0, steps: {} }
      : { line, isGone: false, asksSize: line.size ? 'gone' : 'required', steps: {} };
  }
  const sold = size ? { ...offer, ...inSize(offer, size, otherMilli) } : { ...offer, size };
  const most = mostOf(sold);
  const recounted = recount(line, sold);
  const wanted = recounted ?? line.quantity;
  const isShort = stockForOrder(sold) < wanted || most === 0;
  const isMisfit = !isShort && !isOffered(wanted, sold);
  const isRepriced = toMinor(sold.price) !== toMinor(line.price);
  const isReweighed = sold.pieceWeight?.average !== line.pieceWeight?.average;
  const isPerOther = isOtherUnit(line, offer.unit);
  const isRefilled =
    size !== undefined && (size.content !== line.size?.content || (isPerOther && !!line.size));
  const isUnsized = line.size !== undefined && !size;
  if (
    !isShort &&
    !isMisfit &&
    !isRepriced &&
    !isReweighed &&
    !isPerOther &&
    !isRefilled &&
    !isUnsized
  )
    return null;
  return {
    line,
    isGone: false,
    steps: stepsOf(sold),
    recounted,
    left: isShort ? most : undefined,
    limit: isShort ? limitOf(offer, otherMilli) : undefined,
    nearest: isMisfit ? nearestOffered(line.quantity, sold) : undefined,
    unit: offer.unit,
    unitLabel: offer.unitLabel,
    net: offer.net,
    pieceWeight: isReweighed ? (offer.pieceWeight ?? null) : undefined,
    size: size ? { _id: size._id, label: size.label, content: size.content } : null,
    isRefilled,
    // The price of a sold-out product is not reported.
    price: isRepriced && most > 0 ? sold.price : undefined,
  };
}

function limitOf({ maxPerOrder }: NonNullable<Offer>, otherMilli: number): LineNotice['limit'] {
  if (maxPerOrder !== undefined) return 'maximum';
  return otherMilli > 0 ? 'others' : undefined;
}

/** Returns a line as it can be ordered; null for one that cannot. */
export function updatedLine(news: LineNotice): CartLine | null {
  const { isGone, left, recounted, nearest, price, unit, pieceWeight, size } = news;
  if (isGone || left === 0) return null;
  // Only the consumer can say which size.
  if (news.asksSize) return news.line;
  const { step: _, minimum: __, pieceWeight: before, size: sizeBefore, ...line } = news.line;
  const sizeNow = size === undefined ? sizeBefore : (size ?? undefined);
  return {
    ...line,
    quantity: left ?? nearest ?? recounted ?? line.quantity,
    price: price ?? line.price,
    ...(unit && { unit }),
    ...stepsOf(news.steps),
    ...pieceOf({ pieceWeight: pieceWeight === undefined ? before : (pieceWeight ?? undefined) }),
    ...(sizeNow && { size: sizeNow }),
    ...wordsOf(news),
  };
}

/**
 * Compares the cart with the current offers (by product id; missing if not known yet). Returns what
 * changed, and the cart as it can be ordered: with current prices, within the stock, without products
 * that are gone. Lines of one product share its stock, the first ones first.
 */
export function reconcile(
  cart: Cart,
  offers: ReadonlyMap<string, Offer>,
): { news: LineNotice[]; updated: Cart } {
  const news: LineNotice[] = [];
  const takenMilli = new Map<string, number>();
  const lines = cart.lines.flatMap((line) => {
    const otherMilli = takenMilli.get(line.productId) ?? 0;
    const about = noticesOf(line, offers.get(line.productId), otherMilli);
    if (about) news.push(about);
    const updated = about ? updatedLine(about) : line;
    if (updated && !about?.asksSize)
      takenMilli.set(line.productId, otherMilli + stockTaken(updated));
    return updated ?? [];
  });
  return news.length === 0 ? { news, updated: cart } : { news, updated: withLines(cart, lines) };
}

/** Whether the cart can be brought up to date without the consumer: not where only sizes have to be chosen. */
export const canUpdate = (news: readonly LineNotice[]): boolean =>
  news.some(({ asksSize }) => asksSize === undefined);

/** Returns whether the price of goods is per something else by now, as far as that is known. */
export const isOtherUnit = (before: Pick<CartLine, 'unit'>, unit: Unit | undefined): boolean =>
  before.unit !== undefined && unit !== undefined && unit !== before.unit;
