// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import { changesOf, totalsOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { Providers } from '../../app/Providers.tsx';
import PicklistPage from '../../pages/ordering/PicklistPage.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { undoAtom } from './HarvestView.tsx';
import { queuedWorkAtom, stopWatchingWork } from './work/send-work.ts';

const farmer = aUser('farmer', 'Finn Grower');
const date = '2026-11-28';
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

/** A line of carrots in a size of so many kilograms. */
const line = (number: number, content: number, quantity: number, printed = quantity) => ({
  lineId: id(100 + number),
  product: { _id: id(1), name: 'Carrots', unit: 'kg' as const, image: null },
  size: { _id: id(10 + content), label: `${content} kg`, content },
  quantity,
  orderedQuantity: quantity,
  price: 2 * content,
  estimate: 2 * content * quantity,
  isFinal: true,
  total: 2 * content * quantity,
  printed,
});
const order = (number: number, name: string, lines: PickOrder['lines']): PickOrder => ({
  _id: id(200 + number),
  status: 'accepted',
  version: 2,
  customer: { _id: id(300 + number), name },
  notes: '',
  place: 'Farm gate',
  placeId: null,
  address: null,
  date,
  time: '10:00',
  packing: 'none',
  askedLineIds: [],
  changed: { sequence: 2, at: '2026-11-27T10:00:00.000Z', kind: 'status' },
  lines,
});
const orders = [
  order(1, 'Ann', [line(1, 1, 4), line(2, 4, 1)]),
  order(2, 'Ben', [line(3, 4, 1, 0)]),
];

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  cleanup();
  stopWatchingWork();
  store.set(queuedWorkAtom, []);
  store.set(undoAtom, []);
  store.set(userAtom, null);
  vi.unstubAllGlobals();
});

function open(query = ''): Call[] {
  window.history.replaceState(null, '', `/farmer/picklist?date=${date}${query}`);
  const scope = { date, place: null };
  const by = { _id: id(8), name: 'Ben' };
  const calls = stubNetwork({
    [`GET /users/farmers/${farmer._id}`]: one({ farmer, profile: { timeZone: 'UTC' } }),
    'GET /farm/places': one([]),
    'GET /farm/picklist': one({
      ...scope,
      orders,
      nextCursor: null,
      ticks: [],
      print: { _id: id(9), number: 2, at: '2026-11-27T12:00:00.000Z', by },
      products: totalsOf(orders, [], scope, true),
      changes: changesOf(orders, scope),
    }),
    'GET /farm/picklist/days': one([]),
    'PUT /farm/picklist/ticks': ({ body }) => {
      const { expectedVersion, ...tick } = body as { expectedVersion: number };
      return one({ ...tick, version: expectedVersion + 1, by, at: new Date().toISOString() });
    },
  });
  render(
    <Providers>
      <Route path="/farmer/picklist" component={PicklistPage} />
    </Providers>,
  );
  return calls;
}

it('has one harvest of all sizes, with how it is packed, and ticks it as one', async () => {
  const calls = open();
  const row = await screen.findByRole('checkbox', {
    name: 'Carrots, 12 kg, 4 × 1 kg, 2 × 4 kg',
  });
  within(row).getByText('4 × 1 kg, 2 × 4 kg');
  await userEvent.click(row);
  const ticks = () => calls.filter(({ path }) => path === '/farm/picklist/ticks');
  await waitFor(() => expect(ticks()).toHaveLength(1));
  expect(ticks()[0]?.body).toMatchObject({ productId: id(1), unit: 'kg', quantity: 12 });
});

it('says of which size something changed since the print', async () => {
  open();
  const changes = await screen.findByRole('button', { name: '+4 since print 2' });
  const seen = { name: 'Seen: Ben, Carrots (4 kg) new' };
  // Once in the list of all changes, and once at its product.
  expect(screen.getAllByRole('button', seen)).toHaveLength(1);
  await userEvent.click(changes);
  expect(screen.getAllByRole('button', seen)).toHaveLength(2);
});

it('packs lines by size, which no scale weighs', async () => {
  open('&view=pack');
  await userEvent.click(await screen.findByRole('button', { name: /^Ann/ }));
  screen.getByText('4 × Carrots (1 kg)');
  screen.getByText('1 × Carrots (4 kg)');
  expect(screen.queryByRole('button', { name: /^Weigh/ })).toBeNull();
  expect(screen.queryByLabelText(/^Weight of/)).toBeNull();
  await userEvent.click(screen.getByText('By product'));
  await screen.findByText('Nothing to weigh');
});
