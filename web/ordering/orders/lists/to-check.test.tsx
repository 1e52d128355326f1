// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { Providers } from '../../../app/Providers.tsx';
import FarmerOrdersPage from '../../../pages/ordering/FarmerOrdersPage.tsx';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import {
  aToken,
  aUser,
  emptyList,
  type Reply,
  stubNetwork,
} from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { flushAnswers, stopWatchingAnswers, storedAnswersAtom } from '../answers/queued-answers.ts';

const [usual, other] = [anOrder(1), anOrder(2)];
const own = anOrder(3, {
  toCheck: ['own_place'],
  pickupDetails: { date: '2026-11-05', time: '16:30', location: 'My house please' },
});
const far = anOrder(4, { toCheck: ['area'] });
const orders = [usual, other, own, far];

/** Opens the farmer's orders, on a phone or not. @returns what is sent */
async function open({ isPhone = false, listed = orders as readonly Order[] } = {}) {
  const media = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', (query: string) => ({
    ...media,
    matches: !isPhone && query.startsWith('(min-width'),
  }));
  const page: Reply = {
    status: 200,
    body: { success: true, data: listed, count: listed.length, nextCursor: null },
  };
  const calls = stubNetwork({
    'GET /orders/farmer': page,
    'GET /products': emptyList,
    'PUT /orders/status': ({ body }) => ({
      status: 200,
      body: {
        success: true,
        data: (body as { ids: string[] }).ids.map((_id) => ({
          _id,
          order: { ...orders.find((order) => order._id === _id), status: 'accepted', version: 2 },
        })),
      },
    }),
  });
  render(
    <Providers>
      <FarmerOrdersPage />
    </Providers>,
  );
  await waitFor(() => expect(rowOf(listed.at(-1) as Order)).not.toBeNull());
  return calls;
}

const rowOf = ({ _id }: Order) => document.querySelector<HTMLElement>(`[data-order="${_id}"]`);
const within$ = (order: Order) => within(rowOf(order) as HTMLElement);

beforeEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/farmer/orders?status=pending');
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('farmer'));
});
afterEach(() => {
  cleanup();
  stopWatchingAnswers();
  store.set(storedAnswersAtom, []);
  vi.unstubAllGlobals();
});

it.each([true, false])('says on the row what to look at first, on a phone: %s', async (isPhone) => {
  await open({ isPhone });
  within$(own).getByText('Own place');
  within$(own).getByText(/^My house please · /);
  within$(far).getByText('Area not confirmed');
  expect(within$(usual).queryByText('Own place')).toBeNull();
});

it('selects none of these with all others, and accepts what was chosen by hand', async () => {
  const calls = await open();
  const sent = () => calls.filter(({ path }) => path === '/orders/status').map(({ body }) => body);
  const all = await screen.findByRole('checkbox', { name: 'Select all 2' });
  await userEvent.click(all);
  await screen.findByText('2 selected');
  await userEvent.click(within$(own).getByRole('checkbox'));
  await screen.findByText('3 selected');
  // All usual ones are selected, whatever was chosen beside them.
  expect((all as HTMLInputElement).checked).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Accept 3' }));
  flushAnswers();
  await waitFor(() =>
    expect(sent()).toEqual([
      { ids: [usual._id, other._id, own._id], status: 'accepted', checked: [own._id] },
    ]),
  );
});

it('offers no "all" where each has to be looked at', async () => {
  await open({ listed: [own, far] });
  expect(screen.queryByRole('checkbox', { name: /^Select all/ })).toBeNull();
  await userEvent.click(within$(far).getByRole('checkbox'));
  await screen.findByText('1 selected');
});

it('says of an accepted order that it is packed, and no more what was to be looked at', async () => {
  window.history.replaceState(null, '', '/farmer/orders');
  const packed: Order = { ...own, status: 'accepted', packing: 'packed' };
  await open({ listed: [packed] });
  within$(packed).getByText('Packed');
  expect(within$(packed).queryByText('Own place')).toBeNull();
});
