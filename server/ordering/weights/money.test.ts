import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { limitMinor } from '#contract/ordering/weights/constants';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { fromMinor, lineTotalMinor, toMinor, totalMinor } from '#contract/platform/money/constants';
import {
  estimateMinor,
  fromMilli,
  lineCostMinor,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import { changeMarket } from '../../testing/market-settings.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

// Money of what is sold by the piece and weighed: the contract (which is the browser's too), the database and the
// answers of the server come to the same, for every price, weight, tolerance and kind of currency.

let fixture: OrderFixture;
beforeAll(async () => {
  fixture = await createOrderFixture({ DATABASE_POOL_SIZE: '20' });
});
afterAll(async () => {
  await fixture.close();
  setMarket(DEFAULT_MARKET);
});

/** Rounds a fraction half up, in integers alone. */
const roundHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((numerator * 2n + denominator) / (denominator * 2n));

interface Line {
  priceMinor: number;
  pieceMilli: number;
  pieces: number;
  /** What it really weighs, in percent of what is expected. */
  percent: number;
}

const upTo = (max: number) =>
  fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max }));
const line: fc.Arbitrary<Line> = fc
  .record({
    priceMinor: upTo(900_000),
    pieceMilli: upTo(30_000),
    pieces: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 400 })),
    // Often at the edge of the tolerance.
    percent: fc.oneof(fc.integer({ min: 90, max: 130 }), fc.integer({ min: 11, max: 900 })),
  })
  // A piece that costs nothing cannot be sold.
  .filter(({ priceMinor, pieceMilli }) => priceMinor * pieceMilli >= MILLI);

/** What a line is expected to cost, and may cost at most, by arithmetic of its own. */
function oracleOf({ priceMinor, pieceMilli, pieces, percent }: Line, tolerancePercent: number) {
  const expectedMilli = pieceMilli * pieces;
  // Less than a tenth would be taken for a slip, which a rounded weight of a few grams can be.
  const tenth = Math.ceil(expectedMilli / 10);
  const packedMilli = Math.max(tenth, Math.round((expectedMilli * percent) / 100));
  const [price, thousand] = [BigInt(priceMinor), BigInt(MILLI)];
  const estimate = roundHalfUp(price * BigInt(expectedMilli), thousand);
  const cost = roundHalfUp(price * BigInt(packedMilli), thousand);
  const limit = Number((BigInt(estimate) * BigInt(100 + tolerancePercent)) / 100n);
  return { packedMilli, estimate, cost, final: cost > limit ? Math.max(1, limit) : cost };
}

const wireOf = ({ priceMinor, pieceMilli, pieces }: Line) => ({
  price: fromMinor(priceMinor),
  quantity: pieces,
  pieceWeight: { average: fromMilli(pieceMilli) },
});

