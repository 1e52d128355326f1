// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { ApiError } from '../../../platform/api/api-error.ts';
import { ProductForm } from './ProductForm.tsx';
import { changesOf, copyOf, type ProductInput } from './product-form.ts';

const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const categories = [{ _id: VEGETABLES, name: 'Vegetables', description: '', icon: '' }];
const carrots: ProductInput = {
  name: 'Carrots',
  description: 'Sweet',
  category: VEGETABLES,
  price: 2.5,
  unit: 'lb',
  soldBy: 'unit',
  pieceWeight: null,
  quantityAvailable: 10,
  step: null,
  minimum: null,
  sizes: null,
  availability: 'counted',
  maxPerOrder: null,
  unitLabel: null,
  net: null,
  sku: '',
  allergens: 'unknown',
  ingredients: '',
  storage: '',
  origin: '',
  images: [],
  isOrganic: true,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
};

afterEach(() => {
  cleanup();
  setMarket(DEFAULT_MARKET);
});

const enter = async (input: HTMLInputElement, text: string) => {
  await userEvent.clear(input);
  await userEvent.type(input, text);
};
const save = async () => {
  // The test's browser does not select what a form begins with.
  await userEvent.selectOptions(screen.getByLabelText(/^Category/), VEGETABLES);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
};

