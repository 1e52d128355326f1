import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { Providers } from '../../../app/Providers.tsx';
import CheckoutPage from '../../../pages/ordering/CheckoutPage.tsx';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aToken, aUser, type Reply } from '../../../platform/testing/network.ts';
import { readCheckoutDraft } from '../checkout/initial-values.ts';
import { cartAtom, EMPTY_CART } from '../rules.ts';
import { id } from './goods.ts';

export const FARM = id(900);
/** The products of the cart. */
export const NAMES = ['Plums', 'Pears', 'Figs', 'Kale'];

/** Returns a product of the cart. */
export const product = (number: number): Product => ({
  _id: id(number),
  name: NAMES[number] ?? '',
  description: '',
  category: null,
  price: 2.5,
  unit: 'lb',
  soldBy: 'unit',
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

/** Returns an answer with one entity. */
export const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

/** Begins each test of a file as a customer with so many products in the cart. */
export function beginWithCart(count: number): void {
  beforeEach(() => {
    localStorage.clear();
    sessionStorage.clear();
    store.set(tokenAtom, aToken);
    store.set(userAtom, aUser('consumer'));
    store.set(cartAtom, {
      farmerId: FARM,
      farmerName: 'Green Valley',
      lines: NAMES.slice(0, count).map((name, number) => ({
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
}

/** Returns what is kept of the checkout, as text. */
export const keptDraft = () => JSON.stringify(readCheckoutDraft(FARM)) ?? null;

/** What the network answers for the products of the cart. */
export const products = Object.fromEntries(
  NAMES.map((_, n) => [`GET /products/${id(n)}`, one(product(n))]),
);
/** Opens the checkout. */
export const open = () =>
  render(
    <Providers>
      <CheckoutPage />
    </Providers>,
  );
/** Fills in a pickup far ahead. */
export async function fillPickup() {
  fireEvent.change(await screen.findByLabelText(/Pickup date/), {
    target: { value: '2090-01-01' },
  });
  fireEvent.change(screen.getByLabelText(/Pickup time/), { target: { value: '10:00' } });
  fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
}
