import { hasThreeDecimals, MILLI, toMilli } from '#contract/constants/quantities';

const WEIGHT = /^(\d+[.,]?\d*|[.,]\d+)$/;

/**
 * Returns the weights that somebody typed, one or several with '+' between them: '1.37', '1,37', '192+167',
 * '0.61 + 0,625'. Undefined for anything else, such as '', '12+' and '1.2345'.
 *
 * Here '1,200' is 1.2 and not 1200: scales write no thousands, and a weight that is a thousand times too small is
 * refused.
 */
export function parseWeights(text: string): number[] | undefined {
  const typed = text.split(/[+＋]/).map((part) => part.trim());
  if (!typed.every((part) => WEIGHT.test(part))) return undefined;
  const weights = typed.map((part) => Number(part.replace(',', '.')));
  return weights.every(hasThreeDecimals) ? weights : undefined;
}

/** Returns the sum of weights: exactly, where adding the numbers would give 0.30000000000000004. */
export const sumWeights = (weights: readonly number[]): number =>
  weights.reduce((sumMilli, weight) => sumMilli + toMilli(weight), 0) / MILLI;
