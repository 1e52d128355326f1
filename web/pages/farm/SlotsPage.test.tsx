// @vitest-environment happy-dom
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FarmSlot, SlotUpdate } from '#contract/farm/slots/slots';
import type { User } from '#contract/people/users/users';
import { applyEvent } from '../../app/live/reducers.ts';
import { aFarmSlot, MARKET } from '../../ordering/slots/testing/slots.ts';
import { store, userAtom } from '../../platform/session/session.ts';
import { aUser, stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { beginAs, list, one, open, sent } from '../testing/page.tsx';
import SlotsPage from './SlotsPage.tsx';

const NOW = new Date('2026-11-23T08:00:00Z');
const farmer = aUser('farmer', 'Finn Grower');

let slots: FarmSlot[];
let cache: QueryClient;
function Cache() {
  cache = useQueryClient();
  return null;
}

let isWide: boolean;

beginAs(farmer);
beforeEach(() => {
  isWide = false;
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { matches: isWide, media }) as MediaQueryList,
  );
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  slots = [
    aFarmSlot('2026-11-24', '09:00', { taken: 2, capacity: 4 }),
    aFarmSlot('2026-11-24', '10:00', { taken: 7, capacity: 4 }),
    aFarmSlot('2026-11-26', '09:00', { state: 'closed', capacity: 4 }),
  ];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function openWith(
  replies: Parameters<typeof stubNetwork>[0] = {},
  me: User = farmer,
  address = '/farmer/slots?day=2026-11-24',
) {
  window.history.replaceState(null, '', address);
  store.set(userAtom, me);
  const calls = stubNetwork({
    [`GET /users/farmers/${farmer._id}`]: one({ farmer, profile: { timeZone: 'UTC' } }),
    'GET /farm/places': one([{ ...MARKET, isActive: true, hours: [], version: 1 }]),
    'GET /farm/slots': () => one(slots),
    ...replies,
  });
  open(
    <>
      <SlotsPage />
      <Cache />
    </>,
  );
  return calls;
}
const tile = async (index: number) => {
  await screen.findByText('Market square');
  const element = document.querySelector<HTMLElement>(`[data-slot="${slots[index]?._id}"]`);
  if (!element) throw new Error('The slot is not shown.');
  return within(element);
};
/** Applies the event that the farm receives of a changed slot. */
function applyUpdate(slot: FarmSlot): void {
  const { _id, state, taken, capacity } = slot;
  const room = capacity === null ? null : Math.max(0, capacity - taken);
  const data: SlotUpdate = {
    _id,
    farmId: farmer._id,
    hasLimit: capacity !== null,
    remaining: room,
    state,
    taken,
    capacity,
  };
  slots = slots.map((each) => (each._id === _id ? slot : each));
  act(() =>
    applyEvent(cache, { seq: 9, id: _id, at: NOW.toISOString(), name: 'slot.updated', data }),
  );
}

it('shows one day with how full each slot is, and how many are over', async () => {
  openWith();
  expect((await tile(0)).getByText('2 / 4')).toBeDefined();
  expect((await tile(1)).getByText('3 over')).toBeDefined();
  expect(document.querySelectorAll('[data-slot]')).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'Thu 26' }));
  expect((await tile(2)).getByText('Closed')).toBeDefined();
  expect(window.location.search).toBe('?day=2026-11-26');
  await userEvent.click(screen.getByRole('button', { name: 'Next week' }));
  expect(window.location.search).toBe('?day=2026-12-03');
  await userEvent.click(screen.getByRole('button', { name: 'This week' }));
  expect(window.location.search).toBe('');
});

it('shows the whole week as a table where there is room', async () => {
  isWide = true;
  openWith();
  await tile(0);
  const table = within(screen.getByRole('table', { name: 'Slots by place and day' }));
  expect(table.getAllByRole('columnheader')).toHaveLength(7);
  expect(table.getByText('Tomorrow · 9 orders')).toBeDefined();
  expect(document.querySelectorAll('[data-slot]')).toHaveLength(3);
});

it('follows orders and closings without a reload', async () => {
  openWith();
  await tile(0);
  applyUpdate({ ...(slots[0] as FarmSlot), taken: 3 });
  expect(await (await tile(0)).findByText('3 / 4')).toBeDefined();
  applyUpdate({ ...(slots[0] as FarmSlot), taken: 2, state: 'closed' });
  expect(await (await tile(0)).findByText('2 / 4')).toBeDefined();
  expect((await tile(0)).getByText('Closed')).toBeDefined();
});

it('drops a time that is no longer in the hours once its last order has left', async () => {
  const gone = aFarmSlot('2026-11-24', '16:00', { taken: 1, state: 'cancelled' });
  slots = [...slots, gone];
  openWith({
    'GET /farm/slots': () => one(slots.filter((s) => s._id !== gone._id || s.taken > 0)),
  });
  await tile(3);
  applyUpdate({ ...gone, taken: 0 });
  await vi.waitFor(() => expect(document.querySelectorAll('[data-slot]')).toHaveLength(2));
});

