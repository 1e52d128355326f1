import { describe, expect, it } from 'vitest';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { removeLine, setLineQuantity } from './change-lines.ts';
import {
  addToCart,
  type Cart,
  EMPTY_CART,
  type Goods,
  isStoredCart,
  withStoredLines,
} from './rules.ts';
import { id, someGoods } from './testing/goods.ts';

const goods = (number: number, change: Partial<Goods> = {}): Goods =>
  someGoods(number, {
    name: `Product ${number}`,
    images: [`/uploads/${number}.webp`, '/uploads/other.webp'],
    farmer: { _id: id(900), name: 'Ada', farmName: 'Green Valley Farm' },
    ...change,
  });

function cartOf(...all: [Goods, number][]): Cart {
  return all.reduce<Cart>((cart, [each, quantity]) => {
    const added = addToCart(cart, each, quantity);
    if (!('cart' in added)) throw new Error(added.outcome);
    return added.cart;
  }, EMPTY_CART);
}

describe('adding to the cart', () => {
  it('adds a line with the first picture and sets the farm', () => {
    expect(addToCart(EMPTY_CART, goods(1), 3)).toEqual({
      outcome: 'added',
      cart: {
        farmerId: id(900),
        farmerName: 'Green Valley Farm',
        lines: [
          {
            productId: id(1),
            name: 'Product 1',
            image: '/uploads/1.webp',
            price: 2.5,
            unit: 'lb',
            quantity: 3,
          },
        ],
      },
    });
  });

  it('has no picture if the product has none, and the name of a farmer without a farm name', () => {
    const bare = goods(1, { images: [], farmer: { _id: id(900), name: 'Ada', farmName: '' } });
    const cart = cartOf([bare, 1]);
    expect(cart.lines[0]?.image).toBeNull();
    expect(cart.farmerName).toBe('Ada');
  });

  it('raises the quantity of an existing line and updates its price', () => {
    const added = addToCart(cartOf([goods(1), 2]), goods(1, { price: 3 }), 4);
    expect(added).toMatchObject({ outcome: 'raised' });
    expect('cart' in added && added.cart.lines).toMatchObject([{ quantity: 6, price: 3 }]);
  });

  it('caps the quantity at the stock', () => {
    const added = addToCart(cartOf([goods(1), 8]), goods(1), 5);
    expect(added).toMatchObject({ outcome: 'capped', most: 10 });
    expect('cart' in added && added.cart.lines).toMatchObject([{ quantity: 10 }]);
  });

  it('does not add a product that is sold out', () => {
    const added = addToCart(EMPTY_CART, goods(1, { quantityAvailable: 0 }), 1);
    expect(added).toEqual({ outcome: 'capped', cart: EMPTY_CART, most: 0 });
  });

  it('refuses the product of another farm', () => {
    const other = goods(2, { farmer: { _id: id(901), name: 'Bo', farmName: 'Hill Farm' } });
    expect(addToCart(cartOf([goods(1), 1]), other, 1)).toEqual({ outcome: 'other-farm' });
  });

  it('accepts any farm once the cart is empty', () => {
    const empty = removeLine(cartOf([goods(1), 1]), id(1));
    const other = goods(2, { farmer: { _id: id(901), name: 'Bo', farmName: 'Hill Farm' } });
    expect(addToCart(empty, other, 1)).toMatchObject({ outcome: 'added' });
  });

  it('refuses more lines than an order can have, but raises an existing one', () => {
    const many = Array.from({ length: LINES_MAX }, (_, index) => goods(index));
    const cart = cartOf(...many.map((each): [Goods, number] => [each, 1]));
    expect(addToCart(cart, goods(500), 1)).toEqual({ outcome: 'full' });
    expect(addToCart(cart, goods(0), 1)).toMatchObject({ outcome: 'raised' });
  });
});

describe('goods that are sold in steps', () => {
  const carrots = (change: Partial<Goods> = {}) =>
    goods(1, { step: 0.25, minimum: 0.5, ...change });
  const quantityAfter = (cart: Cart, each: Goods, quantity: number) => {
    const added = addToCart(cart, each, quantity);
    return 'cart' in added ? [added.outcome, added.cart.lines[0]?.quantity] : [added.outcome];
  };

  it('keep their steps in the cart', () => {
    expect(cartOf([carrots(), 1.25]).lines).toMatchObject([
      { quantity: 1.25, step: 0.25, minimum: 0.5 },
    ]);
    expect(Object.keys(cartOf([goods(1), 1]).lines[0] ?? {})).not.toContain('step');
  });

  it.each([
    [0.5, 0.25, 'raised', 0.75],
    [0.5, 9.5, 'raised', 10],
    [0.5, 9.75, 'capped', 10],
  ])('in the cart are %d and %d more: %s to %d', (before, more, outcome, after) => {
    expect(quantityAfter(cartOf([carrots(), before]), carrots(), more)).toEqual([outcome, after]);
  });

  it('add up exactly', () => {
    const tenths = carrots({ step: 0.1, minimum: 0.1, quantityAvailable: 0.3 });
    expect(quantityAfter(cartOf([tenths, 0.1]), tenths, 0.2)).toEqual(['raised', 0.3]);
  });

  it('never are less than their smallest order, nor between two steps', () => {
    expect(quantityAfter(EMPTY_CART, carrots(), 0.1)).toEqual(['added', 0.5]);
    expect(quantityAfter(EMPTY_CART, carrots({ quantityAvailable: 0.4 }), 1)).toEqual([
      'capped',
      undefined,
    ]);
    expect(quantityAfter(EMPTY_CART, carrots({ quantityAvailable: 1.1 }), 9)).toEqual([
      'capped',
      1,
    ]);
    // The line is from before the steps changed.
    const old = cartOf([goods(1), 1]);
    expect(quantityAfter(old, carrots({ step: 0.3, minimum: 0.3 }), 0.3)).toEqual(['raised', 1.2]);
  });

  it('are set to the nearest quantity, in the steps of by now', () => {
    const cart = cartOf([carrots(), 1]);
    const set = (...wanted: [number, object?]) => setLineQuantity(cart, id(1), ...wanted).lines[0];
    expect([set(1.3), set(0), set(Number.NaN)].map((line) => line?.quantity)).toEqual([
      1.25, 0.5, 0.5,
    ]);
    expect(set(1.3, { step: 0.1 })).toMatchObject({ quantity: 1.3, step: 0.1 });
    expect(set(1.3, { step: 0.1 })).not.toHaveProperty('minimum');
    expect(set(1.3, {})).toEqual({ ...cartOf([goods(1), 1]).lines[0] });
  });
});

