// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { CreateProduct } from '#contract/catalogue/products/product-fields';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { ApiError } from '../../../platform/api/api-error.ts';
import { ProductForm } from './ProductForm.tsx';
import {
  changesOf,
  copyOf,
  emptyProduct,
  type ProductInput,
  productInput,
  toInput,
} from './product-form.ts';

const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const SMALL = '00000000-0000-4000-8000-000000000801';
const LARGE = '00000000-0000-4000-8000-000000000802';
const categories = [{ _id: VEGETABLES, name: 'Vegetables', description: '', icon: '' }];
const plain = {
  ...emptyProduct(),
  name: 'Carrots',
  description: 'Sweet',
  category: VEGETABLES,
  unit: 'kg',
  price: 2.5,
  quantityAvailable: 100,
} as ProductInput;
const small = { _id: SMALL, label: '1 kg', content: 1, price: 3, sku: 'C-1', isActive: true };
const large = { _id: LARGE, label: '5 kg', content: 5, price: 12, sku: '', isActive: true };
const inSizes: ProductInput = {
  ...plain,
  price: undefined,
  sizes: [
    { ...small, minimum: null },
    { ...large, minimum: 2 },
  ],
};

afterEach(() => {
  cleanup();
  setMarket(DEFAULT_MARKET);
});

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

function open(product: ProductInput | undefined, refusal?: ApiError) {
  const sent: ProductInput[] = [];
  render(
    <ProductForm
      categories={categories}
      pictures={() => null}
      submitLabel="Save"
      draftKey="product:1"
      {...(product && { product, inStock: product.quantityAvailable as number })}
      onSubmit={async (input) => {
        if (refusal) throw refusal;
        sent.push(input);
      }}
    />,
  );
  return sent;
}
const field = (name: string, within_: HTMLElement = document.body) =>
  within(within_).getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
const rows = () => within(screen.getByRole('list', { name: 'Sizes' })).getAllByRole('group');
const row = (at: number) => rows()[at] as HTMLElement;
const enter = async (input: HTMLInputElement, text: string) => {
  await userEvent.clear(input);
  if (text) await userEvent.type(input, text);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const save = async () => {
  // The test's browser does not select what a form begins with.
  await userEvent.selectOptions(field('Category'), VEGETABLES);
  await press('Save');
};

describe('a product without sizes', () => {
  it('has its price, its steps and its smallest order, and no list of sizes', async () => {
    open(plain);
    for (const name of ['Price', 'Sold in steps of', 'Smallest order']) field(name);
    expect(screen.queryByRole('list', { name: 'Sizes' })).toBeNull();
    expect(field('Sold in sizes').checked).toBe(false);
  });

  it('keeps its price as that of the first size, and its steps for when it has none again', async () => {
    const sent = open({ ...plain, step: 0.5 });
    await userEvent.click(field('Sold in sizes'));
    expect(field('Price', row(0)).value).toBe('2.5');
    expect(field('Contains', row(0)).value).toBe('1');
    expect(field('Name of the size', row(0)).value).toBe('1 kg');
    expect(screen.queryByLabelText(/^Sold in steps of/)).toBeNull();
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ price: undefined, step: null, minimum: null });
    expect(sent[0]?.sizes).toMatchObject([{ label: '1 kg', content: 1, price: 2.5 }]);
    await userEvent.click(field('Sold in sizes'));
    expect([field('Price').value, field('Sold in steps of').value]).toEqual(['2.5', '0.5']);
    // What was entered is not lost by looking.
    await userEvent.click(field('Sold in sizes'));
    expect(field('Price', row(0)).value).toBe('2.5');
  });

  it('cannot have sizes while it is priced by weight', () => {
    open({ ...plain, soldBy: 'piece_by_weight', pieceWeight: { average: 1 } });
    expect(field('Sold in sizes').disabled).toBe(true);
    screen.getByText('What is sold by the piece and priced by weight has no sizes.');
  });
});

