// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { aToken, aUser } from '../../platform/testing/people.ts';
import EditProductPage from './EditProductPage.tsx';

const farmer = aUser('farmer');
const VEGETABLES = '00000000-0000-4000-8000-000000000800';
const carrots: Product = {
  _id: '00000000-0000-4000-8000-000000000001',
  name: 'Carrots',
  description: 'Sweet.',
  category: { _id: VEGETABLES, name: 'Vegetables' },
  price: 2,
  unit: 'lb',
  soldBy: 'unit',
  quantityAvailable: 10,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: { _id: farmer._id, name: farmer.name, farmName: 'Hill', address: farmer.address },
  createdAt: '2026-11-02T10:00:00.000Z',
  version: 4,
};

const PATH = `/products/${carrots._id}`;
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

/** The product on the server, which refuses changes of other versions. */
let stored: Product;

function open(replies: Parameters<typeof stubNetwork>[0] = {}) {
  const calls = stubNetwork({
    [`GET ${PATH}/use`]: () => one({ count: 0, ids: [] }),
    'GET /categories': {
      status: 200,
      body: {
        success: true,
        data: [{ _id: VEGETABLES, name: 'Vegetables', description: '', icon: '' }],
        count: 1,
        nextCursor: null,
      },
    },
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
  render(
    <Providers>
      <Route path="/farmer/products/edit/:id" component={EditProductPage} />
    </Providers>,
  );
  return { sent: () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body) };
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

beforeEach(() => {
  localStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
  stored = carrots;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('declares a shortage of the product, beginning with the next day that orders have it', async () => {
  open({ 'GET /farm/picklist/days': one([{ date: '2090-05-01', orders: 2, pending: 0 }]) });
  await userEvent.click(await screen.findByRole('button', { name: /^Short of it/ }));
  await screen.findByRole('dialog', { name: 'Short of Carrots?' });
  await waitFor(async () => expect((await field(/^From/)).value).toBe('2090-05-01'));
});

it('keeps what somebody else changed in another field, without a word', async () => {
  const { sent } = open();
  await typeIn(/^Product name/, 'Leeks');
  stored = { ...carrots, price: 3, quantityAvailable: 7, version: 6 };
  await save();
  await waitFor(() => expect(stored.version).toBe(7));
  expect(stored).toMatchObject({ name: 'Leeks', price: 3, quantityAvailable: 7 });
  expect(sent()).toEqual([
    { name: 'Leeks', expectedVersion: 4 },
    { name: 'Leeks', expectedVersion: 6 },
  ]);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('marks a field that somebody else changed too, and saves it the second time', async () => {
  open();
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
  open({ [`GET ${PATH}/use`]: one(orders) });
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
  open({
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
