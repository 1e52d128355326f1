// @vitest-environment happy-dom

import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OrdersMet } from '#contract/platform/orders/closing';
import { Providers } from '../../app/Providers.tsx';
import { SchedulePart } from '../../farm/schedule/SchedulePart.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { ClosingQuestion } from './ClosingQuestion.tsx';

const user = aUser('farmer');
const schedule = {
  mode: 'notice',
  cutoff: null,
  exceptions: [],
  atCutoff: 'remind',
  bookableDays: 56,
  version: 3,
};
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const orderOf = (number: number, over: object = {}): OrdersMet['orders'][number] => ({
  _id: `0000000${number}-0000-4000-8000-000000000000`,
  title: `Cora Buyer ${number}, #0000000${number}`,
  date: '2090-12-24',
  time: '10:00',
  isDelivery: false,
  status: 'accepted',
  ...over,
});
const met = (key: string, count: number, ...orders: OrdersMet['orders']): OrdersMet => ({
  orders,
  count,
  key,
});

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, user);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Closes a day that meets orders: each preview has the next answer, the last one again and again. */
async function closeDay(previews: OrdersMet[], replies: Parameters<typeof stubNetwork>[0] = {}) {
  const saved: string[] = [];
  const left = [...previews];
  const save =
    (key: string): (() => Reply) =>
    () => {
      saved.push(key);
      return one({ ...schedule, version: 4 });
    };
  const calls = stubNetwork({
    'GET /farm/schedule': one(schedule),
    'PUT /farm/schedule?preview=true': () => one(left.length > 1 ? left.shift() : left[0]),
    ...Object.fromEntries(
      previews.map(({ key }) => [`PUT /farm/schedule?keeps=${key}`, save(key)]),
    ),
    ...replies,
  });
  render(
    <ClosingQuestion
      moveOrder={(id, onClose) => (
        <button type="button" onClick={onClose}>
          moves {id}
        </button>
      )}
    >
      <SchedulePart me={user} timeZone="UTC" countAnswered={async () => 0} />
    </ClosingQuestion>,
    { wrapper: Providers },
  );
  fireEvent.change(await screen.findByLabelText(/^From/), { target: { value: '2090-12-24' } });
  await userEvent.click(screen.getByRole('button', { name: 'Close these days' }));
  return { saved, calls };
}

const dialog = (name: RegExp) => screen.findByRole('alertdialog', { name });

describe('a change that meets open orders', () => {
  it('is saved at once where it meets none, with what the farm has seen', async () => {
    const { saved } = await closeDay([met('none', 0)]);
    await waitFor(() => expect(saved).toEqual(['none']));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('names them first, and saves once the farm keeps them', async () => {
    const { saved } = await closeDay([met('two', 2, orderOf(1), orderOf(2))]);
    const shown = within(await dialog(/^2 open orders are affected/));
    expect(shown.getByText('Cora Buyer 1, #00000001').closest('a')?.getAttribute('href')).toBe(
      `/orders/${orderOf(1)._id}`,
    );
    expect(shown.getAllByText('Pickup Sun, Dec 24, 2090 at 10:00 AM')).toHaveLength(2);
    expect(saved).toEqual([]);
    await userEvent.click(shown.getByRole('button', { name: 'Save and keep 2 orders' }));
    await waitFor(() => expect(saved).toEqual(['two']));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  it('is not saved where the farm goes back, and its form says so', async () => {
    const { saved } = await closeDay([met('one', 1, orderOf(1))]);
    await userEvent.click(
      within(await dialog(/^1 open order is affected/)).getByRole('button', { name: 'Go back' }),
    );
    await screen.findByText('Not saved yet. Your changes are still here.');
    expect(screen.getByLabelText<HTMLInputElement>(/^From/).value).toBe('2090-12-24');
    expect(saved).toEqual([]);
  });

  it('says of a thousand how many are not listed', async () => {
    await closeDay([met('all', 1000, orderOf(1))]);
    const shown = within(await dialog(/^1,000 open orders are affected/));
    shown.getByText('999 more orders are not listed here. They are kept as well.');
  });

  it('asks again where orders came meanwhile', async () => {
    const { saved } = await closeDay([met('old', 1, orderOf(1)), met('new', 2)], {
      'PUT /farm/schedule?keeps=old': {
        status: 409,
        body: {
          success: false,
          code: 'ORDERS_MET',
          message: 'Look through them again, then save.',
          data: met('new', 2, orderOf(1), orderOf(2)),
        },
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Save and keep this order' }));
    const shown = within(await dialog(/^2 open orders are affected/));
    shown.getByText('Look through them again, then save.');
    await userEvent.click(shown.getByRole('button', { name: 'Save and keep 2 orders' }));
    await waitFor(() => expect(saved).toEqual(['new']));
  });

  it('lets the farm cancel and move some of them first', async () => {
    const inSlot = orderOf(2, { slotId: orderOf(9)._id, endTime: '11:00' });
    const { saved, calls } = await closeDay(
      [met('two', 2, orderOf(1), inSlot), met('one', 1, inSlot), met('none', 0)],
      { 'PUT /orders/status': one([{ _id: orderOf(1)._id, order: {} }]) },
    );
    const shown = within(await dialog(/^2 open orders/));
    await userEvent.click(shown.getByLabelText('Select Cora Buyer 1, #00000001'));
    await userEvent.click(shown.getByRole('button', { name: 'Cancel 1 order' }));
    const question = within(await dialog(/^Cancel 1 order\?/));
    await userEvent.type(question.getByLabelText(/^Reason/), 'A holiday');
    await userEvent.click(question.getByRole('button', { name: 'Cancel 1 order' }));
    await dialog(/^1 open order is affected/);
    expect(calls.find(({ path }) => path === '/orders/status')?.body).toEqual({
      ids: [orderOf(1)._id],
      status: 'cancelled',
      reason: 'A holiday',
    });
    await userEvent.click(screen.getByRole('button', { name: 'Move Cora Buyer 2, #00000002' }));
    await userEvent.click(await screen.findByText(`moves ${inSlot._id}`));
    const done = within(await dialog(/^No open order is affected any more/));
    await userEvent.click(done.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual(['none']));
  });
});