describe.each([0, 2, 3])('in a currency with %i decimals', (decimals) => {
  beforeAll(() => changeMarket(fixture, { currencyDecimals: decimals }));

  test('the contract and the database come to what exact fractions do', async () => {
    const tolerance = fc.integer({ min: 0, max: 20 });
    const samples = fc.sample(fc.tuple(line, tolerance), 2000);
    for (const [each, percent] of samples) {
      const { priceMinor, pieceMilli, pieces } = each;
      const { packedMilli, estimate, cost, final } = oracleOf(each, percent);
      const quantityMilli = pieces * MILLI;
      expect(estimateMinor({ priceMinor, quantityMilli, pieceMilli })).toBe(estimate);
      expect(lineCostMinor(priceMinor, packedMilli)).toBe(cost);
      expect(Math.min(cost, Math.max(1, limitMinor(estimate, percent)))).toBe(final);
      // Through the wire and back, as the browser knows it.
      expect(lineTotalMinor(JSON.parse(JSON.stringify(wireOf(each))))).toBe(estimate);
      expect(toMinor(JSON.parse(JSON.stringify(fromMinor(final))))).toBe(final);
    }
    const { rows } = await fixture.platform.pool.query<{ estimate: string; cost: string }>(
      `SELECT line_cost_minor(price, piece * milli / 1000) AS estimate, line_cost_minor(price, packed) AS cost
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
         WITH ORDINALITY AS line (price, piece, milli, packed, place) ORDER BY place`,
      [
        samples.map(([{ priceMinor }]) => priceMinor),
        samples.map(([{ pieceMilli }]) => pieceMilli),
        samples.map(([{ pieces }]) => pieces * MILLI),
        samples.map(([each, percent]) => oracleOf(each, percent).packedMilli),
      ],
    );
    expect(rows.map(({ estimate, cost }) => [Number(estimate), Number(cost)])).toEqual(
      samples.map(([each, percent]) => {
        const { estimate, cost } = oracleOf(each, percent);
        return [estimate, cost];
      }),
    );
  });

  test('orders are placed, weighed and summed so', async () => {
    const small = line.filter(({ priceMinor, pieceMilli, pieces }) => {
      const expected = pieceMilli * pieces;
      return pieces <= 20 && expected <= 500_000 && priceMinor * expected < 1e12;
    });
    const tolerance = fc.integer({ min: 0, max: 20 });
    const orders = fc.sample(fc.tuple(fc.tuple(small, small, small), tolerance), 4);
    for (const [lines, tolerancePercent] of orders) await placeAndWeigh(lines, tolerancePercent);

    const { rows } = await fixture.platform.pool.query<{ kept: string; summed: string }>(
      `SELECT (SELECT sum(total_minor) FROM market_order_totals WHERE day = '-infinity') AS kept,
         (SELECT sum(CASE WHEN final_minor IS NULL
              THEN line_cost_minor(price_minor, piece_milli::bigint * quantity_milli / 1000)
              ELSE final_minor END) FROM order_lines) AS summed`,
    );
    expect(rows[0]?.kept).toBe(rows[0]?.summed);
  });
});

async function placeAndWeigh(lines: readonly Line[], tolerancePercent: number): Promise<void> {
  const { farmer, call, platform } = fixture;
  await platform.db.farmerProfile.update({
    where: { userId: farmer.id },
    data: { weightTolerancePercent: tolerancePercent },
  });
  const products = await Promise.all(
    lines.map(({ priceMinor, pieceMilli }) =>
      fixture.createProduct(1000, { unit: 'kg', priceMinor, pieceMilli }),
    ),
  );
  const items = lines.map((each, index) => ({
    product: products[index] ?? '',
    quantity: each.pieces,
    price: fromMinor(each.priceMinor),
  }));
  const placed = await fixture.placeOrder(items);
  const oracles = lines.map((each) => oracleOf(each, tolerancePercent));
  const expectMoney = (order: Order, minors: readonly number[], isFinal: boolean) => {
    const estimates = oracles.map(({ estimate }) => estimate);
    const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
    expect(order.items.map(({ total }) => total)).toEqual(minors.map(fromMinor));
    expect(order.items.map(({ estimate }) => estimate)).toEqual(estimates.map(fromMinor));
    expect(order.totalAmount).toBe(fromMinor(sum(minors)));
    expect(order.estimatedTotal).toBe(fromMinor(sum(estimates)));
    // What the cart showed before it was ordered.
    expect(totalMinor(lines.map(wireOf))).toBe(sum(estimates));
    expect(order.isTotalFinal).toBe(isFinal);
  };
  expectMoney(
    placed,
    oracles.map(({ estimate }) => estimate),
    false,
  );
  await fixture.changeStatus(placed._id, 'accepted', farmer);
  const minors = oracles.map(({ estimate }) => estimate);
  let weighed = 0;
  for (const [index, { packedMilli, cost, final }] of oracles.entries()) {
    const path = `/orders/${placed._id}/lines/${placed.items[index]?._id}/weight`;
    const body = { packed: fromMilli(packedMilli) };
    const answer = await call('PUT', path, { as: farmer, body });
    if (cost === 0) {
      expect(answer.status).toBe(400);
      continue;
    }
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    minors[index] = final;
    weighed++;
    expectMoney(answer.body.data, minors, weighed === lines.length);
  }
  const { body } = await call('GET', `/orders/${placed._id}`, { as: fixture.consumer });
  expectMoney(body.data, minors, weighed === lines.length);
  const list = await call('GET', '/orders/consumer?limit=1', { as: fixture.consumer });
  expect(list.body.data[0].totalAmount).toBe(body.data.totalAmount);
}
