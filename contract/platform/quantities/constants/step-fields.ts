import {
  formatQuantity,
  fromMilli,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import {
  ceilToStep,
  floorToStep,
  minimumOf,
  type Steps,
  stepOf,
} from '#contract/platform/quantities/constants/steps';
import { type CountedUnit, QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';
import type { NumberLimits } from '#contract/platform/text/constants/typed-numbers';

// What fields and sentences need of steps, apart from the rules, which a visitor's first page loads.

/**
 * Returns the multiple of the step that is `count` steps up from a quantity, or down if that is negative. Between two
 * steps the next one is the first.
 */
export function stepsFrom(quantity: number, count: number, steps: Steps): number {
  const from = (count > 0 ? floorToStep : ceilToStep)(quantity, steps);
  return fromMilli(toMilli(from) + count * toMilli(stepOf(steps)));
}

/**
 * Returns what a field for a quantity of a product takes: decimals where its step has some, or what it holds already.
 * Which quantities can be ordered is decided elsewhere.
 */
export const quantityLimits = (
  product: Steps & { quantityAvailable?: number | undefined },
  max = QUANTITY_MAX,
): NumberLimits => ({
  decimals: [stepOf(product), product.quantityAvailable ?? 0].every(Number.isInteger) ? 0 : 3,
  min: 0,
  max,
});

/**
 * Says in which quantities a product is sold, to follow "sold": 'in steps of 0.25 kg, from 0.5 kg', 'in whole
 * numbers' for pieces.
 */
export function formatSteps(steps: Steps, unit: CountedUnit): string {
  const [step, minimum] = [stepOf(steps), minimumOf(steps)];
  const isWhole = step === 1 && unit === 'each';
  const by = formatQuantity(step, unit);
  if (minimum === step)
    return isWhole ? t('in whole numbers') : t('in steps of {step}', { step: by });
  const from = formatQuantity(minimum, unit);
  return isWhole
    ? t('in whole numbers, from {minimum}', { minimum: from })
    : t('in steps of {step}, from {minimum}', { step: by, minimum: from });
}
