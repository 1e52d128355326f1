import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { CreateProduct } from '#contract/catalogue/products/product-fields';
import {
  changesOf,
  copyOf,
  emptyProduct,
  type ProductInput,
  productInput,
  toInput,
} from './product-form.ts';

const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const plain = {
  ...emptyProduct(),
  name: 'Carrots',
  description: 'Sweet',
  category: VEGETABLES,
  unit: 'kg',
  price: 2.5,
  quantityAvailable: 100,
} as ProductInput;
const nothingBefore = {
  quantityAvailable: undefined,
  step: undefined,
  soldBy: undefined,
  sizes: undefined,
};
const problemsOf = (input: object) =>
  productInput(nothingBefore)
    .safeParse(input)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

const pick = <Value>(random: () => number, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
/** Numbers that are the same in each run. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** A product as the server presents one of what was entered. */
const presented = ({ category, sizes, pieceWeight, ...input }: CreateProduct): Product => {
  const saidOf = (values: object) =>
    Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== null && value !== ''),
    );
  const given = { ...saidOf(input), ...(pieceWeight && { pieceWeight: saidOf(pieceWeight) }) };
  return {
    images: [],
    harvestDate: null,
    availableUntil: null,
    ...given,
    category: { _id: category, name: 'Vegetables' },
    ...(sizes && {
      price: Math.min(...sizes.filter(({ isActive }) => isActive).map(({ price }) => price)),
      sizes: sizes.map(({ sku, minimum, ...size }, at) => ({
        ...size,
        _id: size._id ?? `00000000-0000-4000-8000-0000000009${at + 10}`,
        ...(sku && { sku }),
        ...(minimum && { minimum }),
      })),
    }),
    ...(input.availability === 'always' && { quantityAvailable: 1_000_000 }),
  } as unknown as Product;
};

it('is read into the form and sent back unchanged, whatever the product has', () => {
  const random = randomOf(7);
  for (let round = 0; round < 500; round++) {
    const isByPiece = random() < 0.2;
    const isSized = !isByPiece && random() < 0.5;
    const unit = isByPiece ? 'kg' : pick(random, ['kg', 'each', 'l', 'bunch'] as const);
    const isAlways = random() < 0.3;
    const step = isSized || isByPiece ? null : pick(random, [null, 0.5]);
    const isCounted = unit === 'each' || unit === 'bunch';
    const product = presented(
      CreateProduct.parse({
        ...plain,
        unit,
        soldBy: isByPiece ? 'piece_by_weight' : 'unit',
        pieceWeight: isByPiece ? { average: 1.5, ...(random() < 0.5 && { max: 2 }) } : null,
        price: isSized ? undefined : 2.5,
        step,
        sizes: isSized
          ? Array.from({ length: 1 + Math.floor(random() * 20) }, (_, at) => ({
              label: `Size ${at}`,
              content: (at + 1) / 8,
              price: at + 1,
              sku: random() < 0.5 ? `S-${at}` : undefined,
              isActive: at === 0 || random() < 0.5,
              minimum: random() < 0.5 ? 2 : null,
            }))
          : null,
        availability: isAlways ? 'always' : 'counted',
        quantityAvailable: isAlways ? undefined : isSized ? 1.125 : 12,
        maxPerOrder: isAlways && random() < 0.5 ? 4 : null,
        unitLabel: unit === 'each' && random() < 0.5 ? { one: 'jar', other: 'jars' } : null,
        net: isCounted && random() < 0.5 ? { amount: 250, unit: 'ml' } : null,
        sku: random() < 0.5 ? 'P' : null,
        allergens: pick(random, ['unknown', 'none', ['milk', 'nuts']]),
        ingredients: pick(random, ['', 'Milk']),
        storage: pick(random, ['', 'Cool']),
        origin: pick(random, ['', 'Punjab']),
      }),
    );
    const input = toInput(product);
    const again = productInput({ ...nothingBefore, ...input }).parse(input);
    expect(changesOf(again, input)).toEqual({});
    expect(presented(CreateProduct.parse(again))).toEqual(product);
    // A copy can be added beside it.
    const copy = CreateProduct.parse(productInput(nothingBefore).parse(copyOf(product)));
    expect([copy.sku, ...(copy.sizes ?? []).map(({ _id, sku }) => _id ?? sku)].join('')).toBe('');
  }
});

it('says everything that is missing at once', () => {
  expect(problemsOf(emptyProduct())).toEqual(
    expect.arrayContaining([
      'name: Product name is required',
      'price: Valid price is required',
      'quantityAvailable: Valid quantity is required',
    ]),
  );
});
