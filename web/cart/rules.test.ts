import { describe, expect, it } from 'vitest';
import { lineTotalMinor, totalMinor } from '#contract/constants/money';
import { LINES_MAX } from '#contract/constants/order-limits';
import {
  addToCart,
  type Cart,
  EMPTY_CART,
  type Goods,
  isStoredCart,
  removeLine,
  setLineQuantity,
} from './rules.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const goods = (number: number, change: Partial<Goods> = {}): Goods => ({
  _id: id(number),
  name: `Product ${number}`,
  price: 2.5,
  unit: 'lb',
  images: [`/uploads/${number}.webp`, '/uploads/other.webp'],
  quantityAvailable: 10,
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

  it('adds up in minor units without rounding errors', () => {
    const lines = [
      { price: 0.1, quantity: 3 },
      { price: 1.005, quantity: 1 },
      { price: 19.99, quantity: 100 },
    ];
    expect(lineTotalMinor({ price: 0.1, quantity: 3 })).toBe(30);
    expect(totalMinor(lines)).toBe(30 + 100 + 199_900);
    expect(totalMinor([])).toBe(0);
  });
});

describe('reading a stored cart', () => {
  const cart = cartOf([goods(1), 2], [goods(2), 1]);

  it.each([
    ['what it wrote', JSON.parse(JSON.stringify(cart))],
    ['an empty cart', EMPTY_CART],
    ['a cart that knows more', { ...cart, coupon: 'x' }],
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
    ['half a quantity', { ...cart, lines: [{ ...line, quantity: 1.5 }] }],
    ['a price below nothing', { ...cart, lines: [{ ...line, price: -1 }] }],
    ['a price that is text', { ...cart, lines: [{ ...line, price: '2' }] }],
    ['too many lines', { ...cart, lines: Array.from({ length: 101 }, () => line) }],
  ])('rejects %s', (_, value) => {
    expect(isStoredCart(value)).toBe(false);
  });
});
