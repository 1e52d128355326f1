import { toMinor } from '#contract/constants/money';
import type { UNITS } from '#contract/constants/products';
import { formatQuantity, lineCostMinor, toMilli } from '#contract/constants/quantities';
import {
  ceilToStep,
  floorToStep,
  isOfSteps,
  minimumOf,
  type Steps,
  type Stocked,
  stepOf,
} from '#contract/constants/steps';

// Apart from what else is known of steps, because pages for customers need no more of it.

type Unit = (typeof UNITS)[number];

/** Returns the two multiples of the step around a quantity, in words: '1 kg or 1.25 kg'. */
function multiplesAround(quantity: number, steps: Steps, unit: Unit): string {
  const around = [floorToStep(quantity, steps), ceilToStep(quantity, steps)];
  return around
    .filter((multiple) => multiple > 0)
    .map((multiple) => formatQuantity(multiple, unit))
    .join(' or ');
}

/** A field of a product that does not fit the others. */
export interface StepProblem {
  path: 'step' | 'minimum' | 'quantityAvailable';
  message: string;
}

/**
 * Returns what does not fit together in a product: the smallest order and the stock are multiples of the step, and
 * the smallest order costs something. `keepsStock`: its stock and its step stay as they are. A stock that is no
 * multiple of the step comes about when an order of other steps is cancelled, and must not stop other changes.
 */
export function stepProblems(
  product: Stocked & { price: number; unit: Unit },
  { keepsStock = false } = {},
): StepProblem[] {
  const { step, minimum, quantityAvailable: stock, price, unit } = product;
  const problems: StepProblem[] = [];
  if (minimum != null && !isOfSteps(minimum, product)) {
    const around = multiplesAround(minimum, product, unit);
    problems.push({
      path: 'minimum',
      message: `The smallest order must be a multiple of ${formatQuantity(stepOf(product), unit)}: ${around}.`,
    });
  }
  if (!keepsStock && !isOfSteps(stock, product)) {
    problems.push({
      path: 'quantityAvailable',
      message:
        step == null
          ? 'Valid quantity is required'
          : `A stock of ${formatQuantity(stock, unit)} is no multiple of ${formatQuantity(step, unit)}. Set it to ${multiplesAround(stock, product, unit)}.`,
    });
  }
  if (lineCostMinor(toMinor(price), toMilli(minimumOf(product))) === 0) {
    problems.push({
      path: minimum == null ? 'step' : 'minimum',
      message: `At this price ${formatQuantity(minimumOf(product), unit)} would cost nothing. Make the smallest order larger.`,
    });
  }
  return problems;
}
