import { expect, it } from 'vitest';
import type { PickTotal } from '#contract/ordering/picklist/picklist';
import { describeOtherUnits, describePacking, formatDeltas } from './words.ts';

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

const size = (label: string, content: number) => ({ _id: label, label, content });

it('says how a total is packed, the rest loose', () => {
  const sizes = [
    { size: size('1 kg', 1), quantity: 4, pendingQuantity: 0 },
    { size: size('4 kg', 4), quantity: 2, pendingQuantity: 1 },
    { size: size('9 kg', 9), quantity: 0, pendingQuantity: 1 },
  ];
  expect(describePacking(total('kg', 12, { sizes }))).toBe('4 × 1 kg, 2 × 4 kg');
  expect(describePacking(total('kg', 13.5, { sizes }))).toBe('4 × 1 kg, 2 × 4 kg, 1.5 kg loose');
  const eggs = { ...total('each', 0).product, unitLabel: { one: 'egg', other: 'eggs' } };
  expect(
    describePacking(
      total('each', 19, {
        product: eggs,
        sizes: [{ size: size('box of 6', 6), quantity: 3, pendingQuantity: 0 }],
      }),
    ),
  ).toBe('3 × box of 6, 1 egg loose');
  expect(describePacking(total('kg', 12))).toBe('');
});

it('sums up what changed in the unit of the harvest', () => {
  const changes = [
    { delta: 2, size: size('5 kg', 5) },
    { delta: -3, size: size('0.5 kg', 0.5) },
    { delta: 1 },
  ];
  expect(formatDeltas(changes)).toBe('+11 / −1.5');
});
