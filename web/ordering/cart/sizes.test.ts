// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { removeLine, setLineQuantity, setLineSize, withoutOrdered } from './change-lines.ts';
import { toOrder } from './checkout/checkout-form.ts';
import { noticeSentence } from './notice-words.ts';
import { canUpdate, type Offer, reconcile } from './reconcile.ts';
import { refusedOffers } from './refused-offers.ts';
import {
  addToCart,
  type Cart,
  EMPTY_CART,
  type Goods,
  isStoredCart,
  lineKey,
  withStoredLines,
} from './rules.ts';
import { keepGoods, takeSavedGoods } from './saved-goods.ts';
import { aSize, id, potatoes } from './testing/goods.ts';

// Products that are sold in sizes, all of them from one stock.

const [one, two, five] = [aSize(1, 1.2), aSize(2, 2.2), aSize(5, 5)];

/** Returns a cart with so many pieces of each size. */
const cartOf = (pieces: [typeof one, number][], goods: Goods = potatoes()): Cart =>
  pieces.reduce<Cart>((cart, [size, quantity]) => {
    const added = addToCart(cart, goods, quantity, size);
    if (!('cart' in added)) throw new Error(added.outcome);
    return added.cart;
  }, EMPTY_CART);
const linesOf = ({ lines }: Cart) =>
  lines.map(({ quantity, size, price }) => [quantity, size?.label, price]);
/** What is potatoes, but for this. */
const offer = (over: Partial<Goods> = {}): Offer => potatoes(over);
const against = (cart: Cart, now: Offer) => {
  const { news, updated } = reconcile(cart, new Map([[id(1), now]]));
  return { sentences: news.map(noticeSentence), lines: linesOf(updated), news, updated };
};

describe('adding to the cart', () => {
  it('makes a line of each size, at the price of a piece', () => {
    const cart = cartOf([
      [one, 2],
      [five, 1],
    ]);
    expect(linesOf(cart)).toEqual([
      [2, '1 kg', 1.2],
      [1, '5 kg', 5],
    ]);
    expect(linesOf(cartOf([[one, 2]]))).toEqual(
      linesOf(
        cartOf([
          [one, 1],
          [one, 1],
        ]),
      ),
    );
  });

  it('gives a size no more than the others leave of the stock', () => {
    const cart = cartOf([[five, 1]]);
    expect(addToCart(cart, potatoes(), 3, two)).toMatchObject({ outcome: 'capped', most: 2 });
    const full = cartOf([[five, 2]]);
    expect(addToCart(full, potatoes(), 1, one)).toEqual({ outcome: 'capped', cart: full, most: 0 });
  });

  it('holds all sizes of what is always available to its maximum, in units of the stock', () => {
    const always = potatoes({ quantityAvailable: 1_000_000, maxPerOrder: 7 });
    const cart = cartOf([[five, 1]], always);
    expect(addToCart(cart, always, 2, two)).toMatchObject({ outcome: 'capped', most: 1 });
    expect(
      addToCart(EMPTY_CART, potatoes({ ...always, maxPerOrder: undefined }), 500, five),
    ).toMatchObject({
      outcome: 'added',
    });
  });

  it('takes the smallest order of a size', () => {
    const added = addToCart(EMPTY_CART, potatoes(), 1, { ...one, minimum: 3 });
    expect('cart' in added && added.cart.lines).toMatchObject([{ quantity: 3, minimum: 3 }]);
  });

  it('keeps the words of a farm and what one contains', () => {
    const jam = potatoes({
      sizes: undefined,
      unit: 'each',
      unitLabel: { one: 'jar', other: 'jars' },
      net: { amount: 500, unit: 'g' },
    });
    const added = addToCart(EMPTY_CART, jam, 1);
    const cart = 'cart' in added ? added.cart : EMPTY_CART;
    expect(cart.lines).toMatchObject([{ unitLabel: jam.unitLabel, net: jam.net }]);
    expect(isStoredCart(JSON.parse(JSON.stringify(cart)))).toBe(true);
  });
});