describe('sizes', () => {
  it('are added with a name for what is in them, and in the order of the farm', async () => {
    const sent = open(inSizes);
    await press('Add a size');
    await waitFor(() => expect(document.activeElement).toBe(field('Contains', row(2))));
    await userEvent.keyboard('2.5');
    await userEvent.tab();
    expect(field('Name of the size', row(2)).value).toBe('2.5 kg');
    await enter(field('Price', row(2)), '6');
    await enter(field('SKU', row(2)), 'C-25');
    await press('Move 2.5 kg up');
    await press('Move 2.5 kg up');
    await press('Move 2.5 kg up');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]?.sizes?.map(({ label, price, sku }) => [label, price, sku])).toEqual([
      ['2.5 kg', 6, 'C-25'],
      ['1 kg', 3, 'C-1'],
      ['5 kg', 12, ''],
    ]);
  });

  it('are moved by keys, and the focus goes with them', async () => {
    open(inSizes);
    const up = screen.getByRole('button', { name: 'Move 5 kg up' });
    up.focus();
    await userEvent.keyboard('{Enter}');
    expect(field('Name of the size', row(0)).value).toBe('5 kg');
    expect(row(0).contains(document.activeElement)).toBe(true);
  });

  it('are removed, and are back at their place', async () => {
    const sent = open(inSizes);
    await press('Remove 1 kg');
    expect(rows()).toHaveLength(1);
    screen.getByText('1 kg was removed.');
    await press('Undo');
    expect(rows()).toHaveLength(2);
    await save();
    await expect.poll(() => sent).toEqual([inSizes]);
  });

  it('ask for a price once there are none', async () => {
    const sent = open(inSizes);
    await press('Remove 1 kg');
    await press('Remove 5 kg');
    await save();
    await screen.findByText('Valid price is required');
    await enter(field('Price'), '4');
    await press('Save');
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ sizes: null, price: 4 });
  });

  it('say at their row what is wrong', async () => {
    const sent = open(inSizes);
    await enter(field('Name of the size', row(1)), '1 kg');
    await enter(field('SKU', row(1)), 'C-1');
    await enter(field('Price', row(0)), '0');
    await enter(field('Contains', row(0)), '0');
    await save();
    await within(row(0)).findByText('Valid price is required');
    await within(row(0)).findByText('Enter a number above 0.');
    await enter(field('Price', row(0)), '1');
    await enter(field('Contains', row(0)), '1');
    await within(row(1)).findByText('Give each size another name.');
    await within(row(1)).findByText('Give each size another SKU.');
    expect(sent).toEqual([]);
  });

  it('keep one that is on', async () => {
    open(inSizes);
    for (const each of [0, 1]) await userEvent.click(field('On sale', row(each)));
    await save();
    await screen.findByText('Keep at least one size on, or take the product off the market.');
  });

  it('are of any thousandths of the stock', async () => {
    const sent = open(inSizes);
    await enter(field('Quantity available'), '99.125');
    await save();
    await expect.poll(() => sent[0]?.quantityAvailable).toBe(99.125);
  });

  it('have the errors of the server at their row', async () => {
    open(
      inSizes,
      new ApiError('No', {
        status: 400,
        code: 'INVALID',
        errors: [
          { path: 'sizes.1.price', message: 'Too high for 5 kg.' },
          { path: 'sizes.0._id', message: 'This size was removed meanwhile.' },
        ],
      }),
    );
    await save();
    await within(row(1)).findByText('Too high for 5 kg.');
    await within(row(0)).findByText('This size was removed meanwhile.');
  });

  it('are at most twenty', async () => {
    const sizes = Array.from({ length: 20 }, (_, at) => ({
      ...small,
      _id: undefined,
      label: `${at}`,
      sku: '',
      minimum: null,
    }));
    open({ ...inSizes, sizes } as ProductInput);
    expect(screen.queryByRole('button', { name: 'Add a size' })).toBeNull();
    screen.getByText('A product has at most 20 sizes.');
  });
});

describe('a refusal', () => {
  const taken = new ApiError('Another product or size of your farm has this SKU.', {
    status: 409,
    code: 'SKU_TAKEN',
    errors: [{ path: 'sku', message: 'Another product or size of your farm has this SKU.' }],
  });

  it('of a SKU is said at the one that was entered', async () => {
    open(inSizes, taken);
    await enter(field('SKU', row(1)), 'TAKEN');
    await save();
    await within(row(1)).findByText(taken.message);
    expect(field('SKU', row(0)).getAttribute('aria-invalid')).toBeNull();
  });

  it('of the SKU of the product is said there', async () => {
    open(plain, taken);
    await enter(field('SKU'), 'TAKEN');
    await save();
    await screen.findByText(taken.message);
    expect(field('SKU').getAttribute('aria-invalid')).toBe('true');
  });

  it('of sizes of what is priced by weight is said at the sizes', async () => {
    open(inSizes, new ApiError('It has no sizes.', { status: 409, code: 'SIZES_BY_WEIGHT' }));
    await save();
    await screen.findByText('It has no sizes.');
  });
});

describe('what is always available', () => {
  it('has no stock, and a most per order', async () => {
    const sent = open(plain);
    await userEvent.selectOptions(field('How much there is'), 'always');
    expect(screen.queryByLabelText(/^Quantity available/)).toBeNull();
    await enter(field('Most per order'), '12');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      availability: 'always',
      quantityAvailable: undefined,
      maxPerOrder: 12,
    });
  });

  it('asks for a stock once it is counted', async () => {
    const sent = open({ ...plain, availability: 'always', quantityAvailable: undefined });
    await userEvent.selectOptions(field('How much there is'), 'counted');
    await save();
    await screen.findByText('Valid quantity is required');
    expect(sent).toEqual([]);
  });
});

describe('what is counted', () => {
  it('has words of its own and says what one contains', async () => {
    setMarket({ ...DEFAULT_MARKET, units: ['each', 'kg'] });
    const sent = open({ ...plain, unit: 'each' });
    await enter(field('Word for one'), 'jar');
    await save();
    await screen.findByText('Enter the word for several.');
    await enter(field('Word for several'), 'jars');
    await enter(field('What one contains'), '250');
    await userEvent.selectOptions(field('In which unit'), 'ml');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      unitLabel: { one: 'jar', other: 'jars' },
      net: { amount: 250, unit: 'ml' },
    });
    // Sizes are counted by the same word.
    await userEvent.click(field('Sold in sizes'));
    field('Contains \\(jars\\)', row(0));
    await userEvent.selectOptions(field('Unit'), 'kg');
    expect(screen.queryByLabelText(/^Word for one/)).toBeNull();
    await save();
    await expect.poll(() => sent).toHaveLength(2);
    expect(sent[1]).toMatchObject({ unit: 'kg', unitLabel: null, net: null });
  });

  it('has neither where the fields are emptied', async () => {
    const sent = open({
      ...plain,
      unit: 'each',
      unitLabel: { one: 'jar', other: 'jars' },
      net: { amount: 1, unit: 'l' },
    });
    for (const name of ['Word for one', 'Word for several', 'What one contains']) {
      await userEvent.clear(field(name));
    }
    await save();
    await expect.poll(() => sent).toEqual([{ ...plain, unit: 'each' }]);
  });
});

const pick = <Value,>(random: () => number, values: readonly Value[]): Value =>
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
    const again = productInput({ ...input, quantityAvailable: input.quantityAvailable }).parse(
      input,
    );
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
