// @vitest-environment happy-dom
import { cleanup, configure, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import { ProductForm } from './ProductForm.tsx';
import { changesOf, type ProductInput } from './product-form.ts';

const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const categories = [{ _id: VEGETABLES, name: 'Vegetables', description: '', icon: '' }];
const carrots: ProductInput = {
  name: 'Carrots',
  description: 'Sweet',
  category: VEGETABLES,
  price: 2.5,
  unit: 'lb',
  quantityAvailable: 10,
  images: [],
  isOrganic: true,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
};

// Allows for a busy machine.
configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

function open(props: Partial<Parameters<typeof ProductForm>[0]> = {}) {
  const sent: ProductInput[] = [];
  const form = (more: typeof props = {}) => (
    <ProductForm
      categories={categories}
      pictures={() => null}
      submitLabel="Save"
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
  expect(document.activeElement).toBe(field('Product name'));
  expect(sent).toEqual([]);
});

it('treats a stock or price of 0 as missing', async () => {
  const { sent, field } = open({ product: carrots });
  await userEvent.clear(field('Quantity available'));
  await userEvent.type(field('Quantity available'), '0');
  await userEvent.clear(field('Price'));
  await userEvent.type(field('Price'), '0');
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
  await expect.poll(() => sent, { timeout: 10_000 }).toEqual([carrots]);
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
  await userEvent.selectOptions(field('Category'), VEGETABLES);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('This category does not exist.');
  expect(field('Category').getAttribute('aria-invalid')).toBe('true');
  expect(field('Product name').value).toBe('Carrots two');
});

it('follows the stock unless the user is editing it', async () => {
  const { field, update } = open({ product: carrots, inStock: 10 });
  update({ inStock: 7 });
  expect(field('Quantity available').value).toBe('7');
  await userEvent.clear(field('Quantity available'));
  await userEvent.type(field('Quantity available'), '50');
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