describe('changing and reading a cart', () => {
  const cart = cartOf([
    [one, 2],
    [five, 1],
  ]);
  const [ofOne, ofFive] = cart.lines.map(lineKey) as [string, string];

  it('changes and removes the line of one size alone', () => {
    expect(linesOf(setLineQuantity(cart, ofOne, 4))).toEqual([
      [4, '1 kg', 1.2],
      [1, '5 kg', 5],
    ]);
    expect(linesOf(removeLine(cart, ofFive))).toEqual([[2, '1 kg', 1.2]]);
  });

  it('reads each product in a size once, and no half pieces', () => {
    expect(isStoredCart(JSON.parse(JSON.stringify(cart)))).toBe(true);
    const [line] = cart.lines;
    if (!line) throw new Error('The line is missing.');
    expect(isStoredCart({ ...cart, lines: [line, line] })).toBe(false);
    expect(withStoredLines({ ...cart, lines: [...cart.lines, line] })).toEqual(cart);
    expect(isStoredCart({ ...cart, lines: [{ ...line, quantity: 1.5 }] })).toBe(false);
    expect(isStoredCart({ ...cart, lines: [{ ...line, size: { _id: 'x' } }] })).toBe(false);
  });

  it('keeps what was not ordered of the same product', () => {
    const ordered = [{ product: id(1), size: five._id, quantity: 1 }];
    expect(linesOf(withoutOrdered(cart, ordered))).toEqual([[2, '1 kg', 1.2]]);
  });

  it('is ordered by size, with what a piece contained', () => {
    const wishes = new Map([[ofFive, { onShort: 'leave_out' as const }]]);
    const input = { orderType: 'pickup' } as Parameters<typeof toOrder>[1];
    expect(toOrder(cart, input, wishes).order.items).toEqual([
      {
        product: id(1),
        size: one._id,
        quantity: 2,
        price: 1.2,
        priceBasis: { unit: 'kg', content: 1 },
      },
      {
        product: id(1),
        size: five._id,
        quantity: 1,
        price: 5,
        priceBasis: { unit: 'kg', content: 5 },
        onShort: 'leave_out',
      },
    ]);
  });
});

describe('goods of a visitor', () => {
  beforeEach(() => void takeSavedGoods());

  it('are kept by size until somebody signs in', () => {
    keepGoods(potatoes(), 1, one);
    keepGoods(potatoes(), 2, five);
    keepGoods(potatoes(), 3, one);
    const kept = takeSavedGoods();
    expect(kept.map(({ quantity, size }) => [quantity, size?.label])).toEqual([
      [2, '5 kg'],
      [3, '1 kg'],
    ]);
    const cart = kept.reduce<Cart>((before, { goods, quantity, size }) => {
      const added = addToCart(before, goods, quantity, size);
      return 'cart' in added ? added.cart : before;
    }, EMPTY_CART);
    // Ten kilograms are there.
    expect(linesOf(cart)).toEqual([[2, '5 kg', 5]]);
  });
});

