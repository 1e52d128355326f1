import { expect, test } from 'vitest';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { NEW_LINE } from '../model/present-lines.ts';
import { decideReorder } from './reorder.ts';

type State = Parameters<typeof decideReorder>[1];
type Line = Parameters<typeof decideReorder>[0][number];

const line = (id: string, productId: string | null, quantity: number, priceMinor = 250): Line => ({
  ...NEW_LINE,
  id,
  position: 1,
  productId,
  name: 'Carrots',
  image: null,
  unit: 'lb',
  priceMinor,
  quantityMilli: toMilli(quantity),
});
const product = (over: Partial<State['products'][number]> = {}) =>
  ({
    id: 'a',
    unit: 'lb',
    pieceMilli: null,
    priceMinor: 250,
    stockMilli: 5000,
    stepMilli: null,
    minimumMilli: null,
    isActive: true,
    availableUntil: null,
    sizes: [],
    isAlways: false,
    maxOrderMilli: null,
    ...over,
  }) as State['products'][number];
const decide = (lines: Line[], over: Partial<State> = {}) =>
  decideReorder(lines, {
    products: [product()],
    isFarmOpen: true,
    today: '2026-11-22',
    ...over,
  }).map(({ quantityMilli, orderedMilli, outcome }) => ({
    quantity: fromMilli(quantityMilli),
    orderedQuantity: fromMilli(orderedMilli),
    outcome,
  }));

test('adds up several lines of one product, at the price of the first', () => {
  expect(decide([line('1', 'a', 2), line('2', 'a', 2, 300)])).toEqual([
    { quantity: 4, orderedQuantity: 4, outcome: 'added' },
  ]);
  expect(decide([line('1', 'a', 3), line('2', 'a', 3)])).toEqual([
    { quantity: 5, orderedQuantity: 6, outcome: 'fewer' },
  ]);
});

test('keeps deleted products apart', () => {
  expect(decide([line('1', null, 2), line('2', null, 3)]).map((each) => each.outcome)).toEqual([
    'gone',
    'gone',
  ]);
});

test.each([
  ['today', '2026-11-22', 'added'],
  ['yesterday', '2026-11-21', 'gone'],
])('a product whose last day is %s', (_, availableUntil, outcome) => {
  const [item] = decide([line('1', 'a', 1)], { products: [product({ availableUntil })] });
  expect(item?.outcome).toBe(outcome);
});

test('a farm that is gone has nothing', () => {
  expect(decide([line('1', 'a', 1)], { isFarmOpen: false })).toEqual([
    { quantity: 0, orderedQuantity: 1, outcome: 'gone' },
  ]);
  expect(decide([])).toEqual([]);
});

test.each([
  // Ordered, step, minimum, stock; what can be had.
  [1.5, 500, null, 5000, 1.5, 'added'],
  [1.5, 250, 500, 1500, 1.5, 'added'],
  [1.3, 250, null, 5000, 1.25, 'quantity_changed'],
  [1.5, null, null, 5000, 1, 'quantity_changed'],
  [0.3, 250, 500, 5000, 0.5, 'quantity_changed'],
  [0.3, 100, null, 5000, 0.3, 'added'],
  [2, 300, null, 1000, 0.9, 'fewer'],
  [1, 300, null, 1000, 0.9, 'quantity_changed'],
  [2, 250, 500, 400, 0, 'gone'],
  [2, null, 3000, 2999, 0, 'gone'],
] as const)(
  '%d of a product in steps of %s from %s, of which there is %d, is %d and %s',
  (ordered, stepMilli, minimumMilli, stockMilli, quantity, outcome) => {
    const products = [product({ stepMilli, minimumMilli, stockMilli })];
    expect(decide([line('1', 'a', ordered)], { products })).toEqual([
      { quantity, orderedQuantity: ordered, outcome },
    ]);
  },
);