describe('changing the cart', () => {
  it('sets a quantity to a whole number of at least one', () => {
    const cart = cartOf([goods(1), 2]);
    const quantity = (wanted: number) => setLineQuantity(cart, id(1), wanted).lines[0]?.quantity;
    expect([quantity(5), quantity(0), quantity(-3), quantity(2.4), quantity(Number.NaN)]).toEqual([
      5, 1, 1, 2, 1,
    ]);
  });

  it('keeps the farm while a line is left and clears it with the last one', () => {
    const cart = cartOf([goods(1), 1], [goods(2), 1]);
    const one = removeLine(cart, id(1));
    expect(one).toMatchObject({ farmerId: id(900), lines: [{ productId: id(2) }] });
    expect(removeLine(one, id(2))).toEqual(EMPTY_CART);
  });
});

describe('reading a stored cart', () => {
  const cart = cartOf([goods(1), 2], [goods(2), 1]);

  it.each([
    ['what it wrote', JSON.parse(JSON.stringify(cart))],
    ['an empty cart', EMPTY_CART],
    ['a cart that knows more', { ...cart, coupon: 'x' }],
    ['half a quantity in steps of halves', cartOf([goods(3, { step: 0.5 }), 1.5])],
  ])('accepts %s', (_, value) => {
    expect(isStoredCart(value)).toBe(true);
  });

  const line = cart.lines[0];
  it.each([
    ['nothing', null],
    ['a text', 'cart'],
    ['a list', []],
    ['no lines', { farmerId: id(900), farmerName: 'x' }],
    ['a farm without lines', { ...cart, lines: [] }],
    ['no farm', { ...cart, farmerId: null }],
    ['a farm that is no id', { ...cart, farmerId: 'farm' }],
    ['no farm name', { ...cart, farmerName: undefined }],
    ['a line that is nothing', { ...cart, lines: [null] }],
    ['a line without a name', { ...cart, lines: [{ ...line, name: 7 }] }],
    ['a product twice', { ...cart, lines: [line, line] }],
    ['a quantity of none', { ...cart, lines: [{ ...line, quantity: 0 }] }],
    [
      'a quantity of thousandths of thousandths',
      { ...cart, lines: [{ ...line, quantity: 1.00001, step: 0.00001 }] },
    ],
    ['a quantity between two steps', { ...cart, lines: [{ ...line, quantity: 1.3, step: 0.5 }] }],
    ['a step that is none', { ...cart, lines: [{ ...line, step: 0 }] }],
    ['half a quantity', { ...cart, lines: [{ ...line, quantity: 1.5 }] }],
    ['a price below nothing', { ...cart, lines: [{ ...line, price: -1 }] }],
    ['a price that is text', { ...cart, lines: [{ ...line, price: '2' }] }],
    ['too many lines', { ...cart, lines: Array.from({ length: 101 }, () => line) }],
  ])('rejects %s', (_, value) => {
    expect(isStoredCart(value)).toBe(false);
  });

  it.each([
    ['whose price is above the limit of any currency', { price: 2_000_000_001 }],
    ['whose quantity is above the limit', { quantity: 1_000_001 }],
    ['that is none', { name: 7 }],
  ])('keeps the other lines of a cart with a line %s', (_, broken) => {
    const stored = { ...cart, lines: [...cart.lines, { ...line, productId: id(3), ...broken }] };
    expect(withStoredLines(stored)).toEqual(cart);
  });

  it('keeps a line of 1,000,000 and more, which is lunch in some currencies', () => {
    const dear = { ...cart, lines: [{ ...line, price: 2_000_000_000 }] };
    expect(withStoredLines(dear)).toEqual(dear);
  });

  it('is empty when none of its lines is left', () => {
    expect(withStoredLines({ ...cart, lines: [{ ...line, quantity: 0 }] })).toEqual(EMPTY_CART);
  });
});
