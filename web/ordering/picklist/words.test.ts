import { expect, it } from 'vitest';
import type { PickTotal } from '#contract/ordering/picklist/picklist';
import { describeOtherUnits } from './words.ts';

const total = (
  unit: PickTotal['product']['unit'],
  quantity: number,
  over: Partial<PickTotal> = {},
): PickTotal => ({
  product: { _id: 'carrots', name: 'Carrots', unit, image: null },
  quantity,
  pendingQuantity: 0,
  ticked: 0,
  tickVersion: 0,
  tickedBy: null,
  sincePrint: null,
  isByPiece: false,
  ...over,
});

it('says what of a product is needed in another unit of weight, in its own unit too', () => {
  const [pounds, kilos, ounces] = [total('lb', 3), total('kg', 2), total('oz', 8)];
  const all = [pounds, kilos, ounces];
  expect(describeOtherUnits(pounds, all)).toBe('Also 2 kg (≈ 4.41 lb), 8 oz (≈ 0.5 lb)');
  expect(describeOtherUnits(kilos, all)).toBe('Also 3 lb (≈ 1.36 kg), 8 oz (≈ 0.23 kg)');
});

it.each<[string, PickTotal]>([
  ['another product', total('kg', 2, { product: { ...total('kg', 2).product, _id: 'beets' } })],
  ['pieces', total('kg', 2, { isByPiece: true })],
  ['what is no weight', total('bunch', 2)],
  ['nothing', total('kg', 0)],
])('says nothing of %s', (_, other) => {
  const pounds = total('lb', 3);
  expect(describeOtherUnits(pounds, [pounds, other])).toBe('');
  expect(describeOtherUnits(other, [pounds, other])).toBe(
    other.quantity === 0 ? 'Also 3 lb (≈ 1.36 kg)' : '',
  );
});

it('says nothing of deleted products, which only share a name', () => {
  const gone = { product: { ...total('lb', 3).product, _id: null } };
  const pounds = total('lb', 3, gone);
  const kilos = total('kg', 2, { product: { ...gone.product, unit: 'kg' } });
  expect(describeOtherUnits(pounds, [pounds, kilos])).toBe('');
});
