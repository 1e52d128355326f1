import { describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { bulkChangeOf, priceAfter } from './bulk.ts';

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
    expect(bulkChangeOf(kale, { kind: 'stock', to: 5 })).toEqual({
      product: id,
      quantityAvailable: 5,
      seen: 12,
    });
    expect(bulkChangeOf(kale, { kind: 'soldOut' })).toEqual({ product: id, quantityAvailable: 0 });
    expect(bulkChangeOf(kale, { kind: 'hide' })).toEqual({ product: id, isActive: false });
  });
});
