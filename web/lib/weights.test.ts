import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseWeights, sumWeights } from './weights.ts';

it.each([
  ['192+167', [192, 167]],
  ['1.37', [1.37]],
  ['1,37', [1.37]],
  [' 0.61 + 0,625 ', [0.61, 0.625]],
  ['1+2+3', [1, 2, 3]],
  ['.5+,25', [0.5, 0.25]],
  ['2.', [2]],
  ['1,200', [1.2]],
  ['0', [0]],
  ['192＋167', [192, 167]],
])('reads %j', (text, weights) => {
  expect(parseWeights(text)).toEqual(weights);
});

it.each([
  '',
  ' ',
  '+',
  '12+',
  '+12',
  '1++2',
  '-1',
  '1-2',
  '1e3',
  '1 2',
  '1.2345',
  '1.2,3',
  'kg',
  '1 kg',
  '1,2,3',
])('does not guess what %j means', (text) => {
  expect(parseWeights(text)).toBeUndefined();
});

it('sums without the errors of binary fractions', () => {
  expect(sumWeights([0.1, 0.2])).toBe(0.3);
  expect(sumWeights([])).toBe(0);
  const grams = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 200 });
  fc.assert(
    fc.property(grams, (all) => {
      const total = all.reduce((sum, each) => sum + each, 0);
      expect(sumWeights(all.map((each) => each / 1000))).toBe(total / 1000);
    }),
  );
});

it('reads back what it is given, with a dot or a comma', () => {
  const weight = fc.integer({ min: 1, max: 9_999_999 }).map((grams) => grams / 1000);
  fc.assert(
    fc.property(fc.array(weight, { minLength: 1, maxLength: 20 }), fc.boolean(), (all, isComma) => {
      const text = all.join('+');
      expect(parseWeights(isComma ? text.replaceAll('.', ',') : text)).toEqual(all);
    }),
  );
});
