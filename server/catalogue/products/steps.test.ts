import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { formatSteps, stepsFrom } from '#contract/platform/quantities/constants/step-fields';
import {
  ceilToStep,
  floorToStep,
  hasSameStep,
  isOffered,
  isSoldOut,
  mostOf,
  nearestOffered,
  type Stocked,
} from '#contract/platform/quantities/constants/steps';
import {
  OrderedQuantity,
  Quantity,
  Step,
  Stock,
  stepProblems,
} from '#contract/platform/quantities/quantity';

const stocked = (quantityAvailable: number, step?: number, minimum?: number): Stocked => ({
  quantityAvailable,
  step,
  minimum,
});

test.each([
  // Stock, step, minimum; the most that can be ordered.
  [5, undefined, undefined, 5],
  [5.3, undefined, undefined, 5],
  [0.9, undefined, undefined, 0],
  [2, undefined, 3, 0],
  [3, undefined, 3, 3],
  [1, 0.3, undefined, 0.9],
  [0.3, 0.1, undefined, 0.3],
  [12.35, 0.001, 0.5, 12.35],
  [0.4, 0.25, 0.5, 0],
  [0.5, 0.25, 0.5, 0.5],
  [1_000_000, 0.001, undefined, 1_000_000],
  [999_999.999, 1000, undefined, 999_000],
  [0, 0.5, undefined, 0],
])('of a stock of %d in steps of %s from %s %d can be ordered', (stock, step, minimum, most) => {
  const product = stocked(stock, step, minimum);
  expect(mostOf(product)).toBe(most);
  expect(isSoldOut(product)).toBe(most === 0);
});

test.each([
  [1.3, 0.25, undefined, 1.25],
  [1.4, 0.25, undefined, 1.5],
  // In the middle it is the smaller one.
  [1.125, 0.25, undefined, 1],
  [0.1, 0.25, 0.5, 0.5],
  [99, 0.25, undefined, 10],
  [1.5, undefined, undefined, 1],
  [0.5, undefined, undefined, 1],
  [0.1 + 0.2, 0.1, undefined, 0.3],
])('nearest to %d in steps of %s from %s is %d', (wanted, step, minimum, nearest) => {
  expect(nearestOffered(wanted, stocked(10, step, minimum))).toBe(nearest);
  expect(nearestOffered(wanted, stocked(0, step, minimum))).toBe(0);
});

test('whatever is offered is a multiple, in stock and not below the smallest order', () => {
  const milli = fc.integer({ min: 0, max: 1_000_000_000 });
  const step = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(
      milli,
      milli,
      step,
      fc.integer({ min: 1, max: 1000 }),
      (stock, wanted, by, times) => {
        const product = stocked(fromMilli(stock), fromMilli(by), fromMilli(by * times));
        const most = mostOf(product);
        const nearest = nearestOffered(fromMilli(wanted), product);
        expect(most === 0).toBe(stock < by * times);
        if (most === 0) expect(nearest).toBe(0);
        else {
          expect(isOffered(most, product) && isOffered(nearest, product)).toBe(true);
          expect(nearest).toBeLessThanOrEqual(most);
          expect(stock - toMilli(most)).toBeLessThan(by);
        }
        expect(toMilli(ceilToStep(fromMilli(wanted), product)) % by).toBe(0);
        expect(wanted - toMilli(floorToStep(fromMilli(wanted), product))).toBeLessThan(by);
      },
    ),
  );
});

test.each([
  [1, {}, 2, 0],
  [0.5, { step: 0.25 }, 0.75, 0.25],
  [0.2, { step: 0.1 }, 0.3, 0.1],
  // Between two steps one comes to the next.
  [1.3, { step: 0.5 }, 1.5, 1],
  [0, { step: 0.5 }, 0.5, -0.5],
])('from %d in %o one step up is %d, one down %d', (quantity, steps, up, down) => {
  expect(stepsFrom(quantity, 1, steps)).toBe(up);
  expect(stepsFrom(quantity, -1, steps)).toBe(down);
});

