import { describe, expect, it } from 'vitest';
import { newsSentence, type Offer, reconcile, refusedOffers } from './reconcile.ts';
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
  const { news, updated } = reconcile(
    cart,
    new Map(Object.entries({ Plums: same, Pears: same, Figs: same, ...offers })),
  );
  return { sentences: news.map(newsSentence), lines: updated.lines, updated };
};

describe('reconcile', () => {
  it('keeps the cart if nothing changed or no offer is known', () => {
    expect(against({})).toMatchObject({ sentences: [], updated: cart });
    expect(reconcile(cart, new Map())).toEqual({ news: [], updated: cart });
  });

  it('takes the new price', () => {
    const { sentences, lines } = against({ Plums: { price: 3, quantityAvailable: 10 } });
    expect(sentences).toEqual(['Plums costs ₨3.00 now instead of ₨2.50.']);
    expect(lines.map((line) => line.price)).toEqual([3, 2.5, 2.5]);
  });

  it('reduces the quantity to the stock', () => {
    const { sentences, lines } = against({ Pears: { price: 2.5, quantityAvailable: 3 } });
    expect(sentences).toEqual(['Only 3 of Pears left; your cart has 4.']);
    expect(lines.map((line) => line.quantity)).toEqual([4, 3, 4]);
    const short = against({ Pears: { price: 2.5, quantityAvailable: 1, unit: 'quart' } });
    expect(short.sentences).toEqual(['Only 1 quart of Pears left; your cart has 4 quarts.']);
  });

  it('reports both price and stock of one product', () => {
    const { sentences, lines } = against({ Figs: { price: 2, quantityAvailable: 1 } });
    expect(sentences).toEqual([
      'Figs costs ₨2.00 now instead of ₨2.50. Only 1 of Figs left; your cart has 4.',
    ]);
    expect(lines[2]).toMatchObject({ price: 2, quantity: 1 });
  });

  it('removes products that are sold out or gone', () => {
    const { sentences, lines } = against({
      Plums: { price: 9, quantityAvailable: 0 },
      Pears: null,
    });
    expect(sentences).toEqual(['Plums is sold out.', 'Pears is no longer on sale.']);
    expect(lines.map((line) => line.name)).toEqual(['Figs']);
  });

  it('empties the cart when no product is available', () => {
    expect(against({ Plums: null, Pears: null, Figs: null }).updated).toEqual(EMPTY_CART);
  });
});

describe('refusedOffers', () => {
  const known = () => ({ offer: same, version: 3 });
  const refused = (...problems: Parameters<typeof refusedOffers>[1]) =>
    refusedOffers(cart.lines, problems, known);

  it('contains every problem of every line', () => {
    const offersOfRefusal = refused(
      { line: 0, code: 'PRICE_CHANGED', price: 3 },
      { line: 0, code: 'OUT_OF_STOCK', left: 1 },
      { line: 1, code: 'PRODUCT_UNAVAILABLE' },
      { line: 2, code: 'OTHER_FARM' },
    );
    const offers = new Map([...offersOfRefusal].map(([id, { offer }]) => [id, offer]));
    const { news, updated } = reconcile(cart, offers);
    expect(news.map(newsSentence)).toEqual([
      'Plums costs ₨3.00 now instead of ₨2.50. Only 1 of Plums left; your cart has 4.',
      'Pears is no longer on sale.',
      'Figs is no longer on sale.',
    ]);
    expect(updated.lines).toMatchObject([{ name: 'Plums', price: 3, quantity: 1 }]);
  });

  it('ignores lines without a problem and unknown lines', () => {
    const offersOfRefusal = refused(
      { line: 1, code: 'OUT_OF_STOCK', left: 0 },
      { line: 9, code: 'OUT_OF_STOCK', left: 0 },
    );
    expect([...offersOfRefusal]).toEqual([
      ['Pears', { offer: { price: 2.5, quantityAvailable: 0 }, version: 3 }],
    ]);
  });
});
