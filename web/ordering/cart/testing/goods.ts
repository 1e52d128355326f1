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
