import { expect, test } from 'vitest';
import { fromMilli, toMilli } from '#contract/constants/quantities';
import { decideAgain } from './decide-again.ts';

type State = Parameters<typeof decideAgain>[1];
type Line = Parameters<typeof decideAgain>[0][number];

const line = (id: string, productId: string | null, quantity: number, priceMinor = 250): Line => ({
  id,
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
    priceMinor: 250,
    stockMilli: 5000,
    isActive: true,
    availableUntil: null,
    ...over,
  }) as State['products'][number];
const decide = (lines: Line[], over: Partial<State> = {}) =>
  decideAgain(lines, {
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
