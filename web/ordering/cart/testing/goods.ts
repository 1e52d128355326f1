import type { ProductSize } from '#contract/catalogue/products/product';
import type { Goods } from '../rules.ts';

/** Returns the id of a fixture. */
export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Returns goods of one farm, of which there are ten. */
export const someGoods = (number: number, over: Partial<Goods> = {}): Goods => ({
  _id: id(number),
  name: 'Plums',
  price: 2.5,
  unit: 'lb',
  images: [],
  quantityAvailable: 10,
  farmer: { _id: id(900), name: 'Fern', farmName: 'Green Valley' },
  ...over,
});

/** Returns a size of so many units, at that price. */
export const aSize = (
  content: number,
  price: number,
  over: Partial<ProductSize> = {},
): ProductSize => ({
  _id: id(700 + content),
  label: `${content} kg`,
  content,
  price,
  isActive: true,
  ...over,
});

/** Returns potatoes of 1, 2 and 5 kg, of which there are 10 kg. */
export const potatoes = (over: Partial<Goods> = {}): Goods =>
  someGoods(1, {
    name: 'Potatoes',
    unit: 'kg',
    price: 1.2,
    sizes: [aSize(1, 1.2), aSize(2, 2.2), aSize(5, 5)],
    ...over,
  });
