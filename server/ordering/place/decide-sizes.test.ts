import '../../platform/market/readers.ts';
import { describe, expect, test } from 'vitest';
import type { PlaceOrder } from '#contract/ordering/orders/orders';
import { writeMessage } from '#contract/platform/text/constants/texts';
import type { SizeRow } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { lineRefusal } from '../model/refusal.ts';
import { decide, id, order, product } from '../testing/placing.ts';

const size = (number: number, over: Partial<SizeRow> = {}): SizeRow => ({
  id: id(100 + number),
  label: `${number} kg`,
  contentMilli: number * 1000,
  priceMinor: number * 100,
  sku: null,
  isActive: true,
  minimum: null,
  ...over,
});

/** 10 kg of carrots, sold by 1, 2 and 5 kg. */
const carrots = (over: Partial<StockRow> = {}): StockRow =>
  product(1, {
    name: 'Carrots',
    unit: 'kg',
    priceMinor: 100,
    stepMilli: 1,
    minimumMilli: 1000,
    sizes: [size(1), size(2), size(5)],
    ...over,
  });

const always = (over: Partial<StockRow> = {}): StockRow =>
  carrots({ isAlways: true, stockMilli: 1_000_000_000, ...over });

type Item = Omit<PlaceOrder['items'][number], 'product'>;
const of = (number: number, quantity: number, over: Partial<Item> = {}): Item => ({
  size: id(100 + number),
  quantity,
  ...over,
});

const decideOf = (items: readonly Item[], goods = carrots()) =>
  decide(
    { products: [goods] },
    { ...order(), items: items.map((item) => ({ product: id(1), ...item })) },
  );

function refusalOf(items: readonly Item[], goods?: StockRow) {
  const decision = decideOf(items, goods);
  if (!('problems' in decision)) throw new Error(`It was not refused: ${JSON.stringify(decision)}`);
  const refusal = lineRefusal(decision.problems);
  return { ...refusal, message: writeMessage(refusal.sentence) };
}

test('plans a line of each size, at its price', () => {
  const decision = decideOf([of(5, 1), of(1, 3)]);
  expect(decision).toMatchObject({
    plan: {
      lines: [
        { size: { id: id(105) }, quantityMilli: 1000 },
        { size: { id: id(101) }, quantityMilli: 3000 },
      ],
      totalMinor: 800,
    },
  });
});

test('takes a product and size once', () => {
  expect(decideOf([of(1, 1), of(2, 1)])).toHaveProperty('plan');
  expect(decideOf([of(1, 1), of(1, 2)])).toEqual({ refusal: 'PRODUCT_TWICE' });
  expect(decideOf([{ quantity: 1 }, { quantity: 2 }])).toEqual({ refusal: 'PRODUCT_TWICE' });
});

test('takes an order of all twenty sizes', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  const goods = carrots({ sizes: numbers.map((number) => size(number)), stockMilli: 210_000 });
  const items = numbers.map((number) => of(number, 1));
  expect(decideOf(items, goods)).toMatchObject({ plan: { totalMinor: 21_000 } });
  expect(refusalOf(items, { ...goods, stockMilli: 209_999 }).problems).toEqual([
    { line: 19, code: 'OUT_OF_STOCK', left: 0 },
  ]);
});

describe('lines of one product share its stock in their order', () => {
  test.each<[string, Item[], object[]]>([
    ['that fit to the last', [of(5, 1), of(2, 2), of(1, 1)], []],
    ['of which the last is too much', [of(5, 1), of(2, 3)], [[1, 2]]],
    ['of which the first is too much', [of(5, 3), of(2, 5)], [[0, 2]]],
    ['of which one takes what the other wants', [of(2, 5), of(1, 1)], [[1, 0]]],
    [
      'of which one is dearer',
      [of(2, 5, { price: 1 }), of(1, 1)],
      [
        [0, 'price'],
        [1, 0],
      ],
    ],
    ['of which one has no size', [of(2, 5), { quantity: 3 }], [[1, 'size']]],
  ])('%s', (_, items, expected) => {
    if (expected.length === 0) expect(decideOf(items)).toHaveProperty('plan');
    else {
      expect(
        refusalOf(items).problems?.map(({ line, code, left }) => [
          line,
          left ?? (code === 'PRICE_CHANGED' ? 'price' : 'size'),
        ]),
      ).toEqual(expected);
    }
  });
});

