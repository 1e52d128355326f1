import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { type SizeStock, smallestOrder } from '#contract/platform/quantities/constants/sizes';

/**
 * How a product is sold: in multiples of `step`, at least `minimum` at once. Without `step` in whole units,
 * without `minimum` from one step on. With `sizes` these say what an order takes at least, from a stock of any
 * thousandths. All quantities here are those of the wire.
 */
export interface Steps {
  step?: number | null | undefined;
  minimum?: number | null | undefined;
  sizes?: readonly SizeStock[] | null | undefined;
}

/** What of a product decides how much of it can be ordered. */
export interface Stocked extends Steps {
  quantityAvailable: number;
}

/** Returns the step in which a product is stocked and sold: 1 for whole units. */
export const stepOf = ({ step, sizes }: Steps): number => (sizes?.length ? 0.001 : (step ?? 1));

/** Returns the smallest quantity of a product that can be ordered. */
export const minimumOf = (steps: Steps): number =>
  steps.sizes?.length ? smallestOrder(steps.sizes) : (steps.minimum ?? stepOf(steps));

/** Returns the steps of a product as its fields have them: a field that is not set is left out. */
export const stepsOf = ({ step, minimum }: Steps): { step?: number; minimum?: number } => ({
  ...(step == null ? {} : { step }),
  ...(minimum == null ? {} : { minimum }),
});

/** Returns whether two products have the same step, be it said or not. */
export const hasSameStep = (one: Steps, other: Steps): boolean => stepOf(one) === stepOf(other);

/** Returns the largest multiple of the step that is not larger than the quantity. */
export function floorToStep(quantity: number, steps: Steps): number {
  const stepMilli = toMilli(stepOf(steps));
  return fromMilli(Math.floor(toMilli(quantity) / stepMilli) * stepMilli);
}

/** Returns the smallest multiple of the step that is not smaller than the quantity. */
export function ceilToStep(quantity: number, steps: Steps): number {
  const stepMilli = toMilli(stepOf(steps));
  return fromMilli(Math.ceil(toMilli(quantity) / stepMilli) * stepMilli);
}

/** Returns whether a quantity is a multiple of the step. */
export const isOfSteps = (quantity: number, steps: Steps): boolean =>
  toMilli(quantity) % toMilli(stepOf(steps)) === 0;

/** Returns whether a quantity is one in which the product is sold: of its steps and not below its minimum. */
export const isOffered = (quantity: number, steps: Steps): boolean =>
  quantity >= minimumOf(steps) && isOfSteps(quantity, steps);

/**
 * Returns the largest quantity of a product that can be ordered. It is less than the stock where that is no
 * multiple of the step, and 0 where the rest is less than the smallest order.
 */
export function mostOf(product: Stocked): number {
  const most = floorToStep(product.quantityAvailable, product);
  return most >= minimumOf(product) ? most : 0;
}

/** Returns whether nothing of a product can be ordered: none is left, or less than the smallest order. */
export const isSoldOut = (product: Stocked): boolean => mostOf(product) === 0;

/**
 * Returns the quantity that can be ordered and is nearest to the one that is wanted, the smaller of two. It
 * is 0 where nothing can be.
 */
export function nearestOffered(wanted: number, product: Stocked): number {
  const most = mostOf(product);
  if (most === 0) return 0;
  const below = floorToStep(wanted, product);
  const above = ceilToStep(wanted, product);
  const nearest =
    toMilli(above) - toMilli(wanted) < toMilli(wanted) - toMilli(below) ? above : below;
  return Math.min(most, Math.max(minimumOf(product), nearest));
}