function open(props: Partial<Parameters<typeof ProductForm>[0]> = {}) {
  const sent: ProductInput[] = [];
  const form = (more: typeof props = {}) => (
    <ProductForm
      categories={categories}
      pictures={() => null}
      submitLabel="Save"
      draftKey="product:1"
      onSubmit={async (input) => sent.push(input)}
      {...props}
      {...more}
    />
  );
  const { rerender } = render(form());
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`));
  return { sent, field, update: (more: typeof props) => rerender(form(more)) };
}

it('shows the specified messages for missing fields and focuses the first one', async () => {
  const { sent, field } = open();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  for (const message of [
    'Product name is required',
    'Description is required',
    'Category is required',
    'Valid price is required',
    'Valid quantity is required',
  ]) {
    expect((await screen.findByText(message)).closest('[role=alert]')).not.toBeNull();
  }
  await waitFor(() => expect(document.activeElement).toBe(field('Product name')));
  expect(sent).toEqual([]);
});

it('reads a price, a stock and a piece as the market prints them', async () => {
  setMarket({
    ...DEFAULT_MARKET,
    locale: 'id-ID',
    currency: { ...DEFAULT_MARKET.currency, decimals: 0 },
  });
  const { sent, field } = open({ product: { ...carrots, price: 2_000_000_000, step: 0.125 } });
  expect([field('Price').value, field('Sold in steps of').value]).toEqual(['2000000000', '0,125']);
  await enter(field('Price'), '25.000');
  await enter(field('Quantity available'), '1.200,5');
  await enter(field('Smallest order'), '٢٫٥');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    price: 25_000,
    quantityAvailable: 1200.5,
    step: 0.125,
    minimum: 2.5,
  });
});

it('treats a stock or price of 0 as missing', async () => {
  const { sent, field } = open({ product: carrots });
  await enter(field('Quantity available'), '0');
  await enter(field('Price'), '0');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Valid quantity is required');
  await screen.findByText('Valid price is required');
  expect(sent).toEqual([]);
});

it('submits the input', async () => {
  const { sent, field } = open();
  await userEvent.type(field('Product name'), ' Carrots ');
  await userEvent.type(field('Description'), 'Sweet');
  await userEvent.selectOptions(field('Category'), VEGETABLES);
  await userEvent.type(field('Quantity available'), '10');
  await userEvent.type(field('Price'), '2.5');
  await userEvent.click(screen.getByLabelText('Organic'));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent).toEqual([carrots]);
});

it('has the picture first', () => {
  open({ pictures: () => <p>Pictures</p> });
  const name = screen.getByLabelText(/^Product name/);
  const order = screen.getByText('Pictures').compareDocumentPosition(name);
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it('begins with the unit and the category of the last product, and goes on with another', async () => {
  setMarket({ ...DEFAULT_MARKET, units: ['kg', 'bunch'] });
  const another: boolean[] = [];
  const { sent, field } = open({
    last: { category: VEGETABLES, unit: 'bunch' },
    anotherLabel: 'Add another',
    onSubmit: async (input, _, isAnother) => {
      sent.push(input);
      another.push(isAnother);
    },
  });
  const units = () => [...(field('Unit') as unknown as HTMLSelectElement).options];
  expect(units().map(({ value }) => value)).toEqual(['bunch', 'kg']);
  expect(field('Unit').value).toBe('bunch');
  const fill = async (name: string) => {
    await userEvent.type(field('Product name'), name);
    await userEvent.type(field('Description'), 'Sweet');
    await userEvent.selectOptions(field('Category'), VEGETABLES);
    await userEvent.type(field('Quantity available'), '10');
    await userEvent.type(field('Price'), '2.5');
  };
  // One that fails leaves no trace: Enter does what the first button does.
  await userEvent.click(screen.getByRole('button', { name: 'Add another' }));
  await screen.findByText('Product name is required');
  await fill('Beets');
  await userEvent.click(screen.getByRole('button', { name: 'Add another' }));
  await expect.poll(() => sent.map(({ name }) => name)).toEqual(['Beets']);
  await waitFor(() => expect(field('Product name').value).toBe(''));
  expect([field('Price').value, field('Quantity available').value]).toEqual(['', '']);
  await waitFor(() => expect(document.activeElement).toBe(field('Product name')));
  await fill('Chard');
  await userEvent.type(field('Price'), '{Enter}');
  await expect.poll(() => sent.map(({ name }) => name)).toEqual(['Beets', 'Chard']);
  expect(another).toEqual([true, false]);
});

it('leaves a unit that the market no longer offers', () => {
  setMarket({ ...DEFAULT_MARKET, units: ['kg', 'bunch'] });
  const { field } = open({ last: { category: VEGETABLES, unit: 'gallon' } });
  expect(field('Unit').value).toBe('kg');
});

it('shows field errors of the server at their fields and keeps the input', async () => {
  const { field } = open({
    product: carrots,
    onSubmit: async () => {
      throw new ApiError('This category does not exist.', {
        status: 400,
        code: 'INVALID',
        errors: [{ path: 'category', message: 'This category does not exist.' }],
      });
    },
  });
  await userEvent.type(field('Product name'), ' two');
  await save();
  await screen.findByText('This category does not exist.');
  expect(field('Category').getAttribute('aria-invalid')).toBe('true');
  expect(field('Product name').value).toBe('Carrots two');
});

it('follows the stock unless the user is editing it', async () => {
  const { field, update } = open({ product: carrots, inStock: 10 });
  update({ inStock: 7 });
  expect(field('Quantity available').value).toBe('7');
  await enter(field('Quantity available'), '50');
  update({ inStock: 6 });
  expect(field('Quantity available').value).toBe('50');
  await screen.findByText('In stock right now: 6');
});

it('sends only changed fields, so that sold stock is not restored', () => {
  expect(changesOf({ ...carrots, price: 3 }, carrots)).toEqual({ price: 3 });
  expect(changesOf({ ...carrots, images: ['/a', '/b'] }, carrots)).toEqual({
    images: ['/a', '/b'],
  });
  expect(changesOf(carrots, structuredClone(carrots))).toEqual({});
});

describe('a product that is sold in steps', () => {
  it('says at each field what does not fit', async () => {
    const { sent, field } = open({ product: carrots });
    await enter(field('Quantity available'), '12.6');
    await enter(field('Sold in steps of'), '0.25');
    await enter(field('Smallest order'), '0.3');
    await save();
    await screen.findByText('The smallest order must be a multiple of 0.25 lb: 0.25 lb or 0.5 lb.');
    await screen.findByText(
      'A stock of 12.6 lb is no multiple of 0.25 lb. Set it to 12.5 lb or 12.75 lb.',
    );
    await enter(field('Sold in steps of'), 'some');
    await screen.findByText('Enter a number.');
    await enter(field('Sold in steps of'), '0');
    await screen.findByText('Enter a number above 0.');
    expect(sent).toEqual([]);
  });

  it('is sold in whole units again when the fields are emptied', async () => {
    const { sent, field } = open({
      product: { ...carrots, step: 0.25, minimum: 0.5 },
      inStock: 10,
    });
    expect(field('Sold in steps of').value).toBe('0.25');
    await userEvent.clear(field('Sold in steps of'));
    await userEvent.clear(field('Smallest order'));
    await save();
    await expect.poll(() => sent).toEqual([carrots]);
  });

  it('keeps a stock between two steps until it is changed', async () => {
    const product = { ...carrots, step: 0.5, quantityAvailable: 1.3 };
    const { sent, field } = open({ product, inStock: 1.3 });
    await enter(field('Product name'), 'Beets');
    await save();
    await expect.poll(() => sent).toEqual([{ ...product, name: 'Beets' }]);
    await enter(field('Quantity available'), '1.2');
    await save();
    await screen.findByText(
      'A stock of 1.2 lb is no multiple of 0.5 lb. Set it to 1 lb or 1.5 lb.',
    );
    expect(sent).toHaveLength(1);
  });

  it('is copied with its steps', () => {
    const product = {
      category: null,
      step: 0.25,
      minimum: 0.5,
      name: 'Beets',
    } as unknown as Product;
    expect(copyOf(product)).toMatchObject({ step: 0.25, minimum: 0.5, name: 'Beets (copy)' });
    expect(copyOf({ ...product, step: undefined, minimum: undefined })).toMatchObject({
      step: null,
      minimum: null,
    });
  });
});

describe('a product that is sold by the piece and priced by weight', () => {
  const chicken: ProductInput = {
    ...carrots,
    name: 'Chicken',
    unit: 'kg',
    soldBy: 'piece_by_weight',
    pieceWeight: { average: 1.8, min: 1.5, max: 2.1 },
  };

  it('asks what a piece weighs, in units of weight and without steps', async () => {
    const { sent, field } = open({ product: { ...carrots, unit: 'bunch', step: 0.5 } });
    await userEvent.selectOptions(field('Sold by'), 'piece_by_weight');
    expect((field('Unit') as unknown as HTMLSelectElement).value).toBe('kg');
    expect(screen.queryByLabelText(/Sold in steps of/)).toBeNull();
    await save();
    expect(await screen.findByText('Enter a number.')).toBeTruthy();
    await userEvent.type(field('A piece weighs about'), '1,8');
    await userEvent.type(field('Heaviest piece'), '2.1');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      soldBy: 'piece_by_weight',
      unit: 'kg',
      step: null,
      pieceWeight: { average: 1.8, max: 2.1 },
    });
  });

  it('shows what does not fit at its field', async () => {
    const { sent, field } = open({ product: chicken });
    await enter(field('Lightest piece'), '1.9');
    await save();
    await screen.findByText("The lightest piece can't weigh more than the average.");
    expect(sent).toEqual([]);
  });

  it('has no weight of a piece once it is sold by its unit again', async () => {
    const { sent, field } = open({ product: chicken });
    await userEvent.selectOptions(field('Sold by'), 'unit');
    await save();
    await expect.poll(() => sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ soldBy: 'unit', pieceWeight: null });
  });
});
