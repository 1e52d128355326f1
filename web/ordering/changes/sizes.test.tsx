// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { OrderLine } from '#contract/ordering/changes/order-lines';
import { localToday } from '../../platform/format/format.ts';
import { store } from '../../platform/session/session.ts';
import { type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { aLine, anOrderOf } from '../../platform/testing/proposals.ts';
import { ProposeDialog } from './proposals/FarmProposal.tsx';
import { fittingQuantity } from './rules.ts';
import ShortageDialog from './shortage/ShortageDialog.tsx';
import { runStatesAtom, shortageRunsAtom } from './shortage/shortage-runs.ts';
import { goods, one, open, press, startFresh } from './testing/screens.tsx';

// What a farm is short of where its products are sold in sizes.

startFresh();
afterEach(() => {
  store.set(shortageRunsAtom, []);
  store.set(runStatesAtom, new Map());
});

const size = (label: string, content: number, price: number) => ({
  _id: `00000000-0000-4000-8000-0000000008${String(content).padStart(2, '0')}`,
  label,
  content,
  price,
  isActive: true,
});
const [small, large] = [size('1 kg', 1, 3), size('5 kg', 5, 12)];
const carrots = goods(1, {
  name: 'Carrots',
  unit: 'kg',
  price: 3,
  quantityAvailable: 12.5,
  sizes: [small, large],
});
const inSize = (number: number, { price, ...of }: typeof small, quantity: number): OrderLine =>
  aLine(number, {
    product: { _id: carrots._id, name: 'Carrots', images: [], unit: 'kg' },
    size: { _id: of._id, label: of.label, content: of.content },
    quantity,
    price,
    estimate: price * quantity,
    total: price * quantity,
  });
const order = anOrderOf([inSize(1, small, 4), inSize(2, large, 2)]);

describe('a shortage', () => {
  const outcome = (line: OrderLine, share: number) => ({
    orderId: order._id,
    lineId: line._id,
    customer: { _id: 'c', name: 'Ann' },
    date: '2026-11-05',
    time: '10:00',
    size: line.size,
    quantity: line.quantity,
    share,
    outcome: share === line.quantity ? 'unchanged' : 'proposed',
  });
  const [first, second] = order.items as [OrderLine, OrderLine];
  const openDialog = async () => {
    const sent: { shares?: unknown; batchId?: string }[] = [];
    stubNetwork({
      'GET /farm/picklist/days': one([]),
      'POST /farm/shortages': ({ body }): Reply => {
        sent.push(body as (typeof sent)[number]);
        return one({
          batchId: 'b',
          ordered: 14,
          left: 2.5,
          outcomes: [outcome(first, 2), outcome(second, 1)],
        });
      },
    });
    open('farmer', order, () => (
      <ShortageDialog product={carrots} farmToday={localToday()} onClose={() => {}} />
    ));
    await userEvent.type(await screen.findByLabelText(/^How much is there \(kg\)/), '9.5');
    return sent;
  };

  it('gives each line whole pieces, and says what is left over', async () => {
    await openDialog();
    await screen.findByText('14 kg ordered, 7 kg shared');
    screen.getByText('· 2.5 kg stays in stock');
    screen.getByText('4 × 1 kg');
    screen.getByText('2 × 5 kg');
    // Two lines of one order.
    await press('Share among 1 order');
    await screen.findByText('2.5 kg fits no size and stays in stock.');
  });

  it('is shared by hand line by line', async () => {
    const sent = await openDialog();
    await userEvent.click(await screen.findByRole('radio', { name: /By hand/ }));
    await press(/^One more.*Ann \(1 kg\)/);
    await screen.findByText('14 kg ordered, 8 kg shared');
    await press('Share among 1 order');
    await waitFor(() => expect(sent.some(({ batchId }) => batchId)).toBe(true));
    expect(sent.find(({ batchId }) => batchId)?.shares).toEqual([
      { orderId: order._id, lineId: first._id, quantity: 3 },
      { orderId: order._id, lineId: second._id, quantity: 1 },
    ]);
  });
});

describe('a proposal', () => {
  const beets = goods(5, {
    name: 'Beets',
    unit: 'kg',
    price: 2,
    quantityAvailable: 30,
    sizes: [size('2 kg', 2, 5), size('10 kg', 10, 20)],
  });

  it('offers another product in a size, as much of it', async () => {
    const calls = stubNetwork({
      'GET /products': {
        status: 200,
        body: { success: true, data: [carrots, beets], count: 2, nextCursor: null },
      },
      [`POST /orders/${order._id}/changes`]: one(order),
    });
    open('farmer', order, () => <ProposeDialog order={order} onClose={() => {}} />);
    const row = within((await screen.findAllByRole('group'))[1] as HTMLElement);
    row.getByText('2 × Carrots (5 kg)');
    await userEvent.click(row.getByRole('radio', { name: 'Instead' }));
    await press(/^Beets/);
    screen.getByText('Which size of Beets?');
    await press(/^2 kg/);
    // Ten kilograms are five bags.
    expect(screen.getByLabelText<HTMLInputElement>('Beets (2 kg) instead').value).toBe('5');
    await press('Ask Cora Buyer');
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      items: [
        {
          lineId: order.items[1]?._id,
          action: 'substitute',
          substitute: { productId: beets._id, size: beets.sizes?.[0]?._id, quantity: 5 },
        },
      ],
    });
  });

  it('reduces a size by whole pieces', async () => {
    stubNetwork({
      'GET /products': { status: 200, body: { success: true, data: [], nextCursor: null } },
    });
    open('farmer', order, () => <ProposeDialog order={order} onClose={() => {}} />);
    const row = within((await screen.findAllByRole('group'))[0] as HTMLElement);
    await userEvent.click(row.getByRole('radio', { name: 'Less' }));
    expect(screen.getByLabelText<HTMLInputElement>('Carrots (1 kg) that is there').value).toBe('3');
  });

  it('fits what is there of a size, and at least one', () => {
    const [line] = order.items as [OrderLine];
    const offered = { ...beets, sizes: undefined, quantityAvailable: 3 };
    const tens = { ...offered, size: { _id: 'x', label: '10 kg', content: 10 } };
    expect(fittingQuantity(line, tens)).toBe(1);
    const halves = { ...offered, size: { _id: 'x', label: '0.5 kg', content: 0.5 } };
    expect(fittingQuantity(line, halves)).toBe(3);
  });
});
