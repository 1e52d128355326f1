import { type StepProblem, stepProblems } from '#contract/constants/step-problems';
import { hasSameStep } from '#contract/constants/steps';
import { fromMinor } from '#contract/http';
import type { UpdateProduct } from '#contract/products';
import { type ProductRow, presentStocked, type StockedRow } from './present.ts';

/**
 * Returns what would not fit together in a product after a change of it: its stock, its smallest order and its price
 * with its steps. A stock that stays as it is in the same steps fits.
 */
export function changeProblems(
  before: StockedRow & Pick<ProductRow, 'priceMinor' | 'unit'>,
  change: Pick<UpdateProduct, 'quantityAvailable' | 'step' | 'minimum' | 'price' | 'unit'>,
): StepProblem[] {
  const stocked = presentStocked(before);
  const after = {
    quantityAvailable: change.quantityAvailable ?? stocked.quantityAvailable,
    step: change.step === undefined ? stocked.step : change.step,
    minimum: change.minimum === undefined ? stocked.minimum : change.minimum,
    price: change.price ?? fromMinor(before.priceMinor),
    unit: change.unit ?? before.unit,
  };
  const keepsStock =
    after.quantityAvailable === stocked.quantityAvailable && hasSameStep(after, stocked);
  return stepProblems(after, { keepsStock });
}
