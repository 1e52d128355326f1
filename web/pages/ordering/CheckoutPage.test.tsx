// @vitest-environment happy-dom

import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cartAtom } from '../../ordering/cart/rules.ts';
import {
  beginWithCart,
  FARM,
  fillPickup,
  keptDraft,
  NAMES,
  one,
  open,
  product,
  products,
} from '../../ordering/cart/testing/checkout.tsx';
import { id } from '../../ordering/cart/testing/goods.ts';
import { store } from '../../platform/session/session.ts';
import { type Call, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { sent } from '../testing/page.tsx';

beginWithCart(NAMES.length);

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const placed = (call: Call): Reply =>
  one({ ...(call.body as object), _id: id(77), items: [], timeline: [] });

it('keeps what was typed over a reload', async () => {
  stubNetwork(products);
  const first = open();
  await fillPickup();
  fireEvent.change(screen.getByLabelText(/Notes/), { target: { value: 'By bicycle.' } });
  await vi.waitFor(() => expect(keptDraft()).toContain('By bicycle.'));
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

it('shows every problem of a refused order, and orders the updated cart', async () => {
  let refuses = true;
  const place = (call: Call): Reply => {
    if (!refuses) return placed(call);
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
  open();
  await fillPickup();
  await press('Place Order');

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

  await press('Update my cart');
  await press('Place Order');
  await vi.waitFor(() => expect(sent(calls, 'POST')).toHaveLength(2));
  expect(sent(calls, 'POST').at(-1)).toMatchObject({
    items: [
      { product: id(0), quantity: 2, price: 3 },
      { product: id(3), quantity: 4, price: 2.5 },
    ],
  });
});

it('says live that a line is priced by something else, and orders by what is seen', async () => {
  const seen = { unit: 'lb' as const };
  store.set(cartAtom, (cart) => ({
    ...cart,
    lines: cart.lines.slice(0, 1).map((line) => ({ ...line, ...seen })),
  }));
  const byPiece = { ...product(0), soldBy: 'piece_by_weight', pieceWeight: { average: 2 } };
  const calls = stubNetwork({
    [`GET /products/${id(0)}`]: one(byPiece),
    'POST /orders': placed,
  });
  open();
  await fillPickup();
  const heading = await screen.findByText('Some things in your cart have changed');
  expect(heading.parentElement?.textContent).toContain(
    'Plums is sold by the piece now, about 2 lb each. Your cart has 2 pieces of it now instead of 4 lb.',
  );
  await press('Place Order');
  expect(sent(calls, 'POST')).toEqual([]);
  await press('Update my cart');
  await press('Place Order');
  await vi.waitFor(() => expect(sent(calls, 'POST')).toHaveLength(1));
  expect(sent(calls, 'POST').at(-1)).toMatchObject({
    items: [
      {
        quantity: 2,
        price: 2.5,
        priceBasis: { unit: 'lb', pieceWeight: { average: 2 } },
      },
    ],
  });
});

describe('at a farm that keeps days', () => {
  // Thursday, 9:00 in Berlin.
  const NOW = new Date('2026-11-26T08:00:00Z');
  const hours = { open: '08:00', close: '14:00' };
  const address = { street: '', city: '', state: '', zipCode: '' };
  const day = (date: string, ordersUntil: string) => ({ date, ...hours, ordersUntil });
  const SATURDAY = day('2026-11-28', '2026-11-27T17:00:00.000Z');
  const TUESDAY = day('2026-12-01', '2026-11-30T17:00:00.000Z');
  const farm = one({
    farmer: { _id: FARM, name: 'Fern', address },
    profile: {
      farmName: 'Green Valley',
      acceptsPickup: true,
      acceptsDelivery: true,
      deliveryRadius: null,
      timeZone: 'Europe/Berlin',
      businessHours: Object.fromEntries(
        ['monday', 'wednesday', 'thursday', 'friday', 'sunday', 'saturday', 'tuesday'].map(
          (name) => [
            name,
            name === 'saturday' || name === 'tuesday' ? hours : { open: '', close: '' },
          ],
        ),
      ),
    },
    handoff: {
      pickup: true,
      delivery: true,
      deliveryRadius: null,
      openings: [{ days: ['tuesday', 'saturday'], ...hours }],
      timeZone: 'Europe/Berlin',
      cutoff: { daysBefore: 1, time: '18:00' },
      closedDays: [],
    },
  });
  const replies = {
    ...products,
    [`GET /users/farmers/${FARM}`]: farm,
    [`GET /users/farmers/${FARM}/days`]: one([SATURDAY, TUESDAY]),
  };
  const value = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;

  beforeEach(() => vi.setSystemTime(NOW));
  afterEach(() => vi.useRealTimers());

  it('offers the next days with their hours and until when to order, the first chosen', async () => {
    stubNetwork(replies);
    open();
    const first = await screen.findByRole('radio', { name: /Sat, Nov 28/ });
    expect(first).toHaveProperty('checked', true);
    expect(first.parentElement?.textContent).toBe('Sat, Nov 288 AM–2 PMorder until 6 PM tomorrow');
    expect([value(/Pickup date/), value(/Pickup time/)]).toEqual(['2026-11-28', '08:00']);
    await press('10:00 AM');
    expect(value(/Pickup time/)).toBe('10:00');
    await userEvent.click(screen.getByRole('radio', { name: /Tue, Dec 1/ }));
    expect([value(/Pickup date/), value(/Pickup time/)]).toEqual(['2026-12-01', '10:00']);
  });

  it('keeps the cart after a refusal, says why, and offers the next day', async () => {
    let refuses = true;
    const message = 'Orders for Sat, Nov 28 closed on Fri, Nov 27 at 6:00 PM.';
    const calls = stubNetwork({
      ...replies,
      'POST /orders': (call) => {
        if (!refuses) return placed(call);
        refuses = false;
        return {
          status: 409,
          body: {
            success: false,
            code: 'CUTOFF_PASSED',
            message,
            errors: [{ path: 'pickupDetails.date', message }],
            data: { next: TUESDAY },
          },
        };
      },
    });
    open();
    await screen.findByRole('radio', { name: /Sat, Nov 28/ });
    fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
    await press('Place Order');
    await userEvent.click(await screen.findByRole('button', { name: 'Choose Tue, Dec 1' }));
    expect(store.get(cartAtom).lines).toHaveLength(NAMES.length);
    await vi.waitFor(() => expect(screen.queryByText(message)).toBeNull());
    await vi.waitFor(() => expect(screen.queryByRole('button', { name: /^Choose/ })).toBeNull());
    await press('Place Order');
    await vi.waitFor(() => expect(sent(calls, 'POST')).toHaveLength(2));
    expect(sent(calls, 'POST')[1]).toMatchObject({ pickupDetails: { date: '2026-12-01' } });
  });

  it('says at once that a typed day is closed, and offers the next one', async () => {
    stubNetwork(replies);
    open();
    await screen.findByRole('radio', { name: /Sat, Nov 28/ });
    fireEvent.change(screen.getByLabelText(/Pickup date/), { target: { value: '2026-11-29' } });
    expect(await screen.findByText(/can't order for Sun, Nov 29/)).toBeTruthy();
    await press('Choose Tue, Dec 1');
    await vi.waitFor(() => expect(value(/Pickup date/)).toBe('2026-12-01'));
    await vi.waitFor(() => expect(screen.queryByText(/can't order for/)).toBeNull());
  });
});
