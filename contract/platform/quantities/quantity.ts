import { named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { toMinor } from '#contract/platform/money/constants';
import {
  type CountedGoods,
  PIECE_WEIGHT_MAX,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import {
  estimateMinor,
  formatQuantity,
  hasThreeDecimals,
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
import {
  isWeightUnit,
  QUANTITY_MAX,
  STEP_MAX,
  type Unit,
} from '#contract/platform/quantities/constants/units';
import { formatCount } from '#contract/platform/text/constants/formats';

const TOO_FINE = 'Use at most three decimals.';

/** A quantity on the wire: a JSON number with at most three decimals. */
export const Quantity = z
  .number('Enter a number.')
  .refine(hasThreeDecimals, TOO_FINE)
  .meta({ description: 'In units, with at most three decimals.' });

const atMost = (max: number) => ({ error: () => `Enter at most ${formatCount(max)}.` });

/** A quantity that is not nothing, as somebody enters it. */
const EnteredQuantity = z
  .number('Enter a number.')
  .positive('Enter a number above 0.')
  .refine(hasThreeDecimals, TOO_FINE);

/** What one piece weighs, in the unit of the price: on average, and at least and most where that is known. */
export const PieceWeight = named('PieceWeight', {
  average: Quantity,
  min: Quantity.optional(),
  max: Quantity.optional(),
});
export type PieceWeight = z.infer<typeof PieceWeight>;

/** What a line of an order weighs. Nothing is no weight: a line that is not there is removed. */
export const Weighed = z
  .number('Enter what it weighs.')
  .positive('Enter a weight above 0. To leave it out of the order, remove the line instead.')
  .refine(hasThreeDecimals, TOO_FINE)
  .max(QUANTITY_MAX, atMost(QUANTITY_MAX));

const EnteredWeight = EnteredQuantity.max(PIECE_WEIGHT_MAX, atMost(PIECE_WEIGHT_MAX));

/** What one piece weighs, as a farmer enters it; null and absent are the same. */
export const EnteredPieceWeight = z.object({
  average: EnteredWeight,
  min: EnteredWeight.nullable().optional(),
  max: EnteredWeight.nullable().optional(),
});

/** How much of a product is ordered; whether the product is sold so is decided where it is known. */
export const OrderedQuantity = EnteredQuantity.max(QUANTITY_MAX, atMost(QUANTITY_MAX));

/** A product's stock, as its farmer sets it. */
export const Stock = z
  .number('Valid quantity is required')
  .min(0, 'Valid quantity is required')
  .max(QUANTITY_MAX, { error: () => `The quantity can be at most ${formatCount(QUANTITY_MAX)}.` })
  .refine(hasThreeDecimals, 'Valid quantity is required');

/** The steps in which a product is stocked and sold; null for whole units. */
export const Step = EnteredQuantity.max(STEP_MAX, atMost(STEP_MAX)).nullable();

/** The smallest quantity of a product that can be ordered at once; null for one step. */
export const Minimum = OrderedQuantity.nullable();

type ProductSteps = Parameters<typeof stepProblems>[0];

/**
 * Returns a refinement that adds what does not fit together in a product: see {@link stepProblems}. `keepsStock`
 * says of an input whether its stock and step stay as they are. Says nothing while a field by itself is wrong.
 */
export const fitsSteps =
  <Input extends ProductSteps>(keepsStock: (input: Input) => boolean = () => false) =>
  (input: Input, context: z.RefinementCtx): void => {
    if (context.issues.length > 0) return;
    for (const { path, message } of stepProblems(input, { keepsStock: keepsStock(input) })) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  };

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
 * Returns what does not fit together in a product: the smallest order and the stock are multiples of the step, and the
 * smallest order costs something; pieces have a unit of weight and no steps. `keepsStock`: its stock and its step stay
 * as they are. A stock that is no multiple of the step comes about when an order of other steps is cancelled, and must
 * not stop other changes.
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
