import type { Unit } from '#contract/catalogue/products/product';
import { LINE_PROBLEM_CODES, type LineProblemCode } from '#contract/ordering/orders/constants';
import { formatMoney, fromMinor } from '#contract/platform/money/constants';
import {
  formatCounted,
  pieceWeightInWords,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantityOf } from '#contract/platform/quantities/constants/quantities';
import {
  minimumOf,
  mostOf,
  stepOf,
  stepsInWords,
} from '#contract/platform/quantities/constants/steps';
import { formatWallDate } from '#contract/platform/time/constants';
import {
  type PieceRow,
  presentPieceWeight,
  presentStocked,
  type StockedRow,
} from '../../catalogue/products/present.ts';
import {
  AppError,
  conflict,
  invalidField,
  notFound,
  unauthorized,
  unverifiedEmail,
} from '../../platform/http/errors.ts';
import { keyReused } from '../../platform/http/repeat.ts';
import { presentBasis } from '../place/seen-price.ts';

/** Why an order was not placed at all. */
export type Refusal =
  | 'CONSUMER_GONE'
  | 'KEY_REUSED'
  /** The market takes orders of verified emails only. */
  | 'EMAIL_NOT_VERIFIED'
  | 'PAST_PICKUP'
  | 'PAST_DELIVERY'
  | 'FARMER_UNKNOWN'
  /** It is not in the market yet, or no longer. */
  | 'FARM_NOT_APPROVED'
  | 'PRODUCT_TWICE'
  | 'PICKUP_NOT_OFFERED'
  | 'DELIVERY_NOT_OFFERED'
  | 'OUT_OF_AREA'
  /** The farm hands over in slots of its places. */
  | 'SLOT_REQUIRED'
  | 'TOTAL_TOO_LARGE';

/** What is wrong with one line of an order. A line may have several problems. */
export interface LineProblem {
  /** The line's place in the request, from 0. */
  line: number;
  code: LineProblemCode;
  /** The product as it is now; null when there is no such product. */
  product:
    | (StockedRow &
        PieceRow & {
          name: string;
          unit: Unit;
          priceMinor: number;
          availableUntil: string | null;
        })
    | null;
  /** What was asked for as it is counted now, where the product is sold on another basis than the buyer saw. */
  rebased?: { quantity: number | null } | undefined;
}

const FIELDS: Record<LineProblemCode, string> = {
  PRODUCT_UNAVAILABLE: 'product',
  OTHER_FARM: 'product',
  NOT_AVAILABLE_THEN: 'product',
  PRICE_CHANGED: 'price',
  OUT_OF_STOCK: 'quantity',
  QUANTITY_NOT_OFFERED: 'quantity',
};

function sentence({ code, product, rebased }: LineProblem): string {
  if (!product) return 'A product in your cart is no longer available.';
  const { name, priceMinor, availableUntil } = product;
  const pieceWeight = presentPieceWeight(product);
  const unit = quantityUnit({ unit: product.unit, pieceWeight });
  const stocked = presentStocked(product);
  const left = mostOf(stocked);
  switch (code) {
    case 'PRODUCT_UNAVAILABLE':
      return `${name} is no longer available.`;
    case 'OTHER_FARM':
      return `${name} is sold by another farm. You can only order from one farm at a time.`;
    case 'NOT_AVAILABLE_THEN':
      return `${name} can be had until ${formatWallDate(availableUntil ?? '', 'weekday')}. Choose an earlier day, or remove it.`;
    case 'PRICE_CHANGED':
      if (rebased) return rebasedSentence(product, rebased);
      return `${name} is now ${formatMoney(fromMinor(priceMinor))} per ${product.unit}.`;
    case 'OUT_OF_STOCK':
      return left === 0
        ? `${name} is sold out.`
        : `Only ${formatQuantityOf(left, unit, name)} left.`;
    case 'QUANTITY_NOT_OFFERED':
      return `You can order ${name} ${stepsInWords(stocked, unit)}.`;
  }
}

