import { Id, named } from '#contract/platform/http/http';
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
import type { SizeStock } from '#contract/platform/quantities/constants/sizes';
import {
  ceilToStep,
  floorToStep,
  isOfSteps,
  minimumOf,
  type Steps,
  stepOf,
} from '#contract/platform/quantities/constants/steps';
import {
  type CountedUnit,
  isWeightUnit,
  NET_UNITS,
  QUANTITY_MAX,
  STEP_MAX,
  type Unit,
} from '#contract/platform/quantities/constants/units';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';

const tooFine = { error: () => t('Use at most three decimals.') };

/** A quantity on the wire: a JSON number with at most three decimals. */
export const Quantity = z
  .number({ error: () => t('Enter a number.') })
  .refine(hasThreeDecimals, tooFine)
  .meta({ description: 'In units, with at most three decimals.' });

const atMost = (max: number) => ({ error: () => t('Enter at most {max, number}.', { max }) });

/** A quantity that is not nothing, as somebody enters it. */
const EnteredQuantity = z
  .number({ error: () => t('Enter a number.') })
  .positive({ error: () => t('Enter a number above 0.') })
  .refine(hasThreeDecimals, tooFine);

/** What one piece weighs, in the unit of the price: on average, and at least and most where that is known. */
export const PieceWeight = named('PieceWeight', {
  average: Quantity,
  min: Quantity.optional(),
  max: Quantity.optional(),
});
export type PieceWeight = z.infer<typeof PieceWeight>;

/** The size in which something is ordered, as it was then: quantities beside it count pieces. */
export const OrderedSize = named('OrderedSize', {
  _id: Id,
  label: z.string(),
  /** In units of the stock. */
  content: Quantity,
});
export type OrderedSize = z.infer<typeof OrderedSize>;

/** Words of a farm's own for what it counts. */
export const UnitLabel = named('UnitLabel', { one: z.string(), other: z.string() });

/** What one piece contains. */
export const NetContent = named('NetContent', { amount: Quantity, unit: z.enum(NET_UNITS) });

/** What a line of an order weighs. Nothing is no weight: a line that is not there is removed. */
export const Weighed = z
  .number({ error: () => t('Enter what it weighs.') })
  .positive({
    error: () =>
      t('Enter a weight above 0. To leave it out of the order, remove the line instead.'),
  })
  .refine(hasThreeDecimals, tooFine)
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
  .number({ error: () => t('Valid quantity is required') })
  .min(0, { error: () => t('Valid quantity is required') })
  .max(QUANTITY_MAX, {
    error: () => t('The quantity can be at most {max, number}.', { max: QUANTITY_MAX }),
  })
  .refine(hasThreeDecimals, { error: () => t('Valid quantity is required') });

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
function multiplesAround(quantity: number, steps: Steps, unit: CountedUnit): string {
  const around = [floorToStep(quantity, steps), ceilToStep(quantity, steps)];
  return listOf(
    around.filter((multiple) => multiple > 0).map((multiple) => formatQuantity(multiple, unit)),
    'disjunction',
  );
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
    | 'pieceWeight.max'
    | 'price'
    | 'maxPerOrder'
    | 'unitLabel'
    | 'net';
  message: string;
}

/** Returns what does not fit together in a product that is sold by the piece and priced by weight. */
function pieceProblems({ unit, step, pieceWeight }: Steps & CountedGoods): StepProblem[] {
  if (!pieceWeight) return [];
  const { average, min, max } = pieceWeight;
  const problems: StepProblem[] = [];
  if (!isWeightUnit(unit)) {
    problems.push({ path: 'unit', message: t('What is priced by weight needs kg, g, lb or oz.') });
  }
  if (step != null) {
    problems.push({ path: 'step', message: t('Pieces are sold in whole numbers, without steps.') });
  }
  if (min != null && min > average) {
    problems.push({
      path: 'pieceWeight.min',
      message: t("The lightest piece can't weigh more than the average."),
    });
  }
  if (max != null && max < average) {
    problems.push({
      path: 'pieceWeight.max',
      message: t("The heaviest piece can't weigh less than the average."),
    });
  }
  return problems;
}

/** Whether goods of a unit are counted, so that one of them may contain so much. */
export const isCountedUnit = (unit: Unit): boolean => ['each', 'bunch', 'dozen'].includes(unit);