it('closes a slot with one press, and opens it with another', async () => {
  const path = `/farm/slots/${slots[0]?._id}`;
  const calls = openWith({
    [`PUT ${path}`]: (call) => {
      slots = slots.map((slot, index) =>
        index === 0 ? { ...slot, ...(call.body as object) } : slot,
      );
      return one(slots[0]);
    },
  });
  await userEvent.click((await tile(0)).getByRole('button', { name: /^Close 9:00/ }));
  await userEvent.click(await (await tile(0)).findByRole('button', { name: /^Open 9:00/ }));
  await (await tile(0)).findByRole('button', { name: /^Close 9:00/ });
  expect(sent(calls, 'PUT')).toEqual([{ state: 'closed' }, { state: 'open' }]);
});

it('shows the orders of a slot with who has seen a move, and changes its limit', async () => {
  const path = `/farm/slots/${slots[0]?._id}`;
  const moved = { at: NOW.toISOString(), reason: 'Hail' };
  const calls = openWith({
    [`GET ${path}/orders`]: list([
      { order: anOrder(1), moved: { ...moved, isRead: true } },
      { order: anOrder(2), moved: { ...moved, isRead: false } },
    ]),
    [`PUT ${path}`]: one(slots[0]),
  });
  await userEvent.click((await tile(0)).getByRole('button', { name: /taken/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Moved; the customer has seen it')).toBeDefined();
  expect(dialog.getByText('Moved; not seen by the customer yet')).toBeDefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Change the limit' }));
  const field = dialog.getByLabelText('Most orders');
  await userEvent.clear(field);
  await userEvent.type(field, '1');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(sent(calls, 'PUT')).toEqual([{ capacity: 1 }]));
});

it('moves all orders of a slot with a reason, to where there is room for them', async () => {
  const target = aFarmSlot('2026-11-25', '09:00', { taken: 2, capacity: 4 });
  const small = aFarmSlot('2026-11-25', '10:00', { taken: 3, capacity: 4 });
  slots = [...slots, target, small];
  const path = `/farm/slots/${slots[0]?._id}`;
  const calls = openWith({
    // What was handed over stays where it was.
    [`GET ${path}/orders`]: list([
      { order: anOrder(1), moved: null },
      { order: anOrder(2), moved: null },
      { order: { ...anOrder(3), status: 'completed' }, moved: null },
    ]),
    [`GET /farm/slots/${target._id}/orders`]: list([]),
    [`POST ${path}/move`]: one({ moved: 2, slot: target }),
  });
  await userEvent.click((await tile(0)).getByRole('button', { name: /taken/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Move all' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Move 2 orders' }));
  const time = await dialog.findByRole('group', { name: 'Pickup time' });
  expect(within(time).getByText('Only 1 left')).toBeDefined();
  await userEvent.type(dialog.getByLabelText('Reason'), 'The bridge is closed.');
  await userEvent.click(dialog.getByRole('button', { name: 'Move 2 orders' }));
  await vi.waitFor(() =>
    expect(sent(calls, 'POST')).toEqual([
      { toSlotId: target._id, reason: 'The bridge is closed.' },
    ]),
  );
  // The slot that has them then is shown.
  await vi.waitFor(() => expect(window.location.search).toContain(target._id));
});

it('moves a day and shows what stayed', async () => {
  const stayed = { slot: slots[1], code: 'SLOT_FULL', message: 'There is no room at 10:00.' };
  const calls = openWith({ 'POST /farm/slots/move-day': one({ moved: 2, stayed: [stayed] }) });
  await tile(0);
  await userEvent.click(screen.getByRole('button', { name: /^Move day/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Move the day' }));
  expect(await dialog.findByText('There is no room at 10:00.')).toBeDefined();
  expect(dialog.getByText(/2 orders were moved\. 1 slot could not move\./)).toBeDefined();
  expect(sent(calls, 'POST')).toEqual([
    { date: '2026-11-24', toDate: '2026-11-25', reason: '', closesSlots: true },
  ]);
});

it('lets a packer look, and change nothing', async () => {
  const packer: User = { ...farmer, membership: { farmId: farmer._id, role: 'packer' } };
  openWith({ [`GET /farm/slots/${slots[0]?._id}/orders`]: list([]) }, packer);
  expect((await tile(0)).getAllByRole('button')).toHaveLength(1);
  expect(screen.queryByRole('button', { name: /^Move day/ })).toBeNull();
  await userEvent.click((await tile(0)).getByRole('button'));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Nobody comes at this time yet.');
  expect(dialog.queryByRole('button', { name: /limit|slot|Move/ })).toBeNull();
});

it('leads a farm without places to its settings', async () => {
  openWith({ 'GET /farm/places': one([]) });
  expect(await screen.findByText('No pickup places yet')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Add a place' }).getAttribute('href')).toContain(
    'section=places',
  );
});