describe('a cart and what its product has become', () => {
  const cart = cartOf([
    [one, 2],
    [two, 1],
    [five, 1],
  ]);

  it('shares the stock, the first lines first', () => {
    expect(against(cart, offer()).sentences).toEqual([]);
    const short = against(cart, offer({ quantityAvailable: 8 }));
    expect(short.sentences).toEqual([
      'The other sizes of Potatoes in your cart leave none for this one.',
    ]);
    expect(short.lines).toEqual([
      [2, '1 kg', 1.2],
      [1, '2 kg', 2.2],
    ]);
    const less = against(
      cartOf([
        [two, 1],
        [one, 7],
      ]),
      offer({ quantityAvailable: 5 }),
    );
    expect(less.sentences).toEqual(['Only 3 of Potatoes (1 kg) left; your cart has 7.']);
    expect(against(less.updated, offer({ quantityAvailable: 5 })).sentences).toEqual([]);
  });

  it('says the most of an order of what is always available', () => {
    const always = offer({ quantityAvailable: 1_000_000, maxPerOrder: 8 });
    const { sentences, lines } = against(cartOf([[one, 9]]), always);
    expect(sentences).toEqual(['An order can have at most 8 of Potatoes (1 kg); your cart has 9.']);
    expect(lines).toEqual([[8, '1 kg', 1.2]]);
  });

  it('takes a new price and a new content of a size', () => {
    const sizes = [one, two, aSize(5, 4.5, { content: 4 })];
    const { sentences, lines, updated } = against(cart, offer({ sizes }));
    expect(sentences).toEqual([
      'Potatoes (5 kg) contains 4 kg now instead of 5 kg. Potatoes (5 kg) costs ₨4.50 now instead of ₨5.00.',
    ]);
    expect(lines.at(-1)).toEqual([1, '5 kg', 4.5]);
    expect(updated.lines.at(-1)?.size?.content).toBe(4);
    expect(against(updated, offer({ sizes })).sentences).toEqual([]);
  });

  it.each([
    ['turned off', [one, two, aSize(5, 5, { isActive: false })]],
    ['removed', [one, two]],
  ])('asks for another size where one was %s, and cannot do without the answer', (_, sizes) => {
    const { news, sentences, updated } = against(cart, offer({ sizes }));
    expect(sentences).toEqual([
      'Potatoes (5 kg) is no longer sold in this size. Choose another one.',
    ]);
    expect(news).toMatchObject([{ asksSize: 'gone' }]);
    expect(canUpdate(news)).toBe(false);
    expect(updated).toEqual(cart);
    // About as much, in the size that is there already.
    const chosen = setLineSize(
      cart,
      lineKey(cart.lines[2] ?? { productId: '' }),
      potatoes({ sizes }),
      two,
    );
    expect(linesOf(chosen)).toEqual([
      [2, '1 kg', 1.2],
      [4, '2 kg', 2.2],
    ]);
    expect(against(chosen, offer({ sizes })).sentences).toEqual([]);
  });

  it('asks for a size of what was put in before there were any', () => {
    const added = addToCart(EMPTY_CART, potatoes({ sizes: undefined }), 4);
    const before = 'cart' in added ? added.cart : EMPTY_CART;
    const { news, sentences, updated } = against(before, offer());
    expect(sentences).toEqual(['Potatoes is sold in sizes. Choose one.']);
    expect(news).toMatchObject([{ asksSize: 'required' }]);
    expect(updated).toEqual(before);
    const size = (each: typeof one) => linesOf(setLineSize(before, id(1), potatoes(), each));
    expect([size(one), size(two), size(five)]).toEqual([
      [[4, '1 kg', 1.2]],
      [[2, '2 kg', 2.2]],
      [[1, '5 kg', 5]],
    ]);
  });

  it('says that all is sold out where no size is left', () => {
    expect(against(cartOf([[one, 1]]), offer({ quantityAvailable: 0.5 })).sentences).toEqual([
      'Potatoes (1 kg) is sold out.',
    ]);
    const gone = offer({ quantityAvailable: 1, sizes: [two] });
    expect(against(cartOf([[one, 1]]), gone)).toMatchObject({
      sentences: ['Potatoes (1 kg) is sold out.'],
      lines: [],
    });
  });

  it('counts in the unit again what is no longer sold in sizes', () => {
    const { sentences, lines } = against(
      cartOf([[five, 2]]),
      offer({ sizes: undefined, price: 1.1, quantityAvailable: 50 }),
    );
    expect(sentences).toEqual([
      'Potatoes is no longer sold in sizes. Potatoes (5 kg) costs ₨1.10 per kg now instead of ₨5.00 each. Your cart has 10 kg of it now instead of 2 × 5 kg.',
    ]);
    expect(lines).toEqual([[10, undefined, 1.1]]);
  });
});

describe('a refused order', () => {
  const { lines } = cartOf([
    [one, 2],
    [five, 1],
  ]);
  const refused = (...problems: Parameters<typeof refusedOffers>[1]) =>
    refusedOffers(lines, problems, () => ({ offer: offer(), version: 3 })).get(id(1))?.offer;
  const sentences = (now: Offer | undefined) =>
    reconcile({ ...EMPTY_CART, lines }, new Map(now === undefined ? [] : [[id(1), now]])).news.map(
      noticeSentence,
    );

  it.each([
    [
      { line: 1, code: 'SIZE_UNAVAILABLE' },
      'Potatoes (5 kg) is no longer sold in this size. Choose another one.',
    ],
    [
      { line: 1, code: 'PRICE_CHANGED', price: 6 },
      'Potatoes (5 kg) costs ₨6.00 now instead of ₨5.00.',
    ],
    [
      { line: 1, code: 'PRICE_CHANGED', price: 5, content: 4 },
      'Potatoes (5 kg) contains 4 kg now instead of 5 kg.',
    ],
    [
      { line: 1, code: 'OUT_OF_STOCK', left: 0 },
      'The other sizes of Potatoes in your cart leave none for this one.',
    ],
    [
      { line: 0, code: 'OVER_MAXIMUM', most: 1 },
      'An order can have at most 1 of Potatoes (1 kg); your cart has 2. An order can have at most 1 of Potatoes (5 kg); your cart has 1.',
    ],
  ])('says of %j: %s', (problem, sentence) => {
    expect(sentences(refused(problem)).join(' ')).toBe(sentence);
  });

  it('leaves it to the product to say that it is sold in sizes', () => {
    expect(refused({ line: 0, code: 'SIZE_REQUIRED' })).toBeUndefined();
  });
});
