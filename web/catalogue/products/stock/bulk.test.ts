import { describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { bulkChangesOf, bulkProblem, priceAfter } from './bulk.ts';

const id = '22222222-0000-4000-8000-000000000001';
const kale = { _id: id, name: 'Kale', price: 2, unit: 'bunch', quantityAvailable: 12 } as Product;

describe('several products at once', () => {
  it.each([
    [2, { kind: 'percent', value: 10 }, 2.2],
    [0.99, { kind: 'percent', value: -10 }, 0.89],
    [4.35, { kind: 'amount', value: 0.2 }, 4.55],
    [1, { kind: 'amount', value: -3 }, 0.01],
    [1, { kind: 'percent', value: -100 }, 0.01],
    [19_999_999, { kind: 'percent', value: 50 }, 20_000_000],
    [7, { kind: 'set', value: 3.5 }, 3.5],
  ] as const)('make a price of %s with %o one of %s', (price, change, after) => {
    expect(priceAfter(price, change)).toBe(after);
  });

  it('say what their stock replaces, unless they are sold out', () => {
    expect(bulkChangesOf(kale, { kind: 'stock', to: 5 })).toEqual([
      { product: id, quantityAvailable: 5, seen: 12 },
    ]);
    expect(bulkChangesOf(kale, { kind: 'soldOut' })).toEqual([
      { product: id, quantityAvailable: 0 },
    ]);
    expect(bulkChangesOf(kale, { kind: 'hide' })).toEqual([{ product: id, isActive: false }]);
  });

  it('change the price of each of their sizes, never to one price', () => {
    const sizes = [
      { _id: 'a', label: '1 kg', content: 1, price: 3, isActive: true },
      { _id: 'b', label: '5 kg', content: 5, price: 12, isActive: false },
    ];
    const dearer = { kind: 'price', by: { kind: 'percent', value: 10 } } as const;
    expect(bulkChangesOf({ ...kale, sizes }, dearer)).toEqual([
      { product: id, size: 'a', price: 3.3 },
      { product: id, size: 'b', price: 13.2 },
    ]);
    expect(bulkProblem({ ...kale, sizes }, dearer)).toBeUndefined();
    const toOne = { kind: 'price', by: { kind: 'set', value: 4 } } as const;
    expect(bulkProblem({ ...kale, sizes }, toOne)).toBe(
      'Kale has a price for each of its sizes. Set them in its row.',
    );
    expect(bulkProblem(kale, toOne)).toBeUndefined();
  });

  it('have no stock to set where they are always available', () => {
    const always = { ...kale, availability: 'always' } as const;
    for (const change of [{ kind: 'soldOut' }, { kind: 'stock', to: 3 }] as const) {
      expect(bulkProblem(always, change)).toBe(
        'Kale is always available. To give it a stock, edit the product.',
      );
    }
    expect(bulkProblem(always, { kind: 'hide' })).toBeUndefined();
  });
});
