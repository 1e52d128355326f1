import type { Unit } from '#contract/catalogue/products/product';
import type { LineProblem } from '#contract/platform/http/http';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { stepsOf } from '#contract/platform/quantities/constants/steps';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { stockTaken } from '../../catalogue/model/sizes.ts';
import { isOneOf } from '../../platform/api/check.ts';
import type { Offer } from './reconcile.ts';
import { type CartLine, pieceOf, takenByOthers } from './rules.ts';

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
  for (const problem of problems) {
    const line = lines[problem.line];
    if (!line || OTHER_CODES.includes(problem.code)) continue;
    const { offer, version } = known(line.productId);
    const before = refused.get(line.productId)?.offer ?? offer;
    const isAvailable = AVAILABLE_CODES.includes(problem.code);
    // Without the product nothing is known of its other sizes.
    if (isAvailable && line.size && !before?.sizes) continue;
    refused.set(line.productId, {
      version,
      offer: !isAvailable
        ? null
        : before && line.size
          ? refusedSize(before, line, problem, takenByOthers(lines, line))
          : refusedUnit(before, line, problem),
    });
  }
  return refused;
}

/** Returns an offer after a refusal of what is sold in its unit. */
function refusedUnit(before: Offer | undefined, line: CartLine, problem: LineProblem): Offer {
  const { price, left, most, unit, pieceWeight } = problem;
  return {
    price: price ?? before?.price ?? line.price,
    quantityAvailable: left ?? before?.quantityAvailable ?? line.quantity,
    maxPerOrder: most ?? before?.maxPerOrder,
    ...unitOf(unit ?? before?.unit),
    ...pieceOf(
      pieceWeight === undefined ? (before ?? line) : { pieceWeight: pieceWeight ?? undefined },
    ),
    ...stepsOf({ ...before, ...stepsOf(problem) }),
  };
}

/** Returns an offer in sizes after a refusal of one of them: it is off, sold otherwise, or there are fewer left. */
function refusedSize(
  offer: NonNullable<Offer>,
  { size: ordered }: CartLine,
  { code, price, content, left, most, minimum }: LineProblem,
  othersMilli: number,
): Offer {
  const inStock = (quantity: number) =>
    fromMilli(stockTaken({ quantity, size: ordered }) + othersMilli);
  return {
    ...offer,
    quantityAvailable: left === undefined ? offer.quantityAvailable : inStock(left),
    maxPerOrder: most === undefined ? offer.maxPerOrder : inStock(most),
    sizes: offer.sizes?.map((size) =>
      size._id === ordered?._id
        ? {
            ...size,
            price: price ?? size.price,
            content: content ?? size.content,
            minimum: minimum ?? size.minimum,
            isActive: size.isActive && code !== 'SIZE_UNAVAILABLE',
          }
        : size,
    ),
  };
}

const unitOf = (unit: string | undefined): { unit?: Unit } => (isUnit(unit) ? { unit } : {});
const isUnit = isOneOf(UNITS);
