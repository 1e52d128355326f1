// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Product } from '#contract/products';
import { Providers } from '../app/Providers.tsx';
import { userAtom } from '../auth/atoms.ts';
import { tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { type Call, type Reply, stubNetwork } from '../lib/testing/network.ts';
import { aToken, aUser } from '../lib/testing/people.ts';
import { cartAtom } from './atoms.ts';
import CheckoutPage from './CheckoutPage.tsx';
import { EMPTY_CART } from './rules.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const FARM = id(900);
const NAMES = ['Plums', 'Pears', 'Figs', 'Kale'];

const product = (number: number): Product => ({
  _id: id(number),
  name: NAMES[number] ?? '',
  description: '',
  category: null,
  price: 2.5,
  unit: 'lb',
  quantityAvailable: 10,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: {
    _id: FARM,
    name: 'Fern',
    farmName: 'Green Valley',
    address: { street: '', city: '', state: '', zipCode: '' },
  },
  createdAt: '2026-11-02T10:00:00.000Z',
  version: 1,
});

const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('consumer'));
  store.set(cartAtom, {
    farmerId: FARM,
    farmerName: 'Green Valley',
    lines: NAMES.map((name, number) => ({
      productId: id(number),
      name,
      image: null,
      price: 2.5,
      quantity: 4,
    })),
  });
});
afterEach(() => {
  cleanup();
  store.set(cartAtom, EMPTY_CART);
  vi.unstubAllGlobals();
});

it('shows every problem of a refused order, and orders the updated cart', async () => {
  let refuses = true;
  const place = (call: Call): Reply => {
    if (!refuses) return one({ ...(call.body as object), _id: id(77), items: [], timeline: [] });
    refuses = false;
    return {
      status: 409,
      body: {
        success: false,
        code: 'PRODUCT_UNAVAILABLE',
        message: 'Not all of it can be had.',
        problems: [
          { line: 0, code: 'PRICE_CHANGED', price: 3 },
          { line: 0, code: 'OUT_OF_STOCK', left: 2 },
          { line: 1, code: 'PRODUCT_UNAVAILABLE' },
          { line: 2, code: 'OUT_OF_STOCK', left: 0 },
        ],
      },
    };
  };
  const calls = stubNetwork({
    // The product responses are from before the change.
    ...Object.fromEntries(NAMES.map((_, n) => [`GET /products/${id(n)}`, one(product(n))])),
    'POST /orders': place,
  });
  render(
    <Providers>
      <CheckoutPage />
    </Providers>,
  );
  fireEvent.change(await screen.findByLabelText(/Pickup date/), {
    target: { value: '2090-01-01' },
  });
  fireEvent.change(screen.getByLabelText(/Pickup time/), { target: { value: '10:00' } });
  fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));

  const heading = await screen.findByText('Your cart is no longer quite what the farm offers');
  const shownText = heading.parentElement?.textContent;
  for (const sentence of [
    'Plums costs ₨3.00 now instead of ₨2.50. Only 2 of Plums left; your cart has 4.',
    'Pears is no longer on sale.',
    'Figs is sold out.',
  ]) {
    expect(shownText).toContain(sentence);
  }
  expect(shownText).not.toContain('Kale');

  await userEvent.click(screen.getByRole('button', { name: 'Update my cart' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2));
  expect(calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
    items: [
      { product: id(0), quantity: 2, price: 3 },
      { product: id(3), quantity: 4, price: 2.5 },
    ],
  });
});
