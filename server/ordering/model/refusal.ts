import type { PriceBasis, Unit } from '#contract/catalogue/products/product';
import { LINE_PROBLEM_CODES, type LineProblemCode } from '#contract/ordering/orders/constants';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { formatPieceWeight } from '#contract/platform/quantities/constants/piece-words';
import {
  aboutMilli,
  formatCounted,
  nameWithSize,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  minimumOf,
  mostOf,
  nearestOffered,
  stepOf,
} from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import {
  type PieceRow,
  presentPieceWeight,
  presentStocked,
  type StockedRow,
} from '../../catalogue/products/present.ts';
import { presentUnitLabel, type SizeRow, sizesOf } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import {
  AppError,
  conflict,
  invalidField,
  notFound,
  unauthorized,
  unverifiedEmail,
} from '../../platform/http/errors.ts';
import { keyReused } from '../../platform/http/repeat.ts';
import { stockedIn } from './sold.ts';

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
          unitLabel?: readonly string[];
          sizes: unknown;
          availableUntil: string | null;
          maxOrderMilli: number | null;
        })
    | null;
  /** The size that was asked for, where the product has it. */
  size?: SizeRow | undefined;
  /** What other lines of the order take of the product, in thousandths of its stock. */
  othersMilli?: number | undefined;
  /** What was asked for as it is counted now, where the product is sold on another basis than the consumer saw. */
  rebased?: { quantity: number | null } | undefined;
}

const FIELDS: Record<LineProblemCode, string> = {
  PRODUCT_UNAVAILABLE: 'product',
  OTHER_FARM: 'product',
  SIZE_REQUIRED: 'size',
  SIZE_UNAVAILABLE: 'size',
  NOT_AVAILABLE_THEN: 'product',
  PRICE_CHANGED: 'price',
  OUT_OF_STOCK: 'quantity',
  OVER_MAXIMUM: 'quantity',
  QUANTITY_NOT_OFFERED: 'quantity',
};

function sentence(problem: LineProblem): Message {
  const { code, product, size, rebased } = problem;
  if (!product) return msg('A product in your cart is no longer available.');
  const { name, availableUntil } = product;
  const goods = {
    unit: product.unit,
    ...presentUnitLabel(product),
    pieceWeight: presentPieceWeight(product),
  };
  const unit = quantityUnit({ ...goods, size });
  const inSize = nameWithSize(name, size);
  const price = formatMoney(fromMinor(priceOf(product, size)));
  const stocked = stockedFor(product, problem);
  const left = mostOf(stocked);
  switch (code) {
    case 'PRODUCT_UNAVAILABLE':
      return msg('{name} is no longer available.', { name });
    case 'OTHER_FARM':
      return msg('{name} is sold by another farm. You can only order from one farm at a time.', {
        name,
      });
    case 'SIZE_REQUIRED':
      return msg('{name} is sold in sizes. Choose one.', { name });
    case 'SIZE_UNAVAILABLE':
      return sizesOf(product).length > 0
        ? msg('{name} is no longer sold in this size. Choose another one.', { name })
        : msg('{name} is no longer sold in sizes. Remove it and choose it again.', { name });
    case 'NOT_AVAILABLE_THEN':
      return msg('{name} can be had until {day}. Choose an earlier day, or remove it.', {
        name,
        day: formatWallDate(availableUntil ?? '', 'weekday'),
      });
    case 'PRICE_CHANGED':
      if (rebased) return rebasedSentence(product, size, rebased);
      return size
        ? msg('{name} is now {price} each.', { name: inSize, price })
        : msg('{name} is now {price} per {unit}.', {
            name,
            price,
            unit: nameOfUnit(product.unit),
          });
    case 'OUT_OF_STOCK':
      return left === 0
        ? msg('{name} is sold out.', { name: inSize })
        : msg('Only {quantity} of {name} left.', {
            quantity: formatQuantity(left, unit),
            name: inSize,
          });
    case 'OVER_MAXIMUM':
      return msg('An order can have at most {quantity} of {name}.', {
        quantity: formatQuantity(fromMilli(maxOrderOf(product)), quantityUnit(goods)),
        name,
      });
    case 'QUANTITY_NOT_OFFERED':
      return msg('You can order {name} {steps}.', {
        name: inSize,
        steps: formatSteps(stocked, unit),
      });
  }
}

/** Returns what of a product, or of its size, is there for a line beside what others of the order take. */
const stockedFor = (
  product: NonNullable<LineProblem['product']>,
  { size, othersMilli = 0 }: Pick<LineProblem, 'size' | 'othersMilli'>,
) => stockedIn(product, size, Number(product.stockMilli) - othersMilli);

