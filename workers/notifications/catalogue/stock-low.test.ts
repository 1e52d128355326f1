import { expect, test } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { wordsOf } from '#contract/people/notifications/constants/words';
import { stockLow } from './products.ts';

const product = (quantityAvailable: number, over: Partial<Product> = {}) =>
  ({
    _id: 'carrots',
    name: 'Carrots',
    unit: 'kg',
    quantityAvailable,
    isActive: true,
    farmer: { _id: 'farm' },
    version: 3,
    ...over,
  }) as Product;

const size = (label: string, content: number, isActive = true) => ({
  ...{ _id: label, label, content },
  ...{ price: 3, isActive },
});

type Event = Parameters<NonNullable<(typeof stockLow.reactions)['product.updated']>>[0];
const bodyOf = (data: Product) => {
  const [effect] = stockLow.reactions['product.updated']?.({ data } as Event) ?? [];
  return effect?.do === 'notify' ? wordsOf(effect).body : effect?.do;
};

test.each([
  [10, {}, 'clearFlag'],
  [9.999, { step: 0.001 }, 'Only 9.999 kg left.'],
  [1.5, { step: 0.25 }, 'Only 1.5 kg left.'],
  [1, {}, 'Only 1 kg left.'],
  [0.4, { step: 0.1, minimum: 0.5 }, 'Only 0.4 kg left, less than the smallest order of 0.5 kg.'],
  [0.5, { step: 0.1, minimum: 0.5 }, 'Only 0.5 kg left.'],
  // What a cancelled order of halves leaves, since the product is sold in whole units again.
  [0.5, {}, 'Only 0.5 kg left, less than the smallest order of 1 kg.'],
  [0, { step: 0.25 }, "There's none left. Restock it so customers can order again."],
  [9, { availability: 'always' }, 'clearFlag'],
  // Of sizes it counts how many of the smallest order are left.
  [5, { sizes: [size('Sack', 5), size('Bag', 0.5)] }, 'clearFlag'],
  [4.9, { sizes: [size('Sack', 5), size('Bag', 0.5)] }, 'Only 4.9 kg left: 9 × Bag.'],
  [12, { sizes: [size('Sack', 5), size('Bag', 0.5, false)] }, 'Only 12 kg left: 2 × Sack.'],
  [4, { sizes: [size('Sack', 5)] }, 'Only 4 kg left, less than the smallest order of 5 kg.'],
  [2, { unit: 'each', unitLabel: { one: 'jar', other: 'jars' } }, 'Only 2 jars left.'],
] as [number, Partial<Product>, string][])(
  'of a stock of %d in %o the farmer reads: %s',
  (stock, steps, body) => {
    expect(bodyOf(product(stock, steps))).toBe(body);
  },
);
