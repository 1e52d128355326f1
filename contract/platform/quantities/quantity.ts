import { z } from '#contract/platform/http/zod';
import { PIECE_WEIGHT_MAX } from '#contract/platform/quantities/constants/pieces';
import { hasThreeDecimals } from '#contract/platform/quantities/constants/quantities';
import { stepProblems } from '#contract/platform/quantities/constants/step-problems';
import { QUANTITY_MAX, STEP_MAX } from '#contract/platform/quantities/constants/units';
import { formatCount } from '#contract/platform/text/constants/locale';

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
export const PieceWeight = z
  .object({ average: Quantity, min: Quantity.optional(), max: Quantity.optional() })
  .meta({ id: 'PieceWeight' });
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
