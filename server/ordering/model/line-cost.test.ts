import fc from 'fast-check';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { fromMinor, PRICE_MAX_MINOR, totalMinor } from '#contract/platform/money/constants';
import {
  fromMilli,
  hasThreeDecimals,
  lineCostMinor,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { createTestDatabase } from '../../testing/database.ts';

// A line costs the same in the browser, on the server and in the statements that check it.

const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('is rounded half up, once', () => {
  expect(lineCostMinor(250, 2000)).toBe(500);
  // 1.235 kg at 3.99: 492.765.
  expect(lineCostMinor(399, 1235)).toBe(493);
  // Exactly half a minor unit.
  expect(lineCostMinor(1, 500)).toBe(1);
  expect(lineCostMinor(1, 499)).toBe(0);
  expect(lineCostMinor(3, 1500)).toBe(5);
  // 1.005 at 1.00, of which floats make 100.49999999999999.
  expect(lineCostMinor(100, toMilli(1.005))).toBe(101);
});

test('is exact for the largest price and quantity', () => {
  expect(lineCostMinor(PRICE_MAX_MINOR, QUANTITY_MAX * 1000)).toBe(2e15);
  expect(lineCostMinor(PRICE_MAX_MINOR - 1, QUANTITY_MAX * 1000 - 1)).toBe(1_999_999_997_000_000);
});

test('is the same in SQL, for values of every size', async () => {
  const upTo = (max: number) =>
    fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 1, max }));
  const lines = fc.sample(fc.tuple(upTo(PRICE_MAX_MINOR), upTo(QUANTITY_MAX * 1000)), 20_000);
  const { rows } = await client.query<{ cost: string; wire: string }>(
    `SELECT line_cost_minor(price, milli) AS cost, wire_quantity(milli) AS wire
     FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS line (price, milli, place)
     ORDER BY place`,
    [lines.map(([price]) => price), lines.map(([, milli]) => milli)],
  );
  expect(rows.map(({ cost }) => Number(cost))).toEqual(
    lines.map(([price, milli]) => lineCostMinor(price, milli)),
  );
  // As JSON writes a number: no zeros at the end.
  expect(rows.map(({ wire }) => wire)).toEqual(lines.map(([, milli]) => `${fromMilli(milli)}`));
});

test('a total of the wire is the sum of exact lines, of halves and thousandths too', () => {
  const line = fc.record({
    priceMinor: fc.integer({ min: 1, max: 1_000_000 }),
    milli: fc.integer({ min: 1, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 100 }), (lines) => {
      const exact = lines.reduce(
        (sum, { priceMinor, milli }) => sum + (BigInt(priceMinor) * BigInt(milli) + 500n) / 1000n,
        0n,
      );
      const wire = lines.map(({ priceMinor, milli }) => ({
        price: fromMinor(priceMinor),
        quantity: fromMilli(milli),
      }));
      expect(totalMinor(wire)).toBe(Number(exact));
    }),
    { numRuns: 1000 },
  );
});

test('accepts three decimals and detects a fourth at every size', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: QUANTITY_MAX * 1000 }),
      fc.integer({ min: 1, max: 9 }),
      (milli, tenths) => {
        expect(hasThreeDecimals(fromMilli(milli))).toBe(true);
        expect(hasThreeDecimals(Number(`${fromMilli(milli).toFixed(3)}${tenths}`))).toBe(false);
      },
    ),
    { numRuns: 2000 },
  );
  for (const quantity of [0.1 + 0.2, 1.0005, 1e-9, Number.NaN]) {
    expect(hasThreeDecimals(quantity), `${quantity}`).toBe(false);
  }
  expect(Object.is(toMilli(-0), 0)).toBe(true);
});

test('a quantity of the wire stands for one number of thousandths', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: QUANTITY_MAX * 1000 }), (milli) => {
      expect(toMilli(fromMilli(milli))).toBe(milli);
      expect(toMilli(JSON.parse(JSON.stringify(fromMilli(milli))))).toBe(milli);
    }),
  );
});
