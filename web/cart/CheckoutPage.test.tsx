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
  vi.restoreAllMocks();
});

const products = Object.fromEntries(
  NAMES.map((_, n) => [`GET /products/${id(n)}`, one(product(n))]),
);
const open = () =>
  render(
    <Providers>
      <CheckoutPage />
    </Providers>,
  );
async function fillPickup() {
  fireEvent.change(await screen.findByLabelText(/Pickup date/), {
    target: { value: '2090-01-01' },
  });
  fireEvent.change(screen.getByLabelText(/Pickup time/), { target: { value: '10:00' } });
  fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
}

it('keeps what was typed over a reload', async () => {
  stubNetwork(products);
  const first = open();
  await fillPickup();
  fireEvent.change(screen.getByLabelText(/Notes/), { target: { value: 'By bicycle.' } });
  await vi.waitFor(() => expect(sessionStorage.getItem('checkout-draft')).toContain('By bicycle.'));
  first.unmount();
  open();
  const value = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
  await screen.findByLabelText(/Pickup date/);
  expect([/Pickup date/, /Pickup time/, /Pickup location/, /Notes/].map(value)).toEqual([
    '2090-01-01',
    '10:00',
    'Gate',
    'By bicycle.',
  ]);
});

it('says at once that there is no network, and places the order once when it is back', async () => {
  let isOnline = false;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  const calls = stubNetwork({
    ...products,
    'POST /orders': (call) =>
      isOnline
        ? one({ ...(call.body as object), _id: id(77), items: [], timeline: [] })
        : 'no answer',
  });
  const posts = () => calls.filter(({ method }) => method === 'POST');
  open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await screen.findByText(/your order isn't placed yet/);
  expect(posts()).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(posts()).toHaveLength(2));
  await screen.findByText(/your order isn't placed yet/);
  expect(store.get(cartAtom).lines).toHaveLength(NAMES.length);

  isOnline = true;
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(store.get(cartAtom)).toEqual(EMPTY_CART));
  expect(posts()).toHaveLength(3);
  expect(new Set(posts().map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(sessionStorage.getItem('checkout-draft')).toBeNull();
});

it('does not send by itself what is being changed', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const calls = stubNetwork({ ...products, 'POST /orders': 'no answer' });
  open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await screen.findByText(/your order isn't placed yet/);
  fireEvent.change(screen.getByLabelText(/Pickup time/), { target: { value: '11:00' } });
  await vi.waitFor(() => expect(screen.queryByText(/your order isn't placed yet/)).toBeNull());
  window.dispatchEvent(new Event('online'));
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
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

  const heading = await screen.findByText('Some things in your cart have changed');
  const shownText = heading.parentElement?.textContent;
  for (const sentence of [
    'Plums costs ₨3.00 now instead of ₨2.50. Only 2 lb of Plums left; your cart has 4 lb.',
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
