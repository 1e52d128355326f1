import { describe, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { aSize } from '../cart/testing/goods.ts';
import {
  addedItem,
  itemKey,
  itemsOfOrder,
  mostOfItem,
  soldAsItem,
  toChangedItems,
  totalOfItems,
  withMore,
} from './items.ts';
import { describeProposed, type Goods } from './rules.ts';

// An order of a product in several sizes, which its customer changes.

const DAY = '2026-12-05';
const [one, two, five] = [aSize(1, 1.2), aSize(2, 2.2), aSize(5, 5)];
const sizeOf = ({ _id, label, content }: typeof one) => ({ _id, label, content });
const [first, second, plain] = [aLine(1), aLine(2), aLine(3)];
const potatoes: Goods = {
  _id: first.product._id ?? '',
  name: 'Potatoes',
  unit: 'kg',
  price: 1.2,
  quantityAvailable: 6,
  images: [],
  category: null,
  sizes: [one, two, five],
};
const product = { ...first.product, name: 'Potatoes', unit: 'kg' as const };
/** Two pieces of 1 kg, one of 5 kg, and something else. */
const order: Order = anOrderOf([
  {
    ...first,
    product,
    size: sizeOf(one),
    quantity: 2,
    orderedQuantity: 2,
    price: 1.2,
    total: 2.4,
    estimate: 2.4,
  },
  {
    ...second,
    product,
    size: sizeOf(five),
    quantity: 1,
    orderedQuantity: 1,
    price: 5,
    total: 5,
    estimate: 5,
  },
  plain,
]);
const goods = new Map([[potatoes._id, potatoes]]);
const items = itemsOfOrder(order);
const [ofOne, ofFive] = items as [(typeof items)[0], (typeof items)[0]];
const most = (item: typeof ofOne, list = items, now = potatoes) => mostOfItem(item, list, now, DAY);

describe('an order of sizes', () => {
  it('has an item for each', () => {
    expect(items.map(({ size, quantity }) => [size?.label, quantity])).toEqual([
      ['1 kg', 2],
      ['5 kg', 1],
      [undefined, plain.quantity],
    ]);
    expect(new Set(items.map(itemKey)).size).toBe(3);
  });

  it('gives each size what the others leave of the stock and of what the order has', () => {
    // 6 kg are left, and the order has 7.
    expect([most(ofOne), most(ofFive)]).toEqual([8, 2]);
    const more = items.map((item) => (item === ofFive ? { ...item, quantity: 2 } : item));
    expect(most(ofOne, more)).toBe(3);
    expect(most(ofOne, items, { ...potatoes, quantityAvailable: 1_000_000, maxPerOrder: 9 })).toBe(
      4,
    );
  });

  it('gets no more of a size that is off, holds other content, or of no size any more', () => {
    const off = { ...potatoes, sizes: [{ ...one, isActive: false }, five] };
    expect(soldAsItem(ofOne, off)).toBeUndefined();
    expect(most(ofOne, items, off)).toBe(2);
    expect(most(ofOne, items, { ...potatoes, sizes: [{ ...one, content: 0.9 }] })).toBe(2);
    expect(most(ofOne, items, { ...potatoes, sizes: undefined })).toBe(2);
    const before = { ...ofOne, size: undefined };
    expect(soldAsItem(before, potatoes)).toBeUndefined();
  });

  it('is sent by size, with what was seen of what is more', () => {
    const wanted = [
      { ...ofOne, quantity: 3 },
      ofFive,
      addedItem({ ...potatoes, size: sizeOf(two) }, 1),
    ];
    expect(toChangedItems(wanted, goods)).toEqual([
      {
        product: potatoes._id,
        size: one._id,
        quantity: 3,
        price: 1.2,
        priceBasis: { unit: 'kg', content: 1 },
      },
      { product: potatoes._id, size: five._id, quantity: 1 },
      {
        product: potatoes._id,
        size: two._id,
        quantity: 1,
        price: 2.2,
        priceBasis: { unit: 'kg', content: 2 },
      },
    ]);
    expect(totalOfItems(order, wanted, goods)).toEqual({ totalAmount: 10.8, isTotalFinal: true });
  });

  it('gets more of the same size from a cart, and another one as a line of its own', () => {
    const more = withMore(
      items,
      [
        { productId: potatoes._id, size: sizeOf(five), quantity: 1 },
        { productId: potatoes._id, size: sizeOf(two), quantity: 3 },
      ],
      goods,
    );
    expect(more.map(({ size, quantity }) => [size?.label, quantity])).toEqual([
      ['1 kg', 2],
      ['5 kg', 2],
      [undefined, plain.quantity],
      ['2 kg', 3],
    ]);
  });
});

it('names the sizes of a proposal', () => {
  const item = {
    ...{ lineId: first._id, product, size: sizeOf(five), quantity: 3, price: 5 },
    ...{ totalBefore: 15, totalAfter: 10 },
  };
  expect(describeProposed({ ...item, action: 'reduce', newQuantity: 2 }, undefined)).toBe(
    '2 of Potatoes (5 kg)',
  );
  expect(describeProposed({ ...item, action: 'remove' }, undefined)).toBe('No Potatoes (5 kg)');
  const substitute = { ...product, _id: 'x', price: 2.2, quantity: 4, size: sizeOf(two) };
  expect(describeProposed({ ...item, action: 'substitute', substitute }, undefined)).toBe(
    '4 × Potatoes (2 kg)',
  );
});
