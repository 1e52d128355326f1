// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { Providers } from '../../app/Providers.tsx';
import OrderPage from '../../pages/ordering/OrderPage.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { aFarmSlot, aSlot, dayFromNow, MARKET } from './testing/slots.ts';

const base = anOrder(1);
const farm = { ...base.farmer, _id: aUser('farmer')._id };
const buyer: User = { ...aUser('consumer'), _id: base.consumer._id };
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const day = dayFromNow(3);

beforeEach(() => store.set(tokenAtom, aToken));
afterEach(() => {
  cleanup();
  store.set(userAtom, null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** An order of this slot. */
const orderIn = (slot: Pick<OfferedSlot, '_id' | 'date' | 'from' | 'to' | 'startsAt'>): Order => ({
  ...base,
  farmer: farm,
  startsAt: slot.startsAt,
  pickupDetails: {
    date: slot.date,
    time: slot.from,
    endTime: slot.to,
    location: 'Market square, 1 Main St, Putney',
    slotId: slot._id,
    place: { name: MARKET.name, address: MARKET.address, directions: 'Beside the fountain.' },
  },
});

function open(me: User, order: Order, replies: Parameters<typeof stubNetwork>[0]) {
  window.history.replaceState(null, '', `/orders/${order._id}`);
  store.set(userAtom, me);
  const calls = stubNetwork({
    [`GET /orders/${order._id}`]: one(order),
    [`GET /users/farmers/${farm._id}`]: one({
      farmer: { ...farm, address: MARKET.address },
      profile: { timeZone: 'UTC' },
    }),
    ...replies,
  });
  render(
    <Providers>
      <Route path="/orders/:id" component={OrderPage} />
    </Providers>,
  );
  return calls;
}
const change = () => screen.findByRole('button', { name: 'Change the time' });

it('lets a customer choose another time, and shows it', async () => {
  const slots = [
    aSlot(day, '10:00', { hasLimit: true, remaining: 0 }),
    aSlot(day, '10:30'),
  ] as const;
  const order = orderIn(slots[0]);
  const calls = open(buyer, order, {
    [`GET /users/farmers/${farm._id}/slots`]: one(slots),
    [`PUT /orders/${order._id}/slot`]: one({ ...orderIn(slots[1]), version: 2 }),
  });
  expect(await screen.findByText('Beside the fountain.')).toBeDefined();
  await userEvent.click(await change());
  const dialog = within(await screen.findByRole('dialog'));
  // The own time is full by oneself.
  expect(await dialog.findByText('Your time now')).toBeDefined();
  await userEvent.click(dialog.getByRole('radio', { name: /^10:30/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save the time' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    slotId: slots[1]._id,
    expectedVersion: 1,
  });
  expect(await screen.findByText(/^10:30–11:00\sAM$/)).toBeDefined();
});

it('offers a customer no day after the last one of what is ordered, but for the own day', async () => {
  const slots = [aSlot(day, '10:00'), aSlot(day, '10:30'), aSlot(dayFromNow(5), '10:00')] as const;
  const kale = { _id: '00000000-0000-4000-8000-0000000000b1', name: 'Kale' };
  const order = orderIn(slots[0]);
  order.items = order.items.map((line) => ({ ...line, product: { ...line.product, ...kale } }));
  open(buyer, order, {
    [`GET /users/farmers/${farm._id}/slots`]: one(slots),
    [`GET /products/${kale._id}`]: one({ ...kale, availableUntil: dayFromNow(2) }),
  });
  await userEvent.click(await change());
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText(/can be had until .* only\./);
  const days = within(dialog.getByRole('group', { name: 'Pickup day' }));
  expect(days.getAllByRole('radio')).toHaveLength(1);
  expect(dialog.getByRole('radio', { name: /^10:30/ })).toBeDefined();
});

it('says why a time cannot be had, and keeps the dialog', async () => {
  const slots = [aSlot(day, '10:00'), aSlot(day, '10:30')] as const;
  const order = orderIn(slots[0]);
  const message = 'This pickup time is full. Choose another one.';
  open(buyer, order, {
    [`GET /users/farmers/${farm._id}/slots`]: one(slots),
    [`PUT /orders/${order._id}/slot`]: {
      status: 409,
      body: { success: false, code: 'SLOT_FULL', message },
    },
  });
  await userEvent.click(await change());
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('radio', { name: /^10:30/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save the time' }));
  expect(await dialog.findByText(message)).toBeDefined();
  await userEvent.click(dialog.getByRole('radio', { name: /^10:00/ }));
  expect(dialog.queryByText(message)).toBeNull();
});

it('says to a customer until when the time could be changed', async () => {
  const slot = aSlot(day, '10:00', { closesAt: new Date(Date.now() - 60_000).toISOString() });
  open(buyer, orderIn(slot), { [`GET /users/farmers/${farm._id}/slots`]: one([slot]) });
  expect(await screen.findByText(/The time could be changed until/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Change the time' })).toBeNull();
});

it('lets the farm move an order after the cut-off too', async () => {
  const closesAt = new Date(Date.now() - 60_000).toISOString();
  const slots: FarmSlot[] = [
    aFarmSlot(day, '10:00', { taken: 1, capacity: 4 }),
    aFarmSlot(day, '10:30', { taken: 9, capacity: 12, closesAt }),
  ];
  const order = orderIn(slots[0] as FarmSlot);
  const calls = open(aUser('farmer'), order, {
    'GET /farm/slots': one(slots),
    [`PUT /orders/${order._id}/slot`]: one({ ...order, version: 2 }),
  });
  await userEvent.click(await change());
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('radio', { name: /^10:30.*3 left/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save the time' }));
  await vi.waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      slotId: slots[1]?._id,
    }),
  );
});

it.each([
  [
    'a packer',
    { ...aUser('farmer'), membership: { farmId: farm._id, role: 'packer' as const } },
    {},
  ],
  ['anybody once it is over', aUser('farmer'), { status: 'completed' as const }],
  ['anybody without a slot', aUser('farmer'), { pickupDetails: base.pickupDetails }],
])('offers no change to %s', async (_, me, over) => {
  open(me, { ...orderIn(aSlot(day, '10:00')), ...over }, {});
  await screen.findByRole('heading', { level: 1 });
  await screen.findByText('Timeline');
  expect(screen.queryByRole('button', { name: 'Change the time' })).toBeNull();
});

it('shows who moved it, from when to when, and why', async () => {
  const by = { _id: 'x', name: 'Finn Grower', role: 'farmer' as const };
  const at = '2026-11-02T11:00:00.000Z';
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  const instants = { from: '2026-11-05T16:30:00.000Z', to: '2026-11-07T10:00:00.000Z' };
  const before = { date: '2026-11-05', time: '16:30', location: 'The red gate' };
  const after = { date: '2026-11-07', time: '10:00', endTime: '10:30', location: 'Market square' };
  open(
    buyer,
    {
      ...base,
      timeline: [
        ...base.timeline,
        { sequence: 2, kind: 'slot', at, by, detail: instants },
        {
          sequence: 3,
          kind: 'slot',
          at,
          by,
          reason: 'Hail',
          detail: { ...instants, before, after },
        },
      ],
    },
    {},
  );
  expect(await screen.findByText("Farm's clock changed")).toBeDefined();
  expect(screen.getByText('Time changed')).toBeDefined();
  const text = document.body.textContent?.replaceAll('\u202f', ' ');
  expect(text).toContain('Sat, Nov 7 at 10:00–10:30 AM, Market square');
  expect(text).toContain('It was Thu, Nov 5 at 4:30 PM, The red gate.');
  // At the top of the order too, with the reason.
  expect(text).toContain('Green Valley moved your pickup.');
  expect(text).toContain('Hail');
});
