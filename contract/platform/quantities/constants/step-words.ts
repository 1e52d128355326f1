import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { minimumOf, type Steps, stepOf } from '#contract/platform/quantities/constants/steps';
import type { Unit } from '#contract/platform/quantities/constants/units';
import { t } from '#contract/platform/text/constants/texts';

// Apart from the rules of steps, which a visitor's first page loads.

/**
 * Says in which quantities a product is sold, to follow "sold": 'in steps of 0.25 kg, from 0.5 kg', 'in whole
 * numbers' for pieces.
 */
export function formatSteps(steps: Steps, unit: Unit): string {
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
