import { describe, expect, it } from 'vitest';
import type { ReorderItem } from '#contract/ordering/orders/orders';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { reconcile } from '../reconcile.ts';
import { type Cart, EMPTY_CART } from '../rules.ts';
import { aSize } from '../testing/goods.ts';
import { addReordered, isAllGone, isOtherFarm } from './ReorderButton.tsx';

const item = (name: string, over: Partial<ReorderItem> & { price?: number } = {}): ReorderItem => {
  const { price = 2.5, ...rest } = over;
  return {
    product: {
      _id: name,
      name,
      images: [],
      unit: 'lb',
      price,
      quantityAvailable: 9,
      farmer: { _id: 'farm', name: 'Fern', farmName: 'Green Valley' },
    },
    quantity: 4,
    orderedQuantity: 4,
    orderedPrice: 2.5,
    outcome: 'added',
    ...rest,
  };
};
const gone = (name: string): ReorderItem => {
  const each = item(name, { outcome: 'gone', quantity: 0 });
  return { ...each, product: { ...each.product, _id: null, quantityAvailable: 0 } };
};
const cartWith = (lines: Record<string, number>, farmerId = 'farm'): Cart => ({
  farmerId,
  farmerName: 'Green Valley',
  lines: Object.entries(lines).map(([name, quantity]) => ({
    productId: name,
    name,
    image: null,
    price: 2,
    quantity,
  })),
});
const linesOf = (cart: Cart) =>
  cart.lines.map(({ name, quantity, price }) => [name, quantity, price]);

describe('an order of sizes', () => {
  const [one, five] = [aSize(1, 1.2), aSize(5, 5)];
  const sized = (over: Parameters<typeof item>[1], sizes = [one, five]): ReorderItem => {
    const each = item('Potatoes', over);
    return { ...each, product: { ...each.product, unit: 'kg', quantityAvailable: 20, sizes } };
  };
  const inSize = ({ _id, label, content }: typeof one) => ({ _id, label, content });
  const sizesOf = ({ lines }: Cart) => lines.map(({ quantity, size }) => [quantity, size?.label]);

  it('puts each size into the cart, and doubles none that is there', () => {
    const items = [
      sized({ size: inSize(one), quantity: 2, orderedQuantity: 2, orderedPrice: 1.2 }),
      sized({
        size: inSize(five),
        quantity: 1,
        orderedQuantity: 1,
        orderedPrice: 4,
        outcome: 'price_changed',
      }),
    ];
    const { cart, count, sentences } = addReordered(EMPTY_CART, items);
    expect(sizesOf(cart)).toEqual([
      [2, '1 kg'],
      [1, '5 kg'],
    ]);
    expect(count).toBe(2);
    expect(sentences).toEqual(['Potatoes (5 kg) costs ₨5.00 now instead of ₨4.00.']);
    expect(sizesOf(addReordered(cart, items).cart)).toEqual(sizesOf(cart));
  });

  it('says that a size contains something else by now', () => {
    const size = { ...inSize(five), content: 6 };
    const { sentences } = addReordered(EMPTY_CART, [
      sized({ size, quantity: 1, orderedQuantity: 1, orderedPrice: 5, outcome: 'price_changed' }),
    ]);
    expect(sentences).toEqual(['Potatoes (5 kg) contains 5 kg now instead of 6 kg.']);
  });

  it.each([
    ['a size that is gone', inSize(aSize(2, 2.2))],
    ['no size, because there were none', undefined],
  ])('leaves it to the cart to ask about %s', (_, size) => {
    const asked = sized({
      ...(size && { size }),
      quantity: 0,
      orderedQuantity: 3,
      outcome: 'gone',
    });
    expect(isAllGone([asked])).toBe(false);
    const { cart, count, sentences } = addReordered(EMPTY_CART, [asked]);
    expect(sizesOf(cart)).toEqual([[3, size?.label]]);
    expect([count, sentences]).toEqual([1, []]);
    const offers = new Map([['Potatoes', { ...asked.product }]]);
    expect(reconcile(cart, offers).news).toMatchObject([{ asksSize: size ? 'gone' : 'required' }]);
    expect(addReordered(cart, [asked]).cart).toEqual(cart);
  });

  it('is gone where no size is left', () => {
    const gone = sized({ size: inSize(five), quantity: 0, outcome: 'gone' }, [
      { ...five, content: 50 },
    ]);
    expect(isAllGone([gone])).toBe(true);
    expect(addReordered(EMPTY_CART, [gone]).sentences).toEqual([
      'Potatoes (5 kg) is no longer on sale.',
    ]);
  });
});

