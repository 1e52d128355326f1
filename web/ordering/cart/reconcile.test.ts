import { describe, expect, it } from 'vitest';
import { noticeSentence } from './notice-words.ts';
import { type Offer, reconcile } from './reconcile.ts';
import { refusedOffers } from './refused-offers.ts';
import { type Cart, type CartLine, EMPTY_CART } from './rules.ts';

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
  return { sentences: news.map(noticeSentence), lines: updated.lines, updated };
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

  it('says by what a line is priced now, and what it comes to', () => {
    const by = (basis: Pick<CartLine, 'unit' | 'pieceWeight'>, offer: Partial<Offer>) => {
      const lines = cart.lines.slice(0, 1).map((line) => ({ ...line, ...basis }));
      const offers = new Map([['Plums', { ...same, ...offer } as Offer]]);
      const { news, updated } = reconcile({ ...cart, lines }, offers);
      return { sentences: news.map(noticeSentence), line: updated.lines[0] };
    };
    expect(by({ unit: 'lb' }, { unit: 'kg' })).toMatchObject({
      sentences: [
        'Plums costs ₨2.50 per kg now instead of ₨2.50 per lb. Your cart has 2 kg of it now instead of 4 lb. That makes ₨5.00 instead of ₨10.00.',
      ],
      line: { unit: 'kg', price: 2.5, quantity: 2 },
    });
    const piece = { pieceWeight: { average: 1.5 } };
    expect(by({ unit: 'kg' }, { unit: 'kg', ...piece })).toMatchObject({
      sentences: [
        'Plums is sold by the piece now, about 1.5 kg each. Your cart has 3 pieces of it now instead of 4 kg. That makes ≈ ₨11.25 instead of ₨10.00.',
      ],
      line: piece,
    });
    expect(by({ unit: 'kg', ...piece }, { unit: 'kg', pieceWeight: { average: 2 } })).toMatchObject(
      {
        sentences: [
          'A piece of Plums weighs about 2 kg now. That makes ≈ ₨20.00 instead of ≈ ₨15.00.',
        ],
      },
    );
    expect(by({ unit: 'kg', ...piece }, { unit: 'lb', price: 3 })).toMatchObject({
      sentences: [
        'Plums is no longer sold by the piece. Plums costs ₨3.00 per lb now instead of ₨2.50 per kg. Only 10 lb of Plums left; your cart has 4 pieces. That makes ₨30.00 instead of ≈ ₨15.00.',
      ],
      line: { unit: 'lb', price: 3 },
    });
    // Exactly as much, and less than there is of it.
    expect(by({ unit: 'g' }, { unit: 'kg', step: 0.001 })).toMatchObject({
      sentences: [
        'Plums costs ₨2.50 per kg now instead of ₨2.50 per g. Your cart has 0.004 kg of it now instead of 4 g. That makes ₨0.01 instead of ₨10.00.',
      ],
      line: { unit: 'kg', quantity: 0.004 },
    });
    expect(by({ unit: 'kg' }, { unit: 'g', quantityAvailable: 900 })).toMatchObject({
      sentences: [
        'Plums costs ₨2.50 per g now instead of ₨2.50 per kg. Only 900 g of Plums left; your cart has 4 kg. That makes ₨2,250.00 instead of ₨10.00.',
      ],
      line: { unit: 'g', quantity: 900 },
    });
    // Bunches say nothing of kilograms: the smallest order is offered.
    expect(by({ unit: 'bunch' }, { unit: 'kg', minimum: 2 })).toMatchObject({
      sentences: [
        'Plums costs ₨2.50 per kg now instead of ₨2.50 per bunch. Your cart has 2 kg of it now instead of 4 bunches. That makes ₨5.00 instead of ₨10.00.',
      ],
      line: { unit: 'kg', quantity: 2 },
    });
    // Stored before the unit was kept.
    expect(by({}, { unit: 'kg' }).sentences).toEqual([]);
  });

  it('removes products that are sold out or gone', () => {
    const { sentences, lines } = against({
      Plums: { price: 9, quantityAvailable: 0 },
      Pears: null,
    });
    expect(sentences).toEqual(['Plums is sold out.', 'Pears is no longer on sale.']);
    expect(lines.map((line) => line.name)).toEqual(['Figs']);
  });

  it('offers the nearest quantity when a product is sold in other steps', () => {
    const { sentences, lines } = against({
      Plums: { ...same, unit: 'kg', step: 0.3 },
      Pears: { ...same, price: 3, unit: 'kg', minimum: 5 },
      Figs: { ...same, step: 0.5 },
    });
    expect(sentences).toEqual([
      'You can order Plums in steps of 0.3 kg: 3.9 kg instead of 4 kg.',
      'Pears costs ₨3.00 now instead of ₨2.50. You can order Pears in steps of 1 kg, from 5 kg: 5 kg instead of 4 kg.',
    ]);
    expect(lines).toMatchObject([
      { quantity: 3.9, step: 0.3 },
      { quantity: 5, minimum: 5, price: 3 },
      { quantity: 4 },
    ]);
  });

  it('says that too little is left in the steps in which it can be ordered', () => {
    const { sentences, lines } = against({
      Plums: { ...same, quantityAvailable: 1.3, unit: 'kg', step: 0.5 },
      Pears: { ...same, quantityAvailable: 0.9, unit: 'kg' },
      Figs: { ...same, quantityAvailable: 4.5, minimum: 5 },
    });
    expect(sentences).toEqual([
      'Only 1 kg of Plums left; your cart has 4 kg.',
      'Pears is sold out.',
      'Figs is sold out.',
    ]);
    expect(lines).toMatchObject([{ name: 'Plums', quantity: 1, step: 0.5 }]);
  });

  it('drops the steps of a line that is sold in whole units again', () => {
    const lines = cart.lines.map((line) => ({ ...line, quantity: 1.5, step: 0.5 }));
    const { news, updated } = reconcile({ ...cart, lines }, new Map([['Plums', same]]));
    expect(news.map(noticeSentence)).toEqual([
      'You can order Plums in whole numbers: 1 instead of 1.5.',
    ]);
    expect(updated.lines[0]).toEqual({ ...cart.lines[0], quantity: 1 });
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
    expect(news.map(noticeSentence)).toEqual([
      'Plums costs ₨3.00 now instead of ₨2.50. Only 1 of Plums left; your cart has 4.',
      'Pears is no longer on sale.',
      'Figs is no longer on sale.',
    ]);
    expect(updated.lines).toMatchObject([{ name: 'Plums', price: 3, quantity: 1 }]);
  });

  it('contains by what a product is priced by now', () => {
    const offersOfRefusal = refused(
      { line: 0, code: 'PRICE_CHANGED', price: 3, unit: 'kg', pieceWeight: { average: 2 } },
      { line: 1, code: 'PRICE_CHANGED', price: 3, unit: 'kg', pieceWeight: null },
    );
    expect([...offersOfRefusal.values()].map(({ offer }) => offer)).toEqual([
      { price: 3, quantityAvailable: 10, unit: 'kg', pieceWeight: { average: 2 } },
      { price: 3, quantityAvailable: 10, unit: 'kg' },
    ]);
  });

  it('contains the steps in which a product is sold by now', () => {
    const offersOfRefusal = refused({
      line: 0,
      code: 'QUANTITY_NOT_OFFERED',
      step: 0.3,
      minimum: 0.6,
    });
    expect([...offersOfRefusal]).toEqual([
      ['Plums', { offer: { ...same, step: 0.3, minimum: 0.6 }, version: 3 }],
    ]);
    const { updated } = reconcile(
      cart,
      new Map([...offersOfRefusal].map(([id, { offer }]) => [id, offer])),
    );
    expect(updated.lines[0]).toMatchObject({ quantity: 3.9, step: 0.3, minimum: 0.6 });
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