/** Returns the price of a product per unit, or per piece of its size, in minor units. */
export const priceOf = (
  { priceMinor }: { priceMinor: number },
  size: Pick<SizeRow, 'priceMinor'> | undefined,
): number => size?.priceMinor ?? priceMinor;

/** Returns the most of a product that an order can have, in thousandths of its stock. */
export const maxOrderOf = ({ maxOrderMilli }: Pick<StockRow, 'maxOrderMilli'>): number =>
  maxOrderMilli ?? toMilli(QUANTITY_MAX);

/** Returns whether so much of a product, in thousandths of its stock, is more than an order can have. */
export const isOverMaximum = (product: Pick<StockRow, 'maxOrderMilli'>, milli: number): boolean =>
  milli > maxOrderOf(product);

/**
 * 'Chicken is now sold by the piece, about 1.5 kg each, at ₨8.00 per kg. 2 pieces of it would be about ₨24.00.' Of a
 * size: 'Carrots (Large bag) now contains 4 kg, at ₨80.00 each. 2 pieces of it would be ₨160.00.'
 */
function rebasedSentence(
  product: NonNullable<LineProblem['product']>,
  size: SizeRow | undefined,
  { quantity }: { quantity: number | null },
): Message {
  const { unit, pieceWeight, content, estimate } = presentBasis(product, size, quantity);
  const sold = {
    name: nameWithSize(product.name, size),
    price: formatMoney(fromMinor(priceOf(product, size))),
    unit: nameOfUnit(unit),
  };
  const basis = () => {
    if (content !== undefined) {
      return msg('{name} now contains {content}, at {price} each.', {
        ...sold,
        content: formatQuantity(content, quantityUnit({ unit, ...presentUnitLabel(product) })),
      });
    }
    return pieceWeight
      ? msg('{name} is now sold by the piece, {weight}, at {price} per {unit}.', {
          ...sold,
          weight: formatPieceWeight(pieceWeight, unit),
        })
      : msg('{name} is now sold at {price} per {unit}.', sold);
  };
  const sentence = basis();
  if (quantity === null || estimate === undefined) return sentence;
  const amount = formatCounted(quantity, { unit, pieceWeight, size });
  const cost = formatMoney(estimate);
  return inTurn(
    sentence,
    pieceWeight
      ? msg('{amount} of it would be about {cost}.', { amount, cost })
      : msg('{amount} of it would be {cost}.', { amount, cost }),
  );
}

/** What a price is for, behind "per". */
const nameOfUnit = (unit: Unit): Message =>
  msg(
    '{unit, select, kg {kg} lb {lb} oz {oz} g {g} bunch {bunch} dozen {dozen} pint {pint} quart {quart} gallon {gallon} l {l} ml {ml} other {each}}',
    { unit },
  );

/** Two sentences, one after the other. */
const inTurn = (first: Message, second: Message): Message =>
  msg('{first} {second}', { first, second });

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
    // A quantity in which the product is not sold, or no size, breaks a rule; everything else has changed since.
    mostSevere === 'QUANTITY_NOT_OFFERED' || mostSevere === 'SIZE_REQUIRED' ? 400 : 409,
    mostSevere ?? 'PRODUCT_UNAVAILABLE',
    errors.map(({ message }) => message).reduce(inTurn),
    { errors, problems: problems.map(presentProblem) },
  );
}

function presentProblem(problem: LineProblem) {
  const { line, code, product, size, rebased } = problem;
  if (!product) return { line, code };
  const stocked = stockedFor(product, problem);
  switch (code) {
    case 'PRICE_CHANGED':
      return {
        line,
        code,
        price: fromMinor(priceOf(product, size)),
        ...(rebased ? presentBasis(product, size, rebased.quantity) : {}),
      };
    case 'OUT_OF_STOCK':
      return { line, code, left: mostOf(stocked) };
    case 'OVER_MAXIMUM': {
      const mostMilli = maxOrderOf(product) - (problem.othersMilli ?? 0);
      return { line, code, most: mostOf(stockedIn(product, size, mostMilli)) };
    }
    case 'QUANTITY_NOT_OFFERED':
      return { line, code, step: stepOf(stocked), minimum: minimumOf(stocked) };
    case 'NOT_AVAILABLE_THEN':
      return { line, code, ...(product.availableUntil ? { until: product.availableUntil } : {}) };
    default:
      return { line, code };
  }
}

const past = (path: string) => invalidField(path, msg('Choose a date that is not in the past.'));
const notOffered = (code: string, path: string, message: Message) =>
  conflict(code, message, [{ path, message }]);

