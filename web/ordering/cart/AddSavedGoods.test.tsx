// @vitest-environment happy-dom

import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser } from '../../platform/testing/network.ts';
import { AddSavedGoods } from './OtherFarmDialog.tsx';
import { addToCart, cartAtom, EMPTY_CART, type Goods } from './rules.ts';
import { keepGoods, peekSavedGoods, takeSavedGoods } from './saved-goods.ts';
import { id, someGoods } from './testing/goods.ts';

const goods = (number: number, name: string, farmName: 'North' | 'South' | 'East'): Goods =>
  someGoods(number, {
    name,
    farmer: { _id: id(900 + farmName.charCodeAt(0)), name: 'Fern', farmName },
  });
const inCart = () => store.get(cartAtom).lines.map(({ name, quantity }) => `${quantity} ${name}`);
const fill = (...filling: Goods[]) => {
  let cart = EMPTY_CART;
  for (const each of filling) {
    const added = addToCart(cart, each, 1);
    if ('cart' in added) cart = added.cart;
  }
  store.set(cartAtom, cart);
};
const open = () =>
  render(
    <Providers>
      <AddSavedGoods />
    </Providers>,
  );
const question = () => screen.queryByRole('alertdialog')?.textContent;
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  localStorage.clear();
  takeSavedGoods();
  store.set(cartAtom, EMPTY_CART);
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('consumer'));
});
afterEach(cleanup);

it('adds all kept goods of another farm after one yes', async () => {
  fill(goods(1, 'Kale', 'North'));
  keepGoods(goods(2, 'Plums', 'South'), 2);
  keepGoods(goods(3, 'Pears', 'South'), 1);
  keepGoods(goods(4, 'Figs', 'South'), 3);
  open();
  expect(question()).toContain(
    'Your cart holds goods of North; Plums and 2 more products come from South.',
  );
  await press('Clear cart and add');
  expect(inCart()).toEqual(['2 Plums', '1 Pears', '3 Figs']);
  expect(question()).toBeUndefined();
  expect(peekSavedGoods()).toEqual([]);
});

it('asks about a product in the size that was chosen', async () => {
  fill(goods(1, 'Kale', 'North'));
  const size = { _id: id(7), label: '5 kg sack', content: 5, price: 4, isActive: true };
  keepGoods({ ...goods(2, 'Plums', 'South'), sizes: [size] }, 1, size);
  open();
  expect(question()).toContain('Plums (5 kg sack) comes from South.');
});

it('keeps asking until it is answered, also after a reload, and adds the rest once', async () => {
  fill(goods(1, 'Kale', 'North'));
  keepGoods(goods(1, 'Kale', 'North'), 2);
  keepGoods(goods(2, 'Plums', 'South'), 2);
  const { rerender, unmount } = open();
  act(() => store.set(userAtom, { ...aUser('consumer'), phone: '555' }));
  rerender(
    <Providers>
      <AddSavedGoods />
    </Providers>,
  );
  expect(question()).toContain('Plums comes from South.');
  expect(inCart()).toEqual(['3 Kale']);
  unmount();
  open();
  expect(inCart()).toEqual(['3 Kale']);
  expect(question()).toContain('Plums comes from South.');
  await press('Keep my cart');
  cleanup();
  open();
  expect(question()).toBeUndefined();
  expect(inCart()).toEqual(['3 Kale']);
});

it('asks farm by farm, and a second press answers no second question', async () => {
  keepGoods(goods(1, 'Kale', 'North'), 1);
  keepGoods(goods(2, 'Plums', 'South'), 1);
  keepGoods(goods(3, 'Leeks', 'East'), 1);
  keepGoods(goods(4, 'Pears', 'South'), 1);
  open();
  expect(question()).toContain('goods of North; Plums and 1 more product come from South.');
  await press('Clear cart and add');
  expect(inCart()).toEqual(['1 Plums', '1 Pears']);
  expect(question()).toContain('goods of South; Leeks comes from East.');
  await userEvent.keyboard('{Enter}');
  expect(question()).toContain('Leeks comes from East.');
  await press('Keep my cart');
  expect(inCart()).toEqual(['1 Plums', '1 Pears']);
  expect(question()).toBeUndefined();
});

it('clears nothing that another tab has put into the cart from the same farm meanwhile', async () => {
  fill(goods(1, 'Kale', 'North'));
  keepGoods(goods(2, 'Plums', 'South'), 1);
  open();
  act(() => store.set(cartAtom, EMPTY_CART));
  expect(question()).not.toContain('holds goods');
  act(() => fill(goods(3, 'Pears', 'South')));
  await press('Clear cart and add');
  expect(inCart()).toEqual(['1 Pears', '1 Plums']);
});
