// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { stubNetwork } from '../../platform/testing/network.ts';
import { aLine, anOrderOf, aProposal } from '../../platform/testing/proposals.ts';
import { AddToOrder } from './AddToOrder.tsx';
import { goods, one, open, press, startFresh, stock } from './testing/screens.tsx';

startFresh();

const order = anOrderOf([aLine(1)]);
const path = `PUT /orders/${order._id}/items`;
/** More of what is in the order, and a product that is not among those of the farm that were found. */
const lines = [
  { productId: goods(1)._id, quantity: 2, price: 2.5, unit: 'lb' as const },
  { productId: goods(9)._id, quantity: 3, price: 4, unit: 'bunch' as const },
];

function openOffer() {
  const callbacks = { onAdded: vi.fn(), onRefused: vi.fn() };
  open('consumer', order, (shown) => (
    <AddToOrder
      orders={[shown]}
      handoff={{ cutoff: null, timeZone: 'UTC' }}
      lines={lines}
      disabled={false}
      {...callbacks}
    />
  ));
  return callbacks;
}

it.each([
  ['before the products of the farm are there', 'no answer'],
  ['that is not among the products that were found', stock],
] as const)('adds each line of the cart, also one %s', async (_, products) => {
  const calls = stubNetwork({
    'GET /products': products,
    [path]: one({ ...order, version: 4 }),
  });
  const { onAdded } = openOffer();
  if (products !== 'no answer') expect(await screen.findByText('₨27.00')).toBeDefined();
  await press(/^Add to your order/);
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    items: [
      { product: goods(1)._id, quantity: 6, price: 2.5, priceBasis: { unit: 'lb' } },
      { product: goods(9)._id, quantity: 3, price: 4, priceBasis: { unit: 'bunch' } },
    ],
    expectedVersion: 3,
  });
});

it('says so when the order can no longer be changed, and has added nothing', async () => {
  const message = "A change of this order waits for the customer's answer.";
  stubNetwork({
    'GET /products': stock,
    [path]: {
      status: 409,
      body: {
        success: false,
        message,
        code: 'OPEN_CHANGE',
        data: { ...order, version: 4, openChange: aProposal(anOrderOf([aLine(1), aLine(2)])) },
      },
    },
  });
  const { onAdded, onRefused } = openOffer();
  await press(/^Add to your order/);
  expect(await screen.findByText(message)).toBeDefined();
  expect(onRefused).toHaveBeenCalledOnce();
  expect(onAdded).not.toHaveBeenCalled();
});