/** The answers to an order that was refused as a whole. What one says of an area: see `place.ts`. */
const REFUSALS = {
  CONSUMER_GONE: () => unauthorized(msg('Your session has ended. Please sign in again.')),
  KEY_REUSED: keyReused,
  /** The market takes orders of verified emails only. */
  EMAIL_NOT_VERIFIED: () =>
    unverifiedEmail(
      msg('Confirm your email before you order. Open the link in the email that we sent you.'),
    ),
  PAST_PICKUP: () => past('pickupDetails.date'),
  PAST_DELIVERY: () => past('deliveryDetails.date'),
  FARMER_UNKNOWN: () => notFound(msg('Farmer not found')),
  /** It is not in the market yet, or no longer. */
  FARM_NOT_APPROVED: () =>
    conflict(
      'FARM_NOT_APPROVED',
      msg('This farm is not open yet, so nothing can be ordered from it.'),
    ),
  PRODUCT_TWICE: () => invalidField('items', msg('List each product only once.')),
  PICKUP_NOT_OFFERED: () =>
    notOffered('PICKUP_NOT_OFFERED', 'pickupDetails', msg('This farm does not offer pickup.')),
  DELIVERY_NOT_OFFERED: () =>
    notOffered('DELIVERY_NOT_OFFERED', 'deliveryDetails', msg('This farm does not deliver.')),
  /** The farm hands over in slots of its places. */
  SLOT_REQUIRED: () =>
    notOffered(
      'SLOT_REQUIRED',
      'pickupDetails.slotId',
      msg('This farm hands over at set times. Choose one of its places and pickup times.'),
    ),
  TOTAL_TOO_LARGE: () =>
    invalidField('items', msg("That's over the limit for one order. Please split it.")),
};

/** Why an order was not placed at all. */
export type Refusal = keyof typeof REFUSALS | 'OUT_OF_AREA';

/** Returns the answer to an order that was refused as a whole. */
export const orderRefusal = (refusal: keyof typeof REFUSALS): AppError => REFUSALS[refusal]();

type Priced = Pick<StockRow, 'priceMinor' | 'unit' | 'pieceMilli'>;
type Sized = { contentMilli?: number | null };

/** Returns whether the price that somebody saw is the one of a product; what they do not say is not held to it. */
export const isSeenPrice = (
  price: number | undefined,
  { priceMinor }: Pick<Priced, 'priceMinor'>,
): boolean => price === undefined || toMinor(price) === priceMinor;

/**
 * Returns whether goods are sold as somebody saw them: per the same unit, and a piece weighs as much; or in a size of the
 * same content.
 */
export const isSeenBasis = (
  basis: PriceBasis | undefined,
  { unit, pieceMilli, contentMilli = null }: Pick<Priced, 'unit' | 'pieceMilli'> & Sized,
): boolean =>
  basis === undefined ||
  (basis.unit === unit &&
    (basis.pieceWeight ? toMilli(basis.pieceWeight.average) : null) === pieceMilli &&
    (basis.content === undefined ? null : toMilli(basis.content)) === contentMilli);

/**
 * Returns how much of a product somebody wants who saw it sold otherwise: the nearest quantity in which it can be
 * ordered now, null where what they asked for does not say how much that is. A piece of a size stays a piece.
 * @returns nothing where it is sold as they saw it
 */
export function rebasedTo(
  { quantity, priceBasis: basis }: { quantity: number; priceBasis?: PriceBasis | undefined },
  product: Priced & StockedRow,
  size?: SizeRow,
): { quantity: number | null } | undefined {
  if (!basis || isSeenBasis(basis, { ...product, ...size })) return undefined;
  if (size) return { quantity };
  const { unit, pieceWeight } = basis;
  const seen = { unit, pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null };
  const milli = aboutMilli(toMilli(quantity), seen, product);
  const stocked = { ...presentStocked(product), quantityAvailable: QUANTITY_MAX };
  return { quantity: milli === null ? null : nearestOffered(fromMilli(milli), stocked) };
}

/** Returns how a product is sold now, and what so much of it is expected to cost. */
const presentBasis = (
  product: Priced & Parameters<typeof presentPieceWeight>[0],
  size: SizeRow | undefined,
  quantity: number | null,
) => ({
  unit: product.unit,
  pieceWeight: presentPieceWeight(product) ?? null,
  ...(size ? { content: fromMilli(size.contentMilli) } : {}),
  ...(quantity === null
    ? {}
    : {
        estimate: fromMinor(
          estimateMinor({
            pieceMilli: product.pieceMilli,
            priceMinor: priceOf(product, size),
            quantityMilli: toMilli(quantity),
          }),
        ),
      }),
});
