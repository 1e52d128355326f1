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

// A busy machine takes its time.
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
  return { sent, field, again: (more: typeof props) => rerender(form(more)) };
}

it('says what is missing, in the specified words, and goes to the first of it', async () => {
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

it('takes none in stock, and a price of nothing, for missing', async () => {
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

it('hands over what was written', async () => {
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

it('shows at the field what the server found wrong with it, and keeps what was written', async () => {
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

it('follows the stock while somebody buys, unless one is changing it', async () => {
  const { field, again } = open({ product: carrots, inStock: 10 });
  again({ inStock: 7 });
  expect(field('Quantity available').value).toBe('7');
  await userEvent.clear(field('Quantity available'));
  await userEvent.type(field('Quantity available'), '50');
  again({ inStock: 6 });
  expect(field('Quantity available').value).toBe('50');
  await screen.findByText('In stock right now: 6');
});

it('sends only what was changed, so that sold stock does not come back', () => {
  expect(changesOf({ ...carrots, price: 3 }, carrots)).toEqual({ price: 3 });
  expect(changesOf({ ...carrots, images: ['/a', '/b'] }, carrots)).toEqual({
    images: ['/a', '/b'],
  });
  expect(changesOf(carrots, structuredClone(carrots))).toEqual({});
});
