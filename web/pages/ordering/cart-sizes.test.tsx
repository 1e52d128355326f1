// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { cartAtom } from '../../ordering/cart/rules.ts';
import {
  beginWithCart,
  fillPickup,
  one,
  open,
  product,
  products,
} from '../../ordering/cart/testing/checkout.tsx';
import { aSize, id } from '../../ordering/cart/testing/goods.ts';
import { store } from '../../platform/session/session.ts';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { sent } from '../testing/page.tsx';

// A cart of what is sold in sizes by now.

beginWithCart(1);

const plums: Product = {
  ...product(0),
  quantityAvailable: 20,
  sizes: [aSize(1, 2.5), aSize(2, 4.5)],
};
const answers = (
  of: Product,
  place: () => Reply = () => one({ _id: id(77), items: [], timeline: [] }),
) => ({
  ...products,
  [`GET /products/${id(0)}`]: one(of),
  'POST /orders': place,
});

it('asks for a size, and orders nothing until one is chosen', async () => {
  const calls = stubNetwork(answers(plums));
  open();
  await fillPickup();
  expect(screen.getAllByText('Plums is sold in sizes. Choose one.')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Update my cart' })).toBeNull();
  expect(screen.queryByRole('spinbutton', { name: /^Quantity of/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(sent(calls, 'POST')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: /^2 kg/ }));
  expect(screen.queryByText('Some things in your cart have changed')).toBeNull();
  screen.getByRole('spinbutton', { name: 'Quantity of Plums (2 kg)' });
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await waitFor(() => expect(sent(calls, 'POST')).toHaveLength(1));
  expect(sent(calls, 'POST')).toMatchObject([
    { items: [{ product: id(0), size: aSize(2, 4.5)._id, quantity: 2, price: 4.5 }] },
  ]);
});

it('shows the ways out of a refusal, whatever was known of the size before', async () => {
  const inSize = { _id: aSize(2, 4.5)._id, label: '2 kg', content: 2 };
  store.set(cartAtom, (cart) => ({
    ...cart,
    lines: cart.lines.map((line) => ({ ...line, price: 4.5, size: inSize })),
  }));
  stubNetwork(
    answers(plums, () => ({
      status: 409,
      body: {
        ...{ success: false, code: 'SIZE_UNAVAILABLE', message: 'Gone.' },
        problems: [{ line: 0, code: 'SIZE_UNAVAILABLE' }],
      },
    })),
  );
  open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await screen.findByText('Some things in your cart have changed');
  const offered = screen.getByRole('list', { name: 'Sizes of Plums' });
  expect(offered.textContent).toContain('1 kg');
  expect(offered.textContent).not.toContain('2 kg');
});
