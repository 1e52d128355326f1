import type { Unit } from '#contract/catalogue/products/product';
import type { LineProblem } from '#contract/platform/http/http';
import { formatMoney, lineTotalMinor, toMinor } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import { formatCounted } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
  perUnit,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  isOffered,
  mostOf,
  nearestOffered,
  type Steps,
  type Stocked,
  stepsOf,
} from '#contract/platform/quantities/constants/steps';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { isOneOf } from '../../platform/api/check.ts';
import { type Cart, type CartLine, formatCost, pieceOf, recount, withLines } from './rules.ts';

/** The current offer of a product, its unit if known; null if it is no longer sold. */
export type Offer =
  | (Stocked & {
      price: number;
      unit?: Unit;
      pieceWeight?: { average: number } | undefined;
      /** Its last day, where no day until then takes orders. */
      missedDay?: string | undefined;
    })
  | null;

/** The offers in a refusal by product id, each valid until a newer version of the product is known. */
export type Refused = ReadonlyMap<string, { offer: Offer; version: number | undefined }>;

/** Problems of what can still be ordered. */
const AVAILABLE_CODES = ['PRICE_CHANGED', 'OUT_OF_STOCK', 'QUANTITY_NOT_OFFERED'];

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
    // The product is for sale, but not for that day.
    if (!line || code === 'NOT_AVAILABLE_THEN') continue;
    const { offer, version } = known(line.productId);
    const before = refused.get(line.productId)?.offer ?? offer;
    const isAvailable = AVAILABLE_CODES.includes(code);
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

const unitOf = (unit: string | undefined): { unit?: Unit } => (isUnit(unit) ? { unit } : {});
const isUnit = isOneOf(UNITS);

/** What changed about a line since it was added to the cart. */
export type LineNotice = {
  line: CartLine;
  /** The product is not sold any more. */
  isGone: boolean;
  /** Its last day, where no day until then takes orders. */
  missedDay?: string | undefined;
  /** The largest quantity that can be ordered, if it is below that of the line. */
  left?: number | undefined;
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
  /** The new price, if it changed. */
  price?: number | undefined;
  /** What the price is per now, if that is known. */
  unit?: Unit | undefined;
};

function noticesOf(line: CartLine, offer: Offer | undefined): LineNotice | null {
  if (offer === undefined) return null;
  if (offer === null) return { line, isGone: true, steps: {} };
  const { missedDay } = offer;
  if (missedDay !== undefined) return { line, isGone: false, left: 0, missedDay, steps: {} };
  const most = mostOf(offer);
  const recounted = recount(line, offer);
  const wanted = recounted ?? line.quantity;
  const isShort = offer.quantityAvailable < wanted || most === 0;
  const isMisfit = !isShort && !isOffered(wanted, offer);
  const isRepriced = toMinor(offer.price) !== toMinor(line.price);
  const isReweighed = offer.pieceWeight?.average !== line.pieceWeight?.average;
  const isPerOther = isOtherUnit(line, offer.unit);
  if (!isShort && !isMisfit && !isRepriced && !isReweighed && !isPerOther) return null;
  return {
    line,
    isGone: false,
    steps: stepsOf(offer),
    recounted,
    left: isShort ? most : undefined,
    nearest: isMisfit ? nearestOffered(line.quantity, offer) : undefined,
    unit: offer.unit,
    pieceWeight: isReweighed ? (offer.pieceWeight ?? null) : undefined,
    // The price of a sold-out product is not reported.
    price: isRepriced && most > 0 ? offer.price : undefined,
  };
}

function updatedLine(news: LineNotice): CartLine | null {
  const { isGone, left, recounted, nearest, price, unit, pieceWeight } = news;
  if (isGone || left === 0) return null;
  const { step: _, minimum: __, pieceWeight: before, ...line } = news.line;
  return {
    ...line,
    quantity: left ?? nearest ?? recounted ?? line.quantity,
    price: price ?? line.price,
    ...(unit && { unit }),
    ...stepsOf(news.steps),
    ...pieceOf({ pieceWeight: pieceWeight === undefined ? before : (pieceWeight ?? undefined) }),
  };
}

/**
 * Compares the cart with the current offers (by product id; missing if not known yet). Returns what
 * changed, and the cart as it can be ordered: with current prices, within the stock, without products
 * that are gone.
 */
export function reconcile(
  cart: Cart,
  offers: ReadonlyMap<string, Offer>,
): { news: LineNotice[]; updated: Cart } {
  const news = cart.lines
    .map((line) => noticesOf(line, offers.get(line.productId)))
    .filter((each) => each !== null);
  if (news.length === 0) return { news, updated: cart };
  const lines = cart.lines.flatMap((line) => {
    const about = news.find((each) => each.line === line);
    return (about ? updatedLine(about) : line) ?? [];
  });
  return { news, updated: withLines(cart, lines) };
}

/** Returns some sentences about the changes of a line. */
export function noticeSentence(news: LineNotice): string {
  const { line, isGone, missedDay, left, nearest, recounted, price, steps, pieceWeight } = news;
  const { unit: priceUnit = 'each' } = news;
  const { name, quantity } = line;
  const isByPiece = pieceWeight === undefined ? line.pieceWeight : pieceWeight;
  const unit = isByPiece ? 'each' : priceUnit;
  if (isGone) return t('{name} is no longer on sale.', { name });
  if (missedDay !== undefined)
    return t(
      '{name} can be had until {day}, and no day until then takes orders. Remove it to order the rest.',
      { name, day: formatWallDate(missedDay, 'weekday') },
    );
  if (left === 0) return t('{name} is sold out.', { name });
  const had =
    recounted === undefined
      ? formatQuantity(quantity, unit)
      : formatCounted(quantity, { ...line, unit: line.unit ?? 'each' });
  return [
    pieceWeight !== undefined && pieceSentence(line, pieceWeight, priceUnit),
    priceSentence(line, { price: price ?? line.price, unit: news.unit }),
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
        recounted: formatCounted(recounted, { unit: priceUnit, pieceWeight: isByPiece }),
        had,
      }),
    left !== undefined &&
      t('Only {left} left; your cart has {had}.', {
        left: formatQuantityOf(left, unit, name),
        had,
      }),
    (pieceWeight !== undefined || isOtherUnit(line, news.unit)) &&
      costsSentence(line, updatedLine(news) ?? line),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Goods as they were sold when they were chosen. */
type Chosen = Pick<CartLine, 'name' | 'price' | 'unit' | 'pieceWeight'>;

/** Returns whether the price of goods is per something else by now, as far as that is known. */
const isOtherUnit = (before: Pick<Chosen, 'unit'>, unit: Unit | undefined): boolean =>
  before.unit !== undefined && unit !== undefined && unit !== before.unit;

/** Says what goods cost now, and per what if that changed; nothing where it is the same. */
export function priceSentence(
  before: Chosen,
  { price, unit }: { price: number; unit: Unit | undefined },
): string {
  const [now, then] = [formatMoney(price), formatMoney(before.price)];
  if (before.unit !== undefined && unit !== undefined && unit !== before.unit) {
    return t('{name} costs {now} now instead of {before}.', {
      name: before.name,
      now: `${now} ${perUnit(unit)}`,
      before: `${then} ${perUnit(before.unit)}`,
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
