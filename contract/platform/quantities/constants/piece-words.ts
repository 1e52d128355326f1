import {
  formatGoodsQuantity,
  type PieceWeightRange,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { minimumOf, type Steps, stepOf } from '#contract/platform/quantities/constants/steps';
import type { Unit } from '#contract/platform/quantities/constants/units';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { directionOf, theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';

/** Lists goods that did not go back to the stock: '4 bunches of Kale, 2 pieces of Chicken'. */
export const describeUnreturned = (
  goods: readonly (Parameters<typeof formatGoodsQuantity>[0] & {
    product: { name: string };
    quantity: number;
  })[],
): string =>
  listOf(
    goods.map((each) =>
      t('{quantity} of {name}', {
        quantity: formatGoodsQuantity(each, each.quantity),
        name: each.product.name,
      }),
    ),
    'unit',
  );

/** Formats how much more or less it is, with its sign: '+2 lb', '−1 piece' with a minus sign. */
export function formatQuantityChange(
  goods: Parameters<typeof formatGoodsQuantity>[0],
  delta: number,
): string {
  // Else the sign would go to the other side of its number.
  const mark = directionOf(theReader().language) === 'rtl' ? '\u200e' : '';
  return `${mark}${delta < 0 ? '−' : '+'}${formatGoodsQuantity(goods, Math.abs(delta))}`;
}

/** Says what a piece weighs: 'about 1.8 kg each', with its range where the farm says it: '(1.5 to 2.1 kg)'. */
export function formatPieceWeight({ average, min, max }: PieceWeightRange, unit: Unit): string {
  const [least, most] = [min ?? average, max ?? average];
  const weight = formatQuantity(average, unit);
  return least === most
    ? t('about {weight} each', { weight })
    : t('about {weight} each ({least} to {most})', {
        weight,
        least: formatCount(least),
        most: formatQuantity(most, unit),
      });
}

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
