import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { parseWeights, sumWeights } from './weights.ts';

afterEach(() => setMarket(DEFAULT_MARKET));

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
  expect(parseWeights(text, sumWeights(weights))).toEqual(weights);
});

it.each([
  // In an English market, of a line of about 1.2 kg, of 1,200 g, and of neither.
  ['1,200', 1.3, [1.2]],
  ['1,200', 1100, [1200]],
  ['1.200', 1100, [1200]],
  ['1.200', 12, [1.2]],
  ['1,200', 30, [1200]],
  ['1,250+0,980', 2, [1.25, 0.98]],
  ['1,250+1,180+700', 3000, [1250, 1180, 700]],
  ['١٫٢+۱٫۳', 2.5, [1.2, 1.3]],
])('takes of "%s" what is near %d', (text, expected, weights) => {
  expect(parseWeights(text, expected)).toEqual(weights);
});

it('takes the weight that is within a factor of ten of the expected one, in every locale', () => {
  const grams = fc.integer({ min: 1000, max: 999_999 });
  const factor = fc.double({ min: 0.11, max: 9.9, noNaN: true });
  const locale = fc.constantFrom('en-US', 'de-DE', 'id-ID', 'fr-FR', 'de-CH', 'hi-IN', 'fa-IR');
  fc.assert(
    fc.property(grams, factor, locale, fc.constantFrom('.', ','), (each, times, tag, sign) => {
      setMarket({ ...DEFAULT_MARKET, locale: tag });
      const digits = String(each);
      const text = `${digits.slice(0, -3)}${sign}${digits.slice(-3)}`;
      expect(parseWeights(text, each * times)).toEqual([each]);
      expect(parseWeights(text, (each / 1000) * times)).toEqual([each / 1000]);
    }),
  );
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
  expect(parseWeights(text, 1)).toBeUndefined();
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
      expect(parseWeights(isComma ? text.replaceAll('.', ',') : text, sumWeights(all))).toEqual(
        all,
      );
    }),
  );
});
