import type { ProductSize, Unit } from '#contract/catalogue/products/product';
import type { LineProblem } from '#contract/platform/http/http';
import { formatMoney, lineTotalMinor, toMinor } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import {
  type CountedGoods,
  formatCounted,
  formatGoodsQuantity,
  nameWithSize,
  priceUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
  fromMilli,
  perUnit,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  isOffered,
  isSoldOut,
  mostOf,
  nearestOffered,
  type Steps,
  type Stocked,
  stepsOf,
  stockForOrder,
} from '#contract/platform/quantities/constants/steps';
import {
  type NetContent,
  UNITS,
  type UnitLabel,
} from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { inSize, sizeOf, stockTaken } from '../../catalogue/model/sizes.ts';
import { isOneOf } from '../../platform/api/check.ts';
import {
  type Cart,
  type CartLine,
  formatCost,
  pieceOf,
  recount,
  withLines,
  wordsOf,
} from './rules.ts';

/** The current offer of a product, its unit if known; null if it is no longer sold. */
export type Offer =
  | (Stocked & {
      price: number;
      unit?: Unit;
      pieceWeight?: { average: number } | undefined;
      sizes?: readonly ProductSize[] | undefined;
      unitLabel?: UnitLabel | undefined;
      net?: NetContent | undefined;
      /** Its last day, where no day until then takes orders. */
      missedDay?: string | undefined;
    })
  | null;

/** The offers in a refusal by product id, each valid until a newer version of the product is known. */
export type Refused = ReadonlyMap<string, { offer: Offer; version: number | undefined }>;

/** Problems of what can still be ordered. */
const AVAILABLE_CODES = [
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
  'OVER_MAXIMUM',
  'QUANTITY_NOT_OFFERED',
  'SIZE_UNAVAILABLE',
];
/** Problems of which the product itself says what they are about. */
const OTHER_CODES = ['NOT_AVAILABLE_THEN', 'SIZE_REQUIRED'];

/**
 * Returns the offers that follow from the problems of a refused order. `known` returns the offer and
 * version that were known when the order was sent; values without a problem are kept.
 */
export function refusedOffers(
  lines: readonly CartLine[],
  problems: readonly LineProblem[],
  known: (productId: string) => { offer: Offer | undefined; version: number | undefined },
): Refused {
  const refused = new Map<string, { offer: Offer; version: number | undefined }>();
  for (const { line: index, code, price, left, unit, pieceWeight, ...problem } of problems) {
    const line = lines[index];
    if (!line || OTHER_CODES.includes(code)) continue;
    const { offer, version } = known(line.productId);
    const before = refused.get(line.productId)?.offer ?? offer;
    const isAvailable = AVAILABLE_CODES.includes(code);
    if (line.size && isAvailable) {
      // The refusal is about one of the sizes; without the product nothing is known of the others.
      if (before)
        refused.set(line.productId, {
          version,
          offer: refusedSize(before, line, { code, price, left, othersMilli, ...problem }),
        });
      continue;
    }
    refused.set(line.productId, {
      version,
      offer: isAvailable
        ? {
            price: price ?? before?.price ?? line.price,
            quantityAvailable: left ?? before?.quantityAvailable ?? line.quantity,
            ...unitOf(unit ?? before?.unit),
            ...pieceOf(
              pieceWeight === undefined
                ? (before ?? line)
                : { pieceWeight: pieceWeight ?? undefined },
            ),
            ...stepsOf({ ...before, ...stepsOf(problem) }),
          }
        : null,
    });
  }
  return refused;
}

/** Returns an offer in sizes after a refusal of one of them: off, at another price, or with fewer left. */
function refusedSize(
  offer: NonNullable<Offer>,
  { size: ordered, quantity }: CartLine,
  { code, price, left }: Pick<LineProblem, 'code' | 'price' | 'left'>,
): Offer {
  const leftMilli =
    left !== undefined && left < quantity && ordered
      ? stockTaken({ quantity: left, size: ordered })
      : toMilli(offer.quantityAvailable);
  return {
    ...offer,
    quantityAvailable: Math.min(offer.quantityAvailable, fromMilli(leftMilli)),
    sizes: offer.sizes?.map((size) =>
      size._id === ordered?._id
        ? {
            ...size,
            price: price ?? size.price,
            isActive: size.isActive && code !== 'SIZE_UNAVAILABLE',
          }
        : size,
    ),
  };
}

const unitOf = (unit: string | undefined): { unit?: Unit } => (isUnit(unit) ? { unit } : {});
const isUnit = isOneOf(UNITS);

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

