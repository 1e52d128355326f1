import type { PriceBasis, Unit } from '#contract/catalogue/products/product';
import { theMarket } from '#contract/platform/market/constants';
import {
  hasThreeDecimals,
  MILLI,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { SLIP_FACTOR } from '#contract/platform/quantities/constants/units';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { theReader } from '#contract/platform/text/constants/reader';
import { readWeights } from '#contract/platform/text/constants/typed-numbers';

/**
 * Returns the weights that somebody typed, one or several with '+' between them: '1.37', '192+167', '0.61 + 0,625'.
 * Undefined for anything else, such as '', '12+' and '1.2345'. Of two readings, such as of '1,200', the one that is
 * near what is `expected` together counts, in the same unit.
 */
export function parseWeights(text: string, expected: number): number[] | undefined {
  const weights = readWeights(text, numberLocale(theMarket(), theReader().language), (each) => {
    const sum = sumWeights(each);
    return sum <= expected * SLIP_FACTOR && sum * SLIP_FACTOR >= expected;
  });
  return weights?.every(hasThreeDecimals) ? weights : undefined;
}

/** Returns the sum of weights: exactly, where adding the numbers would give 0.30000000000000004. */
export const sumWeights = (weights: readonly number[]): number =>
  weights.reduce((sumMilli, weight) => sumMilli + toMilli(weight), 0) / MILLI;

/** Returns how a consumer saw goods sold, for the server to compare; nothing where that is not known. */
export const basisOf = ({
  unit,
  pieceWeight,
  size,
}: {
  unit?: Unit | undefined;
  pieceWeight?: { average: number } | undefined;
  size?: { content: number } | undefined;
}): { priceBasis?: PriceBasis } =>
  unit
    ? {
        priceBasis: {
          unit,
          ...(pieceWeight && { pieceWeight: { average: pieceWeight.average } }),
          ...(size && { content: size.content }),
        },
      }
    : {};
