// @vitest-environment happy-dom

import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { Route } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { farmer, product } from '../../app/testing/world.ts';
import { stubNetwork } from '../../platform/testing/network.ts';
import { beginAs, list, one, open, sent } from '../testing/page.tsx';
import EditProductPage from './EditProductPage.tsx';

const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const carrots = product(1, {
  name: 'Carrots',
  description: 'Sweet.',
  category: { _id: VEGETABLES, name: 'Vegetables' },
  version: 4,
});

const PATH = `/products/${carrots._id}`;

/** The product on the server, which refuses changes of other versions. */
let stored: Product;

function openWith(replies: Parameters<typeof stubNetwork>[0] = {}) {
  const calls = stubNetwork({
    [`GET ${PATH}/use`]: () => one({ count: 0, ids: [] }),
    'GET /categories': list([{ _id: VEGETABLES, name: 'Vegetables', description: '', icon: '' }]),
    [`GET ${PATH}`]: () => one(carrots),
    [`PUT ${PATH}`]: ({ body }) => {
      const { expectedVersion, ...changes } = body as { expectedVersion?: number };
      if (expectedVersion !== stored.version) {
        return {
          status: 409,
          body: { success: false, code: 'VERSION_CONFLICT', message: 'Changed.', data: stored },
        };
      }
      stored = { ...stored, ...changes, version: stored.version + 1 };
      return one(stored);
    },
    ...replies,
  });
  window.history.replaceState(null, '', `/farmer/products/edit/${carrots._id}`);
  open(<Route path="/farmer/products/edit/:id" component={EditProductPage} />);
  return calls;
}

const field = (name: RegExp) => screen.findByLabelText<HTMLInputElement>(name);
async function typeIn(name: RegExp, text: string) {
  const input = await field(name);
  await userEvent.clear(input);
  await userEvent.type(input, text);
}
async function save() {
  // happy-dom does not apply the default value of a select whose options come later.
  await userEvent.selectOptions(await screen.findByLabelText(/^Category/), VEGETABLES);
  await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
}

beginAs(farmer);
beforeEach(() => {
  stored = carrots;
});

it('declares a shortage of the product, beginning with the next day that orders have it', async () => {
  openWith({ 'GET /farm/picklist/days': one([{ date: '2090-05-01', orders: 2, pending: 0 }]) });
  await userEvent.click(await screen.findByRole('button', { name: /^Short of it/ }));
  await screen.findByRole('dialog', { name: 'Short of Carrots?' });
  await waitFor(async () => expect((await field(/^From/)).value).toBe('2090-05-01'));
});

it('keeps what somebody else changed in another field, without a word', async () => {
  const calls = openWith();
  await typeIn(/^Product name/, 'Leeks');
  stored = { ...carrots, price: 3, quantityAvailable: 7, version: 6 };
  await save();
  await waitFor(() => expect(stored.version).toBe(7));
  expect(stored).toMatchObject({ name: 'Leeks', price: 3, quantityAvailable: 7 });
  expect(sent(calls, 'PUT')).toEqual([
    { name: 'Leeks', expectedVersion: 4 },
    { name: 'Leeks', expectedVersion: 6 },
  ]);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('marks a field that somebody else changed too, and saves it the second time', async () => {
  openWith();
  await typeIn(/^Price/, '5');
  stored = { ...carrots, price: 3, version: 5 };
  await save();
  await screen.findByText('This is 3 by now. Save again to keep your entry.');
  await screen.findByText(/^This was changed elsewhere while you were editing\./);
  expect((await field(/^Price/)).getAttribute('aria-invalid')).toBe('true');
  expect((await field(/^Price/)).value).toBe('5');
  expect(stored.price).toBe(3);
  await save();
  await waitFor(() => expect(stored.price).toBe(5));
});

it('keeps the unit of a product that open orders have, names them and offers a copy', async () => {
  const orders = { count: 7, ids: ['00000000-0000-4000-8000-0000000000a1'] };
  openWith({ [`GET ${PATH}/use`]: one(orders) });
  expect(await screen.findByText(/^Unit and way of sale stay as they are/)).toBeDefined();
  expect(screen.getByRole('link', { name: '#00000000' }).getAttribute('href')).toBe(
    `/orders/${orders.ids[0]}`,
  );
  expect(screen.getByText(/and 6 more/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Make a copy' }).getAttribute('href')).toBe(
    `/farmer/products/add?from=${carrots._id}`,
  );
  for (const [name, text] of [
    [/^Unit/, 'per lb'],
    [/^Sold by/, 'The unit'],
  ] as const) {
    const input = await field(name);
    expect([input.value, input.readOnly]).toEqual([text, true]);
  }
});

it('puts back a unit that was chosen before an order came, and says which', async () => {
  let orders = { count: 0, ids: [] as string[] };
  openWith({
    [`GET ${PATH}/use`]: () => one(orders),
    [`PUT ${PATH}`]: () => {
      orders = { count: 1, ids: ['00000000-0000-4000-8000-0000000000a1'] };
      return {
        status: 409,
        body: { success: false, code: 'PRODUCT_IN_USE', message: 'In use.', data: { orders } },
      };
    },
  });
  await userEvent.selectOptions(await screen.findByLabelText(/^Unit/), 'kg');
  await save();
  expect(await screen.findByText(/1 open order has it/)).toBeDefined();
  await waitFor(async () => expect((await field(/^Unit/)).value).toBe('per lb'));
});
