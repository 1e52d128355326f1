// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { stubNetwork } from '../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { PreferenceLines } from './PreferenceLines.tsx';
import { one, open, press, startFresh } from './testing/screens.tsx';

startFresh();

const short = aLine(1, { quantity: 0, orderedQuantity: 4, state: 'removed', total: 0 });
const instead = aLine(7, {
  quantity: 2,
  orderedQuantity: 0,
  state: 'added',
  replaces: short._id,
});

/** An order whose first line was replaced as its consumer wished, and what else stands in it. */
const replaced = (more: Order['items'], over: Partial<Order> = {}): Order =>
  anOrderOf([short, ...more, instead], {
    packing: 'packing',
    timeline: [
      {
        sequence: 3,
        kind: 'lines',
        at: '2026-11-02T12:00:00.000Z',
        by: { _id: 'f', name: 'Ann Farmer', role: 'farmer' },
        detail: {
          cause: 'shortage',
          totalBefore: 20,
          totalAfter: 15,
          differences: [
            { lineId: short._id, product: short.product, from: 4, to: 0, price: 2.5 },
            {
              lineId: instead._id,
              product: instead.product,
              from: 0,
              to: 2,
              price: 2.5,
              replaces: short._id,
            },
          ],
        },
      },
    ],
    ...over,
  });
const openPage = (order: Order) =>
  open('consumer', order, (order) => <PreferenceLines order={order} />);

it('lets the customer take out what came as they wished, also while the order is packed', async () => {
  const order = replaced([aLine(2)]);
  const after = { ...order, version: 4, items: [short, aLine(2), { ...instead, quantity: 0 }] };
  const calls = stubNetwork({ [`PUT /orders/${order._id}/items`]: one(after) });
  openPage(order);
  expect(
    screen.getByText('2 lb Product 7 came in the place of Product 1, as you wished.'),
  ).toBeDefined();
  await press('Take it out Product 7');
  expect(screen.getByText(/^Your order comes to ₨10\.00 then\./)).toBeDefined();
  await press('Take it out');
  expect(await screen.findByText('Your order is changed')).toBeDefined();
  expect(screen.queryByText(/as you wished/)).toBeNull();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    items: [{ product: aLine(2).product._id, quantity: 4 }],
    expectedVersion: 3,
  });
});

it('says that an order of which nothing is left then is cancelled', async () => {
  const order = replaced([]);
  const calls = stubNetwork({
    [`PUT /orders/${order._id}/items`]: one({ ...order, version: 4, status: 'cancelled' }),
  });
  openPage(order);
  await press('Take it out Product 7');
  expect(screen.getByText(/^Nothing is left then, so your order is cancelled\./)).toBeDefined();
  await press('Cancel order');
  expect(await screen.findByText('Your order is cancelled')).toBeDefined();
  expect(screen.queryByText(/as you wished/)).toBeNull();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ items: [] });
});

it.each([
  ['is packed', { packing: 'packed' }],
  ['is over', { status: 'completed' }],
  ['has what its customer was asked about', { timeline: [] }],
] as const)('offers nothing of an order that %s', (_, over) => {
  openPage(replaced([aLine(2)], over as Partial<Order>));
  expect(screen.queryByText(/as you wished/)).toBeNull();
});
