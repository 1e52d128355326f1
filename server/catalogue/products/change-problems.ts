import type { UpdateProduct } from '#contract/catalogue/products/products';
import { fromMinor } from '#contract/platform/money/constants';
import type { PieceWeightRange } from '#contract/platform/quantities/constants/pieces';
import { hasSameStep } from '#contract/platform/quantities/constants/steps';
import { type StepProblem, stepProblems } from '#contract/platform/quantities/quantity';
import {
  type PieceRow,
  type ProductRow,
  presentPieceWeight,
  presentStocked,
  type StockedRow,
} from './present.ts';

type PieceChange = Pick<UpdateProduct, 'soldBy' | 'pieceWeight'>;

/** Returns what a piece weighs after a change; null of what is not sold by the piece and priced by weight. */
export function pieceWeightAfter(
  before: PieceRow,
  { soldBy, pieceWeight }: PieceChange,
): PieceWeightRange | null {
  if (soldBy === 'unit') return null;
  return pieceWeight === undefined ? (presentPieceWeight(before) ?? null) : pieceWeight;
}

/**
 * Returns what would not fit together in a product after a change of it: its stock, its smallest order and its price
 * with its steps, and the weight of a piece with its unit. A stock that stays as it is, in the same steps and
 * counted in the same, fits.
 */
export function changeProblems(
  before: StockedRow & PieceRow & Pick<ProductRow, 'priceMinor' | 'unit'>,
  change: PieceChange &
    Pick<UpdateProduct, 'quantityAvailable' | 'step' | 'minimum' | 'price' | 'unit'>,
): StepProblem[] {
  const stocked = presentStocked(before);
  const after = {
    quantityAvailable: change.quantityAvailable ?? stocked.quantityAvailable,
    step: change.step === undefined ? stocked.step : change.step,
    minimum: change.minimum === undefined ? stocked.minimum : change.minimum,
    price: change.price ?? fromMinor(before.priceMinor),
    unit: change.unit ?? before.unit,
    pieceWeight: pieceWeightAfter(before, change),
  };
  const problems: StepProblem[] =
    change.soldBy === 'piece_by_weight' && !after.pieceWeight
      ? [{ path: 'pieceWeight.average', message: 'Enter what a piece weighs on average.' }]
      : [];
  const keepsStock =
    after.quantityAvailable === stocked.quantityAvailable &&
    hasSameStep(after, stocked) &&
    (after.pieceWeight === null) === (before.pieceMilli === null);
  return problems.length > 0 ? problems : stepProblems(after, { keepsStock });
}
