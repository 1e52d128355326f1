import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromMinor, hasTwoDecimals, toMinor } from '#contract/http';
import { TOTAL_MAX_MINOR } from '#contract/orders';

test('converts money to wire amounts and back exactly, up to the largest total', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: TOTAL_MAX_MINOR }), (minor) => {
      const wire = JSON.parse(JSON.stringify(fromMinor(BigInt(minor))));
      expect(toMinor(wire)).toBe(minor);
      expect(wire.toFixed(2)).toBe(
        `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`,
      );
    }),
    { numRuns: 2000 },
  );
});

test('accepts two decimals and detects a third at every price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 1, max: 9 }),
      (minor, tenths) => {
        expect(hasTwoDecimals(minor / 100)).toBe(true);
        expect(hasTwoDecimals(Number(`${(minor / 100).toFixed(2)}${tenths}`))).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
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