/** 'Chicken is now sold by the piece, about 1.5 kg each, at ₨8.00 per kg. 2 pieces of it would be about ₨24.00.' */
function rebasedSentence(
  product: NonNullable<LineProblem['product']>,
  { quantity }: { quantity: number | null },
): string {
  const { unit, pieceWeight, estimate } = presentBasis(product, quantity);
  const price = `${formatMoney(fromMinor(product.priceMinor))} per ${unit}`;
  const sentence = pieceWeight
    ? `${product.name} is now sold by the piece, ${pieceWeightInWords(pieceWeight, unit)}, at ${price}.`
    : `${product.name} is now sold at ${price}.`;
  if (quantity === null || estimate === undefined) return sentence;
  const amount = formatCounted(quantity, { unit, pieceWeight });
  return `${sentence} ${amount} of it would be ${pieceWeight ? 'about ' : ''}${formatMoney(estimate)}.`;
}

/**
 * The answer to an order some lines of which cannot be had as asked for. Every problem is in it, once as
 * a sentence and once for programs; its code is that of the mostSevere.
 */
export function lineRefusal(problems: readonly LineProblem[]): AppError {
  const errors = problems.map((problem) => ({
    path: `items.${problem.line}.${FIELDS[problem.code]}`,
    message: sentence(problem),
  }));
  const mostSevere = LINE_PROBLEM_CODES.find((code) =>
    problems.some((problem) => problem.code === code),
  );
  return new AppError(
    // A quantity in which the product is not sold breaks a rule; everything else has changed since it was seen.
    mostSevere === 'QUANTITY_NOT_OFFERED' ? 400 : 409,
    mostSevere ?? 'PRODUCT_UNAVAILABLE',
    errors.map((error) => error.message).join(' '),
    {
      errors,
      problems: problems.map(presentProblem),
    },
  );
}

function presentProblem({ line, code, product, rebased }: LineProblem) {
  if (!product) return { line, code };
  const stocked = presentStocked(product);
  switch (code) {
    case 'PRICE_CHANGED':
      return {
        line,
        code,
        price: fromMinor(product.priceMinor),
        ...(rebased ? presentBasis(product, rebased.quantity) : {}),
      };
    case 'OUT_OF_STOCK':
      return { line, code, left: mostOf(stocked) };
    case 'QUANTITY_NOT_OFFERED':
      return { line, code, step: stepOf(stocked), minimum: minimumOf(stocked) };
    case 'NOT_AVAILABLE_THEN':
      return { line, code, ...(product.availableUntil ? { until: product.availableUntil } : {}) };
    default:
      return { line, code };
  }
}

const PAST = 'Choose a date that is not in the past.';

const SLOT_REQUIRED =
  'This farm hands over at set times. Choose one of its places and pickup times.';

/** The answer to an order that was refused as a whole. What it says of an area: see `out-of-area.ts`. */
export function orderRefusal(refusal: Exclude<Refusal, 'OUT_OF_AREA'>): AppError {
  switch (refusal) {
    case 'CONSUMER_GONE':
      return unauthorized('Your session has ended. Please sign in again.');
    case 'KEY_REUSED':
      return keyReused();
    case 'EMAIL_NOT_VERIFIED':
      return unverifiedEmail(
        'Confirm your email before you order. Open the link in the email that we sent you.',
      );
    case 'PAST_PICKUP':
      return invalidField('pickupDetails.date', PAST);
    case 'PAST_DELIVERY':
      return invalidField('deliveryDetails.date', PAST);
    case 'FARMER_UNKNOWN':
      return notFound('Farmer not found');
    case 'FARM_NOT_APPROVED':
      return conflict(
        'FARM_NOT_APPROVED',
        'This farm is not open yet, so nothing can be ordered from it.',
      );
    case 'PRODUCT_TWICE':
      return invalidField('items', 'List each product only once.');
    case 'PICKUP_NOT_OFFERED':
      return conflict('PICKUP_NOT_OFFERED', 'This farm does not offer pickup.', [
        { path: 'pickupDetails', message: 'This farm does not offer pickup.' },
      ]);
    case 'DELIVERY_NOT_OFFERED':
      return conflict('DELIVERY_NOT_OFFERED', 'This farm does not deliver.', [
        { path: 'deliveryDetails', message: 'This farm does not deliver.' },
      ]);
    case 'SLOT_REQUIRED':
      return conflict('SLOT_REQUIRED', SLOT_REQUIRED, [
        { path: 'pickupDetails.slotId', message: SLOT_REQUIRED },
      ]);
    case 'TOTAL_TOO_LARGE':
      return invalidField('items', "That's over the limit for one order. Please split it.");
  }
}
