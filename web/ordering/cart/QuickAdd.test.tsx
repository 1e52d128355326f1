// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser } from '../../platform/testing/network.ts';
import { QuickAdd } from './QuickAdd.tsx';
import { cartAtom, EMPTY_CART, type Goods } from './rules.ts';
import { peekSavedGoods, takeSavedGoods } from './saved-goods.ts';
import { id, potatoes, someGoods } from './testing/goods.ts';

const goods = (over: Partial<Goods> = {}) => someGoods(1, { quantityAvailable: 2, ...over });
const open = (over?: Partial<Goods>) =>
  render(
    <Providers>
      <QuickAdd goods={goods(over)} />
    </Providers>,
  );
const signInAs = (role: 'consumer' | 'farmer' | 'admin' | null) => {
  store.set(tokenAtom, role && aToken);
  store.set(userAtom, role && aUser(role));
};

beforeEach(() => {
  localStorage.clear();
  takeSavedGoods();
  store.set(cartAtom, EMPTY_CART);
  signInAs('consumer');
  history.replaceState(null, '', '/products?search=plums');
});
afterEach(cleanup);

it('adds one at a time, up to the stock, and says how many are in the cart', async () => {
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart, 1 in it' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart, 2 in it' }));
  expect(store.get(cartAtom).lines).toMatchObject([{ name: 'Plums', quantity: 2 }]);
});

it('asks before it clears a cart of another farm', async () => {
  const other = { ...goods().farmer, _id: id(901) };
  const first = open();
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart' }));
  first.unmount();
  open({ _id: id(2), name: 'Figs', farmer: other });
  await userEvent.click(screen.getByRole('button', { name: 'Add Figs to cart' }));
  // The dialog is loaded when it is first needed.
  const clear = await screen.findByRole('button', { name: 'Clear cart and add' });
  await userEvent.click(clear);
  expect(store.get(cartAtom).lines).toMatchObject([{ name: 'Figs' }]);
});

it('keeps what a visitor wants, and leads to the sign-in and back', async () => {
  signInAs(null);
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart' }));
  expect(peekSavedGoods()).toMatchObject([{ goods: { name: 'Plums' }, quantity: 1 }]);
  expect(location.pathname).toBe('/login');
  expect(new URLSearchParams(location.search).get('next')).toBe('/products?search=plums');
});

it.each(['farmer', 'admin'] as const)('is not there for a %s', (role) => {
  signInAs(role);
  open();
  expect(screen.queryByRole('button')).toBeNull();
});

it('is not there for what is sold out', () => {
  open({ quantityAvailable: 0 });
  expect(screen.queryByRole('button')).toBeNull();
});

it('adds the smallest order of what is sold in steps', async () => {
  open({ quantityAvailable: 1.3, step: 0.25, minimum: 0.5 });
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart, 0.5 lb' }));
  await userEvent.click(
    screen.getByRole('button', { name: 'Add Plums to cart, 0.5 lb, 0.5 in it' }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Add Plums to cart, 0.5 lb, 1 in it' }));
  expect(store.get(cartAtom).lines).toMatchObject([{ quantity: 1.25, step: 0.25, minimum: 0.5 }]);
});

it('is not there where less than the smallest order is left', () => {
  open({ quantityAvailable: 0.4, step: 0.1, minimum: 0.5 });
  expect(screen.queryByRole('button')).toBeNull();
});

it('adds the first size that is left, and says which', async () => {
  const { sizes, ...rest } = potatoes({ quantityAvailable: 9 });
  const [one, two, five] = sizes ?? [];
  if (!one || !two || !five) throw new Error('The sizes are missing.');
  open({ ...rest, sizes: [{ ...one, isActive: false }, { ...five, minimum: 2 }, two] });
  await userEvent.click(screen.getByRole('button', { name: 'Add Potatoes (2 kg) to cart' }));
  expect(store.get(cartAtom).lines).toMatchObject([
    { quantity: 1, price: 2.2, size: { label: '2 kg' } },
  ]);
  screen.getByRole('button', { name: 'Add Potatoes (2 kg) to cart, 1 in it' });
});

it('is not there where no size is left', () => {
  open({ ...potatoes({ quantityAvailable: 0.9 }) });
  expect(screen.queryByRole('button')).toBeNull();
});