/** What of a product has to fit together. */
export interface SoldGoods extends Steps, CountedGoods {
  price?: number | undefined;
  quantityAvailable?: number | undefined;
  sizes?: readonly (SizeStock & { price: number })[] | null | undefined;
  availability?: 'counted' | 'always' | undefined;
  maxPerOrder?: number | null | undefined;
  net?: unknown;
}

/** Returns what does not fit together in how a product is counted. */
function countingProblems({
  unit,
  unitLabel,
  net,
  pieceWeight,
  availability,
  maxPerOrder,
  ...steps
}: SoldGoods): StepProblem[] {
  const problems: StepProblem[] = [];
  if (unitLabel && (unit !== 'each' || pieceWeight)) {
    problems.push({
      path: 'unitLabel',
      message: t('Only what is sold by the piece has words of its own.'),
    });
  }
  if (net && (!isCountedUnit(unit) || pieceWeight)) {
    problems.push({ path: 'net', message: t('Only what is counted contains so much.') });
  }
  if (maxPerOrder != null && availability !== 'always') {
    problems.push({
      path: 'maxPerOrder',
      message: t('Only what is always available has a most per order.'),
    });
  } else if (maxPerOrder != null && maxPerOrder < minimumOf(steps)) {
    problems.push({
      path: 'maxPerOrder',
      message: t("The most per order can't be less than the smallest order."),
    });
  }
  return problems;
}

/** Returns what does not fit together in a product that is sold in sizes. */
function sizesProblems({ step, minimum, price, sizes }: SoldGoods): StepProblem[] {
  const problems: StepProblem[] = [];
  for (const path of ['step', 'minimum'] as const) {
    if ({ step, minimum }[path] != null) {
      problems.push({ path, message: t('What is sold in sizes has no steps.') });
    }
  }
  const prices = (sizes ?? []).flatMap((size) => (size.isActive ? [size.price] : []));
  if (price !== undefined && price !== Math.min(...prices)) {
    problems.push({
      path: 'price',
      message: t('The price is the lowest of its sizes. Edit the sizes instead.'),
    });
  }
  return problems;
}

/**
 * Returns what does not fit together in a product: the smallest order and the stock are multiples of the step, and the
 * smallest order costs something; pieces have a unit of weight and no steps. `keepsStock`: its stock and its step stay
 * as they are. A stock that is no multiple of the step comes about when an order of other steps is cancelled, and must
 * not stop other changes. With sizes the stock is of any thousandths, and the prices are theirs.
 */
export function stepProblems(product: SoldGoods, { keepsStock = false } = {}): StepProblem[] {
  const { step, minimum, quantityAvailable: stock, price, pieceWeight } = product;
  const unit = quantityUnit(product);
  const problems = [...pieceProblems(product), ...countingProblems(product)];
  const isCounted = product.availability !== 'always';
  if (isCounted && stock === undefined) {
    problems.push({ path: 'quantityAvailable', message: t('Valid quantity is required') });
  }
  if (product.sizes?.length) return [...problems, ...sizesProblems(product)];
  if (minimum != null && !isOfSteps(minimum, product)) {
    problems.push({
      path: 'minimum',
      message: t('The smallest order must be a multiple of {step}: {around}.', {
        step: formatQuantity(stepOf(product), unit),
        around: multiplesAround(minimum, product, unit),
      }),
    });
  }
  if (isCounted && stock !== undefined && !keepsStock && !isOfSteps(stock, product)) {
    problems.push({
      path: 'quantityAvailable',
      message:
        step == null
          ? t('Valid quantity is required')
          : t('A stock of {stock} is no multiple of {step}. Set it to {around}.', {
              stock: formatQuantity(stock, unit),
              step: formatQuantity(step, unit),
              around: multiplesAround(stock, product, unit),
            }),
    });
  }
  const smallest = {
    priceMinor: toMinor(price ?? 0),
    quantityMilli: toMilli(minimumOf(product)),
    pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
  };
  if (price !== undefined && estimateMinor(smallest) === 0) {
    problems.push({
      path: minimum == null ? 'step' : 'minimum',
      message: t('At this price {quantity} would cost nothing. Make the smallest order larger.', {
        quantity: formatQuantity(minimumOf(product), unit),
      }),
    });
  }
  return problems;
}
