import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { tooManyDecimals } from '#contract/catalogue/products/constants/prices';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import {
  fitsCurrency,
  fromMinor,
  PRICE_MAX_MINOR,
  smallestAmount,
  toMinor,
} from '#contract/platform/money/constants';
import { TOTAL_MAX_MINOR } from '#contract/platform/orders/constants';
import { formatPlainAmount } from '#contract/platform/text/constants/typed-numbers';

afterEach(() => setMarket(DEFAULT_MARKET));

/** Makes a currency with so many decimals the market's. */
const withDecimals = (decimals: number) =>
  setMarket({ ...DEFAULT_MARKET, currency: { ...DEFAULT_MARKET.currency, decimals } });

/** Returns an amount in minor units as its digits, computed as text. */
function digitsOf(minor: number, decimals: number): string {
  const padded = String(minor).padStart(decimals + 1, '0');
  return decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

describe.each([0, 1, 2, 3])('with %i decimals', (decimals) => {
  test('money becomes wire amounts and is itself again, up to the largest total', () => {
    withDecimals(decimals);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: TOTAL_MAX_MINOR }), (minor) => {
        const wire = JSON.parse(JSON.stringify(fromMinor(BigInt(minor))));
        expect(toMinor(wire)).toBe(minor);
        expect(formatPlainAmount(wire)).toBe(digitsOf(minor, decimals));
      }),
      { numRuns: 2000 },
    );
  });

  test('so many are accepted at every price, and one more is not', () => {
    withDecimals(decimals);
    const priceMinor = fc.integer({ min: 0, max: PRICE_MAX_MINOR });
    fc.assert(
      fc.property(priceMinor, fc.integer({ min: 1, max: 9 }), (minor, more) => {
        const digits = digitsOf(minor, decimals);
        expect(fitsCurrency(Number(digits))).toBe(true);
        expect(fitsCurrency(Number(`${digits}${decimals === 0 ? '.' : ''}${more}`))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('the smallest amount is one minor unit', () => {
    withDecimals(decimals);
    expect([toMinor(smallestAmount()), fitsCurrency(smallestAmount())]).toEqual([1, true]);
  });
});

test('a price that is too fine is refused with how many decimals it may have', () => {
  const written = [0, 1, 2, 3].map((decimals) => {
    withDecimals(decimals);
    return tooManyDecimals();
  });
  expect(written).toEqual([
    'A price is a whole number.',
    'A price has at most one decimal.',
    'A price has at most two decimals.',
    'A price has at most three decimals.',
  ]);
});

test('sums lines exactly in minor units, where wire amounts would drift', () => {
  const line = fc.record({
    minor: fc.integer({ min: 1, max: 1_000_000 }),
    quantity: fc.integer({ min: 1, max: 1000 }),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 100 }), (lines) => {
      const exact = lines.reduce((sum, { minor, quantity }) => sum + BigInt(minor * quantity), 0n);
      expect(toMinor(fromMinor(exact))).toBe(Number(exact));
    }),
  );
});