describe('refuses', () => {
  const seen = (content?: number, unit = 'kg') => ({
    priceBasis: { unit, ...(content === undefined ? {} : { content }) } as Item['priceBasis'],
  });
  test.each<[string, Item, StockRow, number, object, string]>([
    [
      'no size of what is sold in sizes',
      { quantity: 1, ...seen() },
      carrots(),
      400,
      { code: 'SIZE_REQUIRED' },
      'Carrots is sold in sizes. Choose one.',
    ],
    [
      'a size that is off',
      of(1, 1),
      carrots({ sizes: [size(1, { isActive: false }), size(2)] }),
      409,
      { code: 'SIZE_UNAVAILABLE' },
      'Carrots is no longer sold in this size. Choose another one.',
    ],
    [
      'a size that is gone',
      of(3, 1),
      carrots(),
      409,
      { code: 'SIZE_UNAVAILABLE' },
      'Carrots is no longer sold in this size. Choose another one.',
    ],
    [
      'a size of what has none',
      of(1, 1, seen(1)),
      product(1, { name: 'Carrots' }),
      409,
      { code: 'SIZE_UNAVAILABLE' },
      'Carrots is no longer sold in sizes. Remove it and choose it again.',
    ],
    [
      'another price of a piece',
      of(5, 1, { price: 4 }),
      carrots(),
      409,
      { code: 'PRICE_CHANGED', price: 5 },
      'Carrots (5 kg) is now ₨5.00 each.',
    ],
    [
      'another content',
      of(5, 2, { price: 5, ...seen(5) }),
      carrots({ sizes: [size(5, { label: 'Bag', contentMilli: 4500 })] }),
      409,
      {
        code: 'PRICE_CHANGED',
        price: 5,
        unit: 'kg',
        pieceWeight: null,
        content: 4.5,
        estimate: 10,
      },
      'Carrots (Bag) now contains 4.5 kg, at ₨5.00 each. 2 pieces of it would be ₨10.00.',
    ],
    [
      'half a piece',
      of(1, 1.5),
      carrots(),
      400,
      { code: 'QUANTITY_NOT_OFFERED', step: 1, minimum: 1 },
      'You can order Carrots (1 kg) in whole numbers.',
    ],
    [
      'fewer pieces than a size is sold in',
      of(1, 2),
      carrots({ sizes: [size(1, { minimum: 3 }), size(2)] }),
      400,
      { code: 'QUANTITY_NOT_OFFERED', step: 1, minimum: 3 },
      'You can order Carrots (1 kg) in whole numbers, from 3.',
    ],
    [
      'more pieces than there are',
      of(2, 6),
      carrots(),
      409,
      { code: 'OUT_OF_STOCK', left: 5 },
      'Only 5 of Carrots (2 kg) left.',
    ],
    [
      'a size that does not fit any more',
      of(5, 1),
      carrots({ stockMilli: 4999 }),
      409,
      { code: 'OUT_OF_STOCK', left: 0 },
      'Carrots (5 kg) is sold out.',
    ],
    [
      'more than an order can have',
      of(5, 5),
      always({ maxOrderMilli: 20_000 }),
      409,
      { code: 'OVER_MAXIMUM', most: 4 },
      'An order can have at most 20 kg of Carrots.',
    ],
    [
      'more of the stock than a quantity can be',
      of(5, 200_001),
      always(),
      409,
      { code: 'OVER_MAXIMUM', most: 200_000 },
      'An order can have at most 1,000,000 kg of Carrots.',
    ],
    [
      'more of a stock above all quantities',
      of(5, 200_001),
      carrots({ stockMilli: 2_000_000_000 }),
      409,
      { code: 'OVER_MAXIMUM', most: 200_000 },
      'An order can have at most 1,000,000 kg of Carrots.',
    ],
  ])('%s', (_, item, goods, status, problem, message) => {
    const refusal = refusalOf([item], goods);
    expect(refusal).toMatchObject({ status, message });
    expect(refusal.problems).toEqual([{ line: 0, ...problem }]);
  });

  test('a size that is missing as a rule only where nothing is graver', () => {
    const items = [
      { product: id(1), quantity: 1 },
      { product: id(7), quantity: 1 },
    ];
    const decision = decide({ products: [carrots()] }, order({ items }));
    if (!('problems' in decision)) throw new Error('It was not refused');
    expect(lineRefusal(decision.problems)).toMatchObject({
      status: 409,
      code: 'PRODUCT_UNAVAILABLE',
    });
  });
});

test('takes a size as the customer saw it', () => {
  const priceBasis = { unit: 'kg', content: 5 } as const;
  expect(decideOf([of(5, 2, { price: 5, priceBasis })])).toHaveProperty('plan');
});

describe('of what is always available', () => {
  test('the most of an order counts all its lines', () => {
    const goods = always({ maxOrderMilli: 8000 });
    expect(decideOf([of(5, 1), of(1, 3)], goods)).toHaveProperty('plan');
    expect(refusalOf([of(5, 1), of(2, 2), of(1, 3)], goods).problems).toEqual([
      { line: 1, code: 'OVER_MAXIMUM', most: 1 },
    ]);
  });

  test('in its unit any quantity can be had, up to the most of an order', () => {
    const milk = (over: Partial<StockRow> = {}) =>
      product(1, { isAlways: true, stockMilli: 1_000_000_000, ...over });
    expect(decideOf([{ quantity: 1_000_000 }], milk())).toHaveProperty('plan');
    expect(refusalOf([{ quantity: 7 }], milk({ maxOrderMilli: 6000 })).problems).toEqual([
      { line: 0, code: 'OVER_MAXIMUM', most: 6 },
    ]);
  });
});
