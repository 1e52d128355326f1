import { toMinor } from '#contract/platform/money/constants/money';
import { type CountedGoods, quantityUnit } from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import {
  ceilToStep,
  floorToStep,
  isOfSteps,
  minimumOf,
  type Steps,
  type Stocked,
  stepOf,
} from '#contract/platform/quantities/constants/steps';
import type { UNITS } from '#contract/platform/quantities/constants/units';
import { isWeightUnit } from '#contract/platform/quantities/constants/weight-units';

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
  path:
    | 'step'
    | 'minimum'
    | 'quantityAvailable'
    | 'unit'
    | 'pieceWeight.average'
    | 'pieceWeight.min'
    | 'pieceWeight.max';
  message: string;
}

/** Returns what does not fit together in a product that is sold by the piece and priced by weight. */
function pieceProblems({ unit, step, pieceWeight }: Steps & CountedGoods): StepProblem[] {
  if (!pieceWeight) return [];
  const { average, min, max } = pieceWeight;
  const problems: StepProblem[] = [];
  if (!isWeightUnit(unit)) {
    problems.push({ path: 'unit', message: 'What is priced by weight needs kg, g, lb or oz.' });
  }
  if (step != null) {
    problems.push({ path: 'step', message: 'Pieces are sold in whole numbers, without steps.' });
  }
  if (min != null && min > average) {
    problems.push({
      path: 'pieceWeight.min',
      message: "The lightest piece can't weigh more than the average.",
    });
  }
  if (max != null && max < average) {
    problems.push({
      path: 'pieceWeight.max',
      message: "The heaviest piece can't weigh less than the average.",
    });
  }
  return problems;
}

/**
 * Returns what does not fit together in a product: the smallest order and the stock are multiples of the step, and
 * the smallest order costs something; pieces have a unit of weight and no steps. `keepsStock`: its stock and its step stay as they are. A stock that is no
 * multiple of the step comes about when an order of other steps is cancelled, and must not stop other changes.
 */
export function stepProblems(
  product: Stocked & CountedGoods & { price: number },
  { keepsStock = false } = {},
): StepProblem[] {
  const { step, minimum, quantityAvailable: stock, price, pieceWeight } = product;
  const unit = quantityUnit(product);
  const problems = pieceProblems(product);
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
  const smallest = {
    priceMinor: toMinor(price),
    quantityMilli: toMilli(minimumOf(product)),
    pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
  };
  if (estimateMinor(smallest) === 0) {
    problems.push({
      path: minimum == null ? 'step' : 'minimum',
      message: `At this price ${formatQuantity(minimumOf(product), unit)} would cost nothing. Make the smallest order larger.`,
    });
  }
  return problems;
}