describe('an order that is put into the cart again', () => {
  it('fills an empty cart without a word where nothing changed', () => {
    const { cart, count, sentences } = addReordered(EMPTY_CART, [item('Plums'), item('Figs')]);
    expect(cart).toMatchObject({ farmerId: 'farm', farmerName: 'Green Valley' });
    expect(linesOf(cart)).toEqual([
      ['Plums', 4, 2.5],
      ['Figs', 4, 2.5],
    ]);
    expect(count).toBe(2);
    expect(sentences).toEqual([]);
  });

  it('says in which steps a product is sold now', () => {
    const carrots = item('Carrots', {
      quantity: 1.25,
      orderedQuantity: 1.3,
      outcome: 'quantity_changed',
      price: 3,
    });
    const again = { ...carrots, product: { ...carrots.product, step: 0.25, minimum: 0.5 } };
    const { cart, sentences } = addReordered(EMPTY_CART, [again]);
    expect(linesOf(cart)).toEqual([['Carrots', 1.25, 3]]);
    expect(sentences).toEqual([
      'You can order Carrots in steps of 0.25 lb, from 0.5 lb now: 1.25 lb instead of 1.3 lb. Carrots costs ₨3.00 now instead of ₨2.50.',
    ]);
    // Twice is as once, to the last part.
    expect(addReordered(cart, [again]).cart).toEqual(cart);
    const some = addReordered(cartWith({ Carrots: 1 }), [again]);
    expect(linesOf(some.cart)).toEqual([['Carrots', 1.25, 3]]);
  });

  it('says what changed of each line', () => {
    const { cart, count, sentences } = addReordered(EMPTY_CART, [
      item('Few', { quantity: 3, outcome: 'fewer' }),
      item('Dear', { price: 3, outcome: 'price_changed' }),
      item('Both', { quantity: 1, price: 2, outcome: 'fewer' }),
      gone('Gone'),
    ]);
    expect(sentences).toEqual([
      'Only 3 lb of Few left; you had 4 lb.',
      'Dear costs ₨3.00 now instead of ₨2.50.',
      'Only 1 lb of Both left; you had 4 lb. Both costs ₨2.00 now instead of ₨2.50.',
      'Gone is no longer on sale.',
    ]);
    expect(linesOf(cart)).toEqual([
      ['Few', 3, 2.5],
      ['Dear', 4, 3],
      ['Both', 1, 2],
    ]);
    expect(count).toBe(3);
  });

  it.each<[string, Partial<ReorderItem>, Partial<ReorderItem['product']>, string]>([
    [
      'by another unit',
      { outcome: 'price_changed', orderedAs: { quantity: 4, unit: 'lb' } },
      { unit: 'kg', price: 5 },
      "Plums costs ₨5.00 per kg now instead of ₨2.50 per lb. You had 4 lb; now it's 4 kg. That makes ₨20.00 instead of ₨10.00.",
    ],
    [
      'by the piece',
      {
        quantity: 2,
        orderedQuantity: 2,
        outcome: 'price_changed',
        orderedAs: { quantity: 4, unit: 'lb' },
      },
      { pieceWeight: { average: 1.8 } },
      "Plums is sold by the piece now, about 1.8 lb each. You had 4 lb; now it's 2 pieces. That makes ≈ ₨9.00 instead of ₨10.00.",
    ],
  ])('says what is sold %s now, and what it comes to', (_, over, product, sentence) => {
    const plums = item('Plums', over);
    const again = { ...plums, product: { ...plums.product, ...product } };
    expect(addReordered(EMPTY_CART, [again]).sentences).toEqual([sentence]);
  });

  it('doubles nothing when the button is pressed twice', () => {
    const once = addReordered(EMPTY_CART, [item('Plums')]);
    const twice = addReordered(once.cart, [item('Plums')]);
    expect(twice.cart).toEqual(once.cart);
    expect(twice.sentences).toEqual(['Plums was in your cart already: it holds 4 lb.']);
  });

  it.each([
    [1, 4],
    [4, 4],
    [6, 6],
  ])('keeps the larger quantity of a line that has %i', (inCart, kept) => {
    const { cart } = addReordered(cartWith({ Plums: inCart, Kale: 1 }), [item('Plums')]);
    expect(linesOf(cart).map(([name, quantity]) => [name, quantity])).toEqual([
      ['Plums', kept],
      ['Kale', 1],
    ]);
  });

  it('leaves the cart alone when all is gone', () => {
    const items = [gone('Plums'), gone('Figs')];
    expect(isAllGone(items)).toBe(true);
    expect(isAllGone([gone('Plums'), item('Figs')])).toBe(false);
    const before = cartWith({ Kale: 1 });
    expect(addReordered(before, items)).toMatchObject({ cart: before, count: 0 });
  });

  it('says what found no room in a full cart', () => {
    const lines = Object.fromEntries(Array.from({ length: LINES_MAX }, (_, n) => [`Herb ${n}`, 1]));
    const { cart, sentences } = addReordered(cartWith(lines), [item('Plums'), item('Herb 1')]);
    expect(cart.lines).toHaveLength(LINES_MAX);
    expect(sentences[0]).toBe("There's no room for Plums: a cart holds at most 100 products.");
  });
});

it('asks only where the cart holds goods of another farm', () => {
  expect(isOtherFarm(EMPTY_CART, [item('Plums')])).toBe(false);
  expect(isOtherFarm(cartWith({ Kale: 1 }), [item('Plums')])).toBe(false);
  expect(isOtherFarm(cartWith({ Kale: 1 }, 'other'), [item('Plums')])).toBe(true);
});