function updatedLine(news: LineNotice): CartLine | null {
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

/** Returns some sentences about the changes of a line. */
export function noticeSentence(news: LineNotice): string {
  const { line, isGone, missedDay, left, nearest, recounted, price, steps, pieceWeight } = news;
  const { unit: priceUnit = 'each', asksSize } = news;
  const name = nameWithSize(line.name, line.size);
  if (isGone) return t('{name} is no longer on sale.', { name });
  if (missedDay !== undefined)
    return t(
      '{name} can be had until {day}, and no day until then takes orders. Remove it to order the rest.',
      { name, day: formatWallDate(missedDay, 'weekday') },
    );
  if (asksSize === 'required') return t('{name} is sold in sizes. Choose one.', { name });
  if (asksSize) return t('{name} is no longer sold in this size. Choose another one.', { name });
  if (left === 0)
    return news.limit
      ? t('The other sizes of {name} in your cart leave none for this one.', { name: line.name })
      : t('{name} is sold out.', { name });
  const now: CountedGoods = {
    unit: priceUnit,
    unitLabel: news.unitLabel,
    pieceWeight: pieceWeight === undefined ? line.pieceWeight : pieceWeight,
    size: news.size,
  };
  const unit = quantityUnit(now);
  const had =
    recounted === undefined
      ? formatQuantity(line.quantity, unit)
      : formatGoodsQuantity(
          {
            product: { unit: line.unit ?? 'each', unitLabel: line.unitLabel },
            isByPiece: line.pieceWeight !== undefined,
            size: line.size,
          },
          line.quantity,
        );
  const short = {
    left: formatQuantityOf(left ?? 0, unit, name),
    had,
  };
  return [
    pieceWeight !== undefined && pieceSentence(line, pieceWeight, priceUnit),
    refilledSentence(news),
    priceSentence(
      { ...line, name },
      { price: price ?? line.price, unit: news.unit, size: news.size },
    ),
    nearest !== undefined &&
      t('You can order {name} {steps}: {nearest} instead of {had}.', {
        name,
        steps: formatSteps(steps, unit),
        nearest: formatQuantity(nearest, unit),
        had,
      }),
    recounted !== undefined &&
      left === undefined &&
      t('Your cart has {recounted} of it now instead of {had}.', {
        recounted: formatCounted(recounted, now),
        had,
      }),
    left !== undefined &&
      (news.limit === 'maximum'
        ? t('An order can have at most {left}; your cart has {had}.', short)
        : t('Only {left} left; your cart has {had}.', short)),
    (pieceWeight !== undefined || isOtherUnit(line, news.unit)) &&
      !news.size &&
      costsSentence(line, updatedLine(news) ?? line),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says that a piece of a size contains something else than it did, or that goods are no longer sold in sizes. */
function refilledSentence({ line, isRefilled, size, unit, unitLabel }: LineNotice): string {
  if (line.size && size === null)
    return t('{name} is no longer sold in sizes.', { name: line.name });
  return isRefilled && size ? contentSentence(line, { unit, unitLabel, size }) : '';
}

/** Says what a piece of a size contains now, if that is something else than it was. */
export function contentSentence(
  before: Chosen,
  after: { unit: Unit | undefined; unitLabel?: UnitLabel | undefined; size: OrderedSize },
): string {
  if (!before.size) return '';
  const contentOf = ({ unit = 'each', unitLabel, size }: Partial<typeof after>) =>
    formatQuantity(size?.content ?? 0, quantityUnit({ unit, unitLabel }));
  const [now, then] = [contentOf(after), contentOf(before)];
  if (now === then) return '';
  return t('{name} contains {now} now instead of {before}.', {
    name: nameWithSize(before.name, before.size),
    now,
    before: then,
  });
}

/** Goods as they were sold when they were chosen. */
type Chosen = Pick<CartLine, 'name' | 'price' | 'unit' | 'pieceWeight' | 'size' | 'unitLabel'>;

/** Returns whether the price of goods is per something else by now, as far as that is known. */
const isOtherUnit = (before: Pick<Chosen, 'unit'>, unit: Unit | undefined): boolean =>
  before.unit !== undefined && unit !== undefined && unit !== before.unit;

/** Says what goods cost now, and per what if that changed; nothing where it is the same. */
export function priceSentence(
  before: Chosen,
  {
    price,
    unit,
    size,
  }: { price: number; unit: Unit | undefined; size?: CountedGoods['size'] | undefined },
): string {
  const [now, then] = [formatMoney(price), formatMoney(before.price)];
  const isPerOther = before.size ? !size : isOtherUnit(before, unit) && !size;
  if (before.unit !== undefined && unit !== undefined && isPerOther) {
    return t('{name} costs {now} now instead of {before}.', {
      name: before.name,
      now: `${now} ${perUnit(priceUnit({ unit, size }))}`,
      before: `${then} ${perUnit(priceUnit({ ...before, unit: before.unit }))}`,
    });
  }
  if (toMinor(price) === toMinor(before.price)) return '';
  return t('{name} costs {now} now instead of {before}.', { name: before.name, now, before: then });
}

/** Says how what a piece weighs has changed, or that goods are sold by the piece by now, or (`null`) no longer. */
export function pieceSentence(
  { name, pieceWeight: before }: Chosen,
  after: { average: number } | null,
  unit: Unit,
): string {
  if (!after) return t('{name} is no longer sold by the piece.', { name });
  return before
    ? t('A piece of {name} weighs about {average} now.', {
        name,
        average: formatQuantity(after.average, unit),
      })
    : t('{name} is sold by the piece now, {weight}.', {
        name,
        weight: formatPieceWeight(after, unit),
      });
}

type Costed = Parameters<typeof lineTotalMinor>[0];

/** Says what goods come to now that they are sold otherwise; nothing where that is the same. */
export function costsSentence(before: Costed, after: Costed): string {
  if (lineTotalMinor(after) === lineTotalMinor(before)) return '';
  return t('That makes {after} instead of {before}.', {
    after: formatCost(after),
    before: formatCost(before),
  });
}
