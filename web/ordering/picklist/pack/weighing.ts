import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { weighableLine, weightDoubt } from '#contract/ordering/weights/constants';
import { fromMinor, toMinor } from '#contract/platform/money/constants';
import { lineCostMinor, toMilli } from '#contract/platform/quantities/constants/quantities';
import { isWeightUnit } from '#contract/platform/quantities/constants/units';
import { sumWeights } from '../../../catalogue/model/weights.ts';
import { formatMoney } from '../../../platform/format/format.ts';
import { formatLine, formatWeight } from '../words.ts';

export type PickLine = PickOrder['lines'][number];

/** Whether a line has to be weighed: its price is by weight, and it is sold by the piece. */
export const mustBeWeighed = ({ pieceWeight, quantity }: PickLine): boolean =>
  pieceWeight !== undefined && quantity > 0;

/** Whether a scale can say what a line costs. */
export const canBeWeighed = ({ product, quantity }: PickLine): boolean =>
  isWeightUnit(product.unit) && quantity > 0;

/** Whether nothing is left to weigh of an order. */
export const isWeighed = ({ lines }: PickOrder): boolean =>
  lines.every((line) => !mustBeWeighed(line) || line.packed !== undefined || line.isFinal);

/** Returns what a line is expected to weigh, in the unit of its price. */
export const expectedWeight = ({ quantity, pieceWeight }: PickLine): number =>
  pieceWeight ? Math.round(toMilli(pieceWeight.average) * quantity) / 1000 : quantity;

/**
 * What follows a typed weight before it is accepted: a refusal, a question that is answered by the same again, or a
 * second look.
 */
export type WeightNote = { kind: 'refusal' | 'question' | 'hint'; text: string };

/** Returns what is wrong with the weights of a line, in words; undefined for nothing. */
export function noteOf(line: PickLine, weights: readonly number[]): WeightNote | undefined {
  const packed = sumWeights(weights);
  const { unit } = line.product;
  if (packed === 0) {
    return { kind: 'refusal', text: 'Nothing was weighed. Say that you are short of it instead.' };
  }
  const doubt = weightDoubt(weighableLine(line), toMilli(packed));
  if (doubt === undefined) return undefined;
  const weight = formatWeight(packed, unit);
  if (doubt === 'odd') return { kind: 'hint', text: `${weight} for ${formatLine(line)}?` };
  if (doubt === 'unlikely') {
    const expected = formatWeight(expectedWeight(line), unit);
    return {
      kind: 'question',
      text: `${weight} for ${formatLine(line)}? It should be about ${expected}. Check the decimal point, or confirm it once more.`,
    };
  }
  const price = fromMinor(lineCostMinor(toMinor(line.price), toMilli(packed)));
  return {
    kind: 'refusal',
    text: `With ${weight} the price would be ${formatMoney(price)}. Check the weight and its unit.`,
  };
}
