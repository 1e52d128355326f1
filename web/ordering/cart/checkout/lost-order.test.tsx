// @vitest-environment happy-dom

import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Envelope } from '#contract/platform/events/socket';
import { createQueryClient } from '../../../platform/queries/query-client.ts';
import { store } from '../../../platform/session/session.ts';
import { stubNetwork } from '../../../platform/testing/network.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { cartAtom, EMPTY_CART } from '../rules.ts';
import {
  beginWithCart,
  fillPickup,
  keptDraft,
  NAMES,
  one,
  open,
  products,
} from '../testing/checkout.tsx';
import { id } from '../testing/goods.ts';
import { cartReducers } from './attempt.ts';

// An order whose answer does not come: it is placed once, and the consumer sees its state.

beginWithCart(NAMES.length);

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
  expect(keptDraft()).toBeNull();
});

it('sends what got no answer as it was, whatever the market has learned since', async () => {
  let isLost = true;
  const wishes = () =>
    // An order that took effect is how the consumer wished it last time.
    one(isLost ? [] : NAMES.map((_, number) => ({ product: id(number), onShort: 'ask' })));
  const calls = stubNetwork({
    ...products,
    'GET /orders/wishes': wishes,
    'POST /orders': (call) =>
      isLost
        ? 'no answer'
        : one({ ...(call.body as object), _id: id(77), items: [], timeline: [] }),
  });
  const posts = () => calls.filter(({ method }) => method === 'POST');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const first = open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await screen.findByText(/your order isn't placed yet/);
  isLost = false;
  first.unmount();
  open();
  await screen.findByLabelText(/Pickup date/);
  await vi.waitFor(() =>
    expect(calls.filter(({ path }) => path === '/orders/wishes').length).toBeGreaterThan(1),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(store.get(cartAtom)).toEqual(EMPTY_CART));
  expect(posts()).toHaveLength(2);
  expect(new Set(posts().map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set(posts().map(({ key }) => key)).size).toBe(1);
});

it('shows an order whose answer was lost when it comes live', async () => {
  const calls = stubNetwork({ ...products, 'POST /orders': 'no answer' });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await screen.findByText(/your order isn't placed yet/);
  const sent = calls.find(({ method }) => method === 'POST');
  const arrive = (commandId: string) =>
    act(() =>
      cartReducers['order.created'](createQueryClient(), {
        commandId,
        data: { ...(sent?.body as object), _id: id(77), items: [], timeline: [] },
      } as unknown as Envelope<'order.created'>),
    );
  arrive(id(1));
  expect(store.get(cartAtom).lines).toHaveLength(NAMES.length);
  arrive(sent?.key ?? '');
  await vi.waitFor(() => expect(store.get(cartAtom)).toEqual(EMPTY_CART));
  await vi.waitFor(() => expect(window.location.pathname).toBe(`/orders/${id(77)}`));
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
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
  // What it would have sent comes before what it is told to send.
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  const posts = () => calls.filter(({ method }) => method === 'POST');
  await vi.waitFor(() => expect(posts().length).toBeGreaterThan(1));
  expect(posts()).toHaveLength(2);
  expect(posts()[1]?.body).toMatchObject({ pickupDetails: { time: '11:00' } });
});

it('says in a toast, and beside the form, why an order of an unverified email is refused', async () => {
  const toasted = vi.spyOn(toast, 'error');
  const message = 'Confirm your email first.';
  stubNetwork({
    ...products,
    'POST /orders': {
      status: 403,
      body: { success: false, code: 'EMAIL_NOT_VERIFIED', message },
    },
  });
  open();
  await fillPickup();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(toasted.mock.calls.map(([text]) => text)).toEqual([message]));
  expect(store.get(cartAtom).lines).toHaveLength(NAMES.length);
});
