// @vitest-environment happy-dom

import { createStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import { ownedKey, VISITOR } from '../../platform/session/owned.ts';
import type { Cart } from './rules.ts';

const cart: Cart = {
  farmerId: '00000000-0000-4000-8000-000000000900',
  farmerName: 'Green Valley Farm',
  lines: [
    {
      productId: '00000000-0000-4000-8000-000000000001',
      name: 'Tomatoes',
      image: null,
      price: 2.5,
      quantity: 2,
    },
  ],
};

/** The name under which a visitor's cart is kept. */
const KEY = ownedKey(VISITOR, 'cart');

/** Loads the atoms with this value in the storage. */
async function open(stored: string | null) {
  vi.resetModules();
  localStorage.clear();
  if (stored !== null) localStorage.setItem(KEY, stored);
  const atoms = await import('./rules.ts');
  return { ...atoms, store: createStore() };
}

beforeEach(() => localStorage.clear());

it('restores the cart and counts its items', async () => {
  const { store, cartAtom, cartCountAtom } = await open(JSON.stringify(cart));
  expect(store.get(cartAtom)).toEqual(cart);
  expect(store.get(cartCountAtom)).toBe(1);
});

it.each([
  ['whose price is above the limit of any currency', { price: 2_000_000_001 }],
  ['whose quantity is above the limit', { quantity: 1_000_001 }],
  ['that is none', { name: 7 }],
])('keeps the other lines of a cart with a line %s', async (_, broken) => {
  const [line] = cart.lines;
  const other = { ...line, productId: '00000000-0000-4000-8000-000000000002', ...broken };
  const { store, cartAtom } = await open(JSON.stringify({ ...cart, lines: [other, line] }));
  expect(store.get(cartAtom)).toEqual(cart);
});

it('keeps a line of 1,000,000 and more, which is lunch in some currencies', async () => {
  const dear = { ...cart, lines: cart.lines.map((line) => ({ ...line, price: 2_000_000_000 })) };
  const { store, cartAtom } = await open(JSON.stringify(dear));
  expect(store.get(cartAtom)).toEqual(dear);
});

it('is empty when none of its lines is left', async () => {
  const lines = cart.lines.map((line) => ({ ...line, quantity: 0 }));
  const { store, cartAtom, cartCountAtom } = await open(JSON.stringify({ ...cart, lines }));
  expect(store.get(cartAtom)).toEqual({ farmerId: null, farmerName: '', lines: [] });
  expect(store.get(cartCountAtom)).toBe(0);
});
