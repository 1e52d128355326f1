// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser } from '../../platform/testing/network.ts';
import { AddToCart } from './AddToCart.tsx';
import { cartAtom, EMPTY_CART, type Goods } from './rules.ts';
import { aSize, potatoes } from './testing/goods.ts';

const page = (goods: Goods) => (
  <Providers>
    <AddToCart goods={goods}>{({ controls }) => controls}</AddToCart>
  </Providers>
);
const radio = (name: RegExp) => screen.getByRole<HTMLInputElement>('radio', { name });
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' });
/** What is on its card, without spaces that keep words together. */
const textOf = (name: RegExp) => radio(name).closest('label')?.textContent;

beforeEach(() => {
  localStorage.clear();
  store.set(cartAtom, EMPTY_CART);
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('consumer'));
});
afterEach(cleanup);

it('shows the sizes as one group, each with its price, its unit price and how many are left', async () => {
  render(page(potatoes()));
  expect(within(screen.getByRole('group', { name: 'Size' })).getAllByRole('radio')).toHaveLength(3);
  expect(radio(/^1 kg/).checked).toBe(true);
  expect(textOf(/^5 kg/)).toContain('2 left');
  expect(textOf(/^5 kg/)).toContain('₨5.00');
  await userEvent.click(radio(/^5 kg/));
  screen.getByText('₨5.00 for 5 kg');
  await userEvent.click(screen.getByRole('button', { name: 'One more: Quantity' }));
  screen.getByText('₨10.00 for 2 × 5 kg');
  await userEvent.click(button());
  screen.getByText(/^2 × 5 kg in your/);
  expect(store.get(cartAtom).lines).toMatchObject([{ quantity: 2, size: { content: 5 } }]);
});

it('begins with the first that is left; what is sold out can be looked at alone', async () => {
  const sizes = [aSize(5, 5), aSize(1, 1.2, { isActive: false }), aSize(2, 2.2)];
  const { rerender } = render(page(potatoes({ sizes, quantityAvailable: 4 })));
  expect(screen.queryByRole('radio', { name: /^1 kg/ })).toBeNull();
  expect(radio(/^2 kg/).checked).toBe(true);
  expect(textOf(/^5 kg/)).toContain('Sold out');
  await userEvent.click(radio(/^5 kg/));
  expect([radio(/^5 kg/).checked, button().disabled]).toEqual([true, true]);
  // Live: there is more, and then it is turned off.
  rerender(page(potatoes({ sizes, quantityAvailable: 5 })));
  expect([textOf(/^5 kg/)?.includes('1 left'), button().disabled]).toEqual([true, false]);
  rerender(page(potatoes({ sizes: sizes.slice(1), quantityAvailable: 5 })));
  expect(radio(/^2 kg/).checked).toBe(true);
});

it('goes by the smallest order of the size', () => {
  render(page(potatoes({ sizes: [aSize(1, 1.2, { minimum: 3 })] })));
  expect(screen.getByRole<HTMLInputElement>('spinbutton').value).toBe('3');
  screen.getByText('Sold in whole numbers, from 3.');
});

it('says no stock of what is always there, and the most of an order', () => {
  render(page(potatoes({ availability: 'always', quantityAvailable: 1_000_000, maxPerOrder: 7 })));
  expect(document.body.textContent).not.toMatch(/left|000,/);
  screen.getByText('An order can have at most 7 kg.');
  expect(screen.getByRole('spinbutton').getAttribute('aria-valuemax')).toBe('7');
});
