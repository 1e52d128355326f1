import { describe, expect, it } from 'vitest';
import { newsSentence, type Offer, reconcile } from './reconcile.ts';
import { type Cart, EMPTY_CART } from './rules.ts';

const cart: Cart = {
  farmerId: 'farm',
  farmerName: 'Green Valley Farm',
  lines: ['Plums', 'Pears', 'Figs'].map((name) => ({
    productId: name,
    name,
    image: null,
    price: 2.5,
    quantity: 4,
  })),
};
const same: Offer = { price: 2.5, quantityAvailable: 10 };
const against = (offers: Record<string, Offer>) => {
  const { news, mended } = reconcile(
    cart,
    new Map(Object.entries({ Plums: same, Pears: same, Figs: same, ...offers })),
  );
  return { words: news.map(newsSentence), lines: mended.lines, mended };
};

describe('a cart held against the market', () => {
  it('is as it was where nothing has changed, or nothing is known yet', () => {
    expect(against({})).toMatchObject({ words: [], mended: cart });
    expect(reconcile(cart, new Map())).toEqual({ news: [], mended: cart });
  });

  it('takes the new price', () => {
    const { words, lines } = against({ Plums: { price: 3, quantityAvailable: 10 } });
    expect(words).toEqual(['Plums costs ₨3.00 now instead of ₨2.50.']);
    expect(lines.map((line) => line.price)).toEqual([3, 2.5, 2.5]);
  });

  it('takes no more than there is', () => {
    const { words, lines } = against({ Pears: { price: 2.5, quantityAvailable: 3 } });
    expect(words).toEqual(['Only 3 of Pears left; your cart has 4.']);
    expect(lines.map((line) => line.quantity)).toEqual([4, 3, 4]);
  });

  it('tells both of one product', () => {
    const { words, lines } = against({ Figs: { price: 2, quantityAvailable: 1 } });
    expect(words).toEqual([
      'Figs costs ₨2.00 now instead of ₨2.50. Only 1 of Figs left; your cart has 4.',
    ]);
    expect(lines[2]).toMatchObject({ price: 2, quantity: 1 });
  });

  it('takes out what is sold out, and what is gone', () => {
    const { words, lines } = against({
      Plums: { price: 9, quantityAvailable: 0 },
      Pears: null,
    });
    expect(words).toEqual(['Plums is sold out.', 'Pears is no longer on sale.']);
    expect(lines.map((line) => line.name)).toEqual(['Figs']);
  });

  it('is empty when nothing of it can be had', () => {
    expect(against({ Plums: null, Pears: null, Figs: null }).mended).toEqual(EMPTY_CART);
  });
});
