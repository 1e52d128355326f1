// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Proposal } from '#contract/ordering/changes/order-lines';
import type { Order } from '#contract/ordering/orders/orders';
import { stubNetwork } from '../../../platform/testing/network.ts';
import { aLine, anOrderOf, aProposal } from '../../../platform/testing/proposals.ts';
import { one, open, press, startFresh } from '../testing/screens.tsx';
import { ConsumersProposal } from './AnswerCard.tsx';

// What a farm asks for goods that weigh more than expected: the dearer price, or the limit.

startFresh();

/** Two lines, expected at 10 each; the first costs 12 and would cost 15, the second 12 and 14. */
function heavier(count: number, over: Partial<Order> = {}): Order {
  const plain = anOrderOf([
    aLine(1, { total: 12, packed: 6 }),
    aLine(2, count === 2 ? { total: 12, packed: 5.6 } : {}),
  ]);
  const items = plain.items
    .slice(0, count)
    .map(({ _id, product, quantity, price }, index): Proposal['items'][number] => ({
      lineId: _id,
      action: 'overweight',
      product,
      quantity,
      price,
      packed: index === 0 ? 6 : 5.6,
      totalBefore: 10,
      totalAfter: index === 0 ? 15 : 14,
    }));
  const openChange = aProposal(plain, {
    note: '',
    totalBefore: plain.totalAmount,
    totalAfter: count === 2 ? 29 : 25,
    items,
  });
  return { ...plain, openChange, ...over };
}
const answerPath = ({ _id, openChange }: Order) =>
  `PUT /orders/${_id}/changes/${openChange?._id}/answer`;
const answersIn = (calls: ReturnType<typeof stubNetwork>) =>
  calls
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => (body as { items: { answer: string }[] }).items.map(({ answer }) => answer));

it.each([
  ['Accept ₨25.00', 'accept'],
  ['Keep the limit of ₨22.00', 'keep_limit'],
])('is answered by one press: %s', async (name, answer) => {
  const order = heavier(1);
  const calls = stubNetwork({
    [answerPath(order)]: one({ ...order, openChange: null, version: 5 }),
  });
  open('consumer', order, (order) => <ConsumersProposal order={order} />);
  const card = within(await screen.findByRole('region', { name: /asks: is this all right/ }));
  expect(
    card.getByText(
      /Accept and your order comes to ₨25\.00\. Keep the limit and it comes to ₨22\.00 at most: the farm packs these for that price, or lighter ones\./,
    ),
  ).toBeDefined();
  expect(card.getByText(/the limit is kept: you pay the smaller total of ₨22\.00\./)).toBeDefined();
  // The line itself need not say the same with other amounts.
  expect(card.queryByRole('button', { name: /^Pay/ })).toBeNull();
  // What was left out by mistake comes back.
  await press('Leave out Product 1');
  expect(screen.queryByRole('button', { name })).toBeNull();
  await press('Leave out Product 1');
  await press(name);
  await waitFor(() => expect(answersIn(calls)).toEqual([[answer]]));
});

it('can be answered line by line, with the total that follows', async () => {
  const order = heavier(2);
  const calls = stubNetwork({
    [answerPath(order)]: one({ ...order, openChange: null, version: 5 }),
  });
  open('consumer', order, (order) => <ConsumersProposal order={order} />);
  await screen.findByRole('button', { name: 'Keep the limit of ₨24.00' });
  await press('Keep the limit of ₨12.00 for Product 2');
  expect(screen.queryByRole('button', { name: 'Keep the limit of ₨24.00' })).toBeNull();
  expect(screen.getByText('₨27.00')).toBeDefined();
  await press('Send my answer');
  await waitFor(() => expect(answersIn(calls)).toEqual([['accept', 'keep_limit']]));
});

it('has no limit where the farm is short of something', async () => {
  const plain = anOrderOf([aLine(1), aLine(2)]);
  open('consumer', { ...plain, status: 'pending', openChange: aProposal(plain) }, (order) => (
    <ConsumersProposal order={order} />
  ));
  await screen.findByRole('button', { name: 'Accept all' });
  expect(screen.queryByRole('button', { name: /limit/ })).toBeNull();
  expect(screen.getByText(/The farm still has to accept your order then\./)).toBeDefined();
});