test('a step of one is the same whether it is said or not', () => {
  expect(hasSameStep({}, { step: 1 })).toBe(true);
  expect(hasSameStep({ step: 0.5 }, { step: 0.5, minimum: 1 })).toBe(true);
  expect(hasSameStep({ step: null }, { step: 0.5 })).toBe(false);
});

test.each([
  [{ step: 0.25, minimum: 0.5 }, 'kg', 'in steps of 0.25 kg, from 0.5 kg'],
  [{ step: 0.25 }, 'kg', 'in steps of 0.25 kg'],
  [{ minimum: 3 }, 'bunch', 'in steps of 1 bunch, from 3 bunches'],
  [{}, 'each', 'in whole numbers'],
  [{ minimum: 12 }, 'each', 'in whole numbers, from 12'],
  [{ step: 0.5 }, 'dozen', 'in steps of 0.5 dozen'],
] as const)('%o of %s is sold %s', (steps, unit, words) => {
  expect(formatSteps(steps, unit)).toBe(words);
});

describe('what does not fit together', () => {
  const product = {
    quantityAvailable: 10,
    step: 0.25,
    minimum: 0.5,
    price: 3,
    unit: 'kg' as const,
  };
  it('is nothing in a sound product', () => {
    expect(stepProblems(product)).toEqual([]);
    expect(stepProblems({ ...product, step: null, minimum: null })).toEqual([]);
    expect(stepProblems({ ...product, quantityAvailable: 0 })).toEqual([]);
  });
  it('is a smallest order between two steps', () => {
    expect(stepProblems({ ...product, minimum: 0.6 })).toEqual([
      {
        path: 'minimum',
        message: 'The smallest order must be a multiple of 0.25 kg: 0.5 kg or 0.75 kg.',
      },
    ]);
    expect(stepProblems({ ...product, step: null, minimum: 0.5 })).toEqual([
      { path: 'minimum', message: 'The smallest order must be a multiple of 1 kg: 1 kg.' },
    ]);
  });
  it('is a stock between two steps, unless it stays as it is', () => {
    const odd = { ...product, quantityAvailable: 1.1 };
    expect(stepProblems(odd)).toEqual([
      {
        path: 'quantityAvailable',
        message: 'A stock of 1.1 kg is no multiple of 0.25 kg. Set it to 1 kg or 1.25 kg.',
      },
    ]);
    expect(stepProblems(odd, { keepsStock: true })).toEqual([]);
    expect(stepProblems({ ...odd, step: null, minimum: null })).toEqual([
      { path: 'quantityAvailable', message: 'Valid quantity is required' },
    ]);
  });
  it('is a smallest order that would cost nothing', () => {
    const cheap = { ...product, price: 0.01, step: 0.001, minimum: null };
    expect(stepProblems(cheap)).toMatchObject([{ path: 'step' }]);
    expect(stepProblems({ ...cheap, minimum: 0.499 })).toMatchObject([{ path: 'minimum' }]);
    expect(stepProblems({ ...cheap, minimum: 0.5 })).toEqual([]);
  });
});

describe('the contract', () => {
  it.each([
    0.1 + 0.2,
    1.0005,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '1e3',
    '1,5',
    '1.5',
    null,
    true,
  ])('refuses a quantity of %s', (value) => {
    for (const schema of [Quantity, OrderedQuantity, Stock]) {
      expect(schema.safeParse(value).success).toBe(false);
    }
    expect(Step.safeParse(value).success).toBe(value === null);
  });
  it('keeps quantities within their bounds', () => {
    const takes = (schema: typeof Step | typeof Stock, values: unknown[]) =>
      values.filter((value) => schema.safeParse(value).success);
    const values = [-1, -0, 0, 0.001, 1000, 1000.001, 1_000_000, 1_000_000.001, 1e21];
    expect(takes(OrderedQuantity, values)).toEqual([0.001, 1000, 1000.001, 1_000_000]);
    expect(takes(Stock, values)).toEqual([-0, 0, 0.001, 1000, 1000.001, 1_000_000]);
    expect(takes(Step, values)).toEqual([0.001, 1000]);
  });
});
