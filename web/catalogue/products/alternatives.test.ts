import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { alternativeFilters, alternativesTo, distanceRank, kindOf } from './Alternatives.tsx';

const at = (city: string, state: string, zipCode: string) => ({ street: '', city, state, zipCode });
const putney = at('Putney', 'VT', '05346');

function product(name: string, { farm = 'a', address = putney, left = 5 } = {}): Product {
  const farmer = { _id: farm, name: farm, farmName: farm, address };
  return { _id: name, name, category: null, farmer, quantityAvailable: left } as unknown as Product;
}

it.each([
  ['Tomatoes', 'Tomatoes'],
  ['Heirloom Tomatoes', 'Tomatoes'],
  ['Heirloom Tomatoes (red)', 'Tomatoes'],
  ['Beans, green', 'Beans'],
  ['Café au lait Dahlias – a bunch', 'Dahlias'],
  ["Farmer's Cheese", 'Cheese'],
  ['Brown Eggs 12', 'Eggs'],
  ['Яблоки', 'Яблоки'],
  ['12', ''],
  ['', ''],
])('searches for the kind of %s', (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});

it('looks among what is in stock, of the kind and of the category', () => {
  const category = { _id: 'c', name: 'Fruit' };
  expect(alternativeFilters({ name: 'Red Plums', category })).toEqual({
    kind: { search: 'Plums', inStock: 'true' },
    category: { category: 'c', inStock: 'true' },
  });
  expect(alternativeFilters({ name: '12', category: null })).toEqual({
    kind: null,
    category: null,
  });
});

it.each([
  ['the same farm', 'a', at('Keene', 'NH', '03431'), 0],
  ['the same zip code', 'b', at('Elsewhere', 'VT', ' 05346'), 1],
  ['the same town', 'b', at(' putney', 'vt', '05999'), 2],
  ['the same area of the post', 'b', at('Dummerston', 'VT', '05301'), 3],
  ['the same state', 'b', at('Barre', 'VT', '05641'), 4],
  ['a town of the same name elsewhere', 'b', at('Putney', 'GA', '31705'), 5],
  ['no address', 'b', at('', '', ''), 5],
])('ranks %s', (_, farm, address, rank) => {
  expect(distanceRank(product('x'), product('y', { farm, address }))).toBe(rank);
});

it('offers the kind before the category, the nearest first, each once and none that is sold out', () => {
  const gone = product('Red Plums', { left: 0 });
  const far = product('Far Plums', { farm: 'b', address: at('Barre', 'VT', '05641') });
  const near = product('Near Plums', { farm: 'c' });
  const pears = product('Pears');
  const soldOut = product('Blue Plums', { left: 0 });
  const names = (ofKind: Product[], ofCategory: Product[]) =>
    alternativesTo(gone, ofKind, ofCategory).map(({ name }) => name);
  expect(names([gone, far, near, soldOut], [pears, near])).toEqual([
    'Near Plums',
    'Far Plums',
    'Pears',
  ]);
  expect(names([], [])).toEqual([]);
  const many = Array.from({ length: 1_000 }, (_, index) => product(`Plum ${index}`));
  expect(names(many, [pears])).toEqual(['Plum 0', 'Plum 1', 'Plum 2', 'Plum 3']);
});
