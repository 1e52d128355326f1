// @vitest-environment happy-dom

import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { store } from '../../../platform/session/session.ts';
import { type Call, type Reply, stubNetwork } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { aSlot, dayFromNow, MARKET, MILL } from '../../slots/testing/slots.ts';
import { cartAtom } from '../rules.ts';
import { beginWithCart, FARM, keptDraft, one, open, product } from '../testing/checkout.tsx';
import { id } from '../testing/goods.ts';

const address = { street: '', city: '', state: '', zipCode: '' };
const plums = product(0);
const farm = {
  farmer: { _id: FARM, name: 'Fern', address },
  profile: {
    farmName: 'Green Valley',
    acceptsPickup: true,
    acceptsDelivery: true,
    deliveryRadius: null,
    deliveryAreas: [],
    businessHours: Object.fromEntries(WEEKDAYS.map((day) => [day, { open: '', close: '' }])),
    timeZone: 'UTC',
    hasSlots: true,
  },
};
let slots: OfferedSlot[];
const tomorrow = dayFromNow(1);

beginWithCart(1);
beforeEach(() => {
  slots = ['09:00', '09:30', '10:00', '10:30'].map((from) => aSlot(tomorrow, from));
});

const placed = (call: Call): Reply =>
  one({ ...anOrder(77), ...(call.body as object), _id: id(77), items: [], timeline: [] });

function openWith(replies: Parameters<typeof stubNetwork>[0] = {}, orders: unknown[] = []) {
  const calls = stubNetwork({
    [`GET /products/${plums._id}`]: one(plums),
    [`GET /users/farmers/${FARM}`]: one(farm),
    [`GET /users/farmers/${FARM}/slots`]: () => one(slots),
    'GET /orders/consumer': one(orders),
    'POST /orders': placed,
    ...replies,
  });
  open();
  return calls;
}
/** What the consumer ordered last time. */
const pickupDetails = {
  date: dayFromNow(-5),
  time: '10:00',
  endTime: '10:30',
  location: 'Old mill',
  slotId: id(5),
  place: { name: MILL.name, address: MILL.address, directions: '' },
};
const lastOrder = {
  ...anOrder(1),
  farmer: { ...anOrder(1).farmer, _id: FARM },
  pickupDetails,
};
const posts = (calls: Call[]) => calls.filter(({ method }) => method === 'POST');
const times = async () => within(await screen.findByRole('group', { name: 'Pickup time' }));
const chosenTime = async () =>
  (await times()).getAllByRole<HTMLInputElement>('radio').findIndex(({ checked }) => checked);

it('takes the place of the free fields, and orders the first free slot', async () => {
  const calls = openWith();
  await vi.waitFor(async () => expect(await chosenTime()).toBe(0));
  expect(screen.queryByLabelText(/Pickup date/)).toBeNull();
  expect(screen.queryByLabelText(/Pickup location/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
  expect(posts(calls)[0]?.body).toHaveProperty('pickupDetails', { slotId: slots[0]?._id });
});

it('begins with the place and time of last time', async () => {
  const mill = ['09:00', '10:00'].map((from) => aSlot(dayFromNow(2), from, { place: MILL }));
  slots = [...slots, ...mill];
  const calls = openWith({}, [lastOrder]);
  await vi.waitFor(async () => expect(await chosenTime()).toBe(1));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
  expect(posts(calls)[0]?.body).toMatchObject({ pickupDetails: { slotId: mill[1]?._id } });
});

describe('days beyond those that one call returns', () => {
  const far = aSlot(dayFromNow(40), '09:00');
  /** The first call asks for the nearer days. */
  const inParts = () => {
    let asked = 0;
    const reply = () => {
      asked += 1;
      return one(asked === 1 ? slots : [far]);
    };
    return { [`GET /users/farmers/${FARM}/slots`]: reply };
  };
  const slotCalls = (calls: Call[]) => calls.filter(({ path }) => path.endsWith('/slots'));

  it('are asked for on request, and ordered', async () => {
    const calls = openWith(inParts());
    await vi.waitFor(async () => expect(await chosenTime()).toBe(0));
    expect(slotCalls(calls)).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'More days' }));
    const days = within(screen.getByRole('group', { name: 'Pickup day' }));
    await vi.waitFor(() => expect(days.getAllByRole('radio')).toHaveLength(2));
    expect(screen.queryByRole('button', { name: 'More days' })).toBeNull();
    await userEvent.click(days.getAllByRole('radio')[1] as HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
    await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
    expect(posts(calls)[0]?.body).toHaveProperty('pickupDetails', { slotId: far._id });
  });

  it('are asked for by themselves where nothing nearer is free', async () => {
    slots = slots.map((slot) => ({ ...slot, hasLimit: true, remaining: 0 }));
    const calls = openWith(inParts());
    await vi.waitFor(async () => expect(await chosenTime()).toBe(0));
    expect(await screen.findAllByText(/^9:00–9:30/)).toBeDefined();
    expect(slotCalls(calls)).toHaveLength(2);
    await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
    await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
    expect(posts(calls)[0]?.body).toHaveProperty('pickupDetails', { slotId: far._id });
  });

  it('can be asked for again after a failure', async () => {
    let asked = 0;
    openWith({
      [`GET /users/farmers/${FARM}/slots`]: () => {
        asked += 1;
        if (asked === 2) return { status: 404, body: { success: false, message: 'Gone.' } };
        return one(asked === 1 ? slots : [far]);
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'More days' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    const days = within(screen.getByRole('group', { name: 'Pickup day' }));
    await vi.waitFor(() => expect(days.getAllByRole('radio')).toHaveLength(2));
  });
});

it.each([
  ['until tomorrow', tomorrow, 0],
  ['until yesterday', dayFromNow(-1), 1],
])('begins on a day on which all of the cart can be had: %s', async (_, availableUntil, index) => {
  const late = aSlot(dayFromNow(2), '10:00', { place: MILL });
  slots = [...slots, late];
  const calls = openWith({ [`GET /products/${plums._id}`]: one({ ...plums, availableUntil }) }, [
    lastOrder,
  ]);
  const wanted = [slots[0], late][index];
  await times();
  await vi.waitFor(() => expect(keptDraft()).toContain(wanted?._id ?? 'none'));
  expect(posts(calls)).toEqual([]);
});

it.each([
  ['SLOT_FULL', { hasLimit: true, remaining: 0 }, /is full by now/],
  ['SLOT_CLOSED', { state: 'closed' }, /is closed by the farm/],
  ['CUTOFF_PASSED', { closesAt: '2020-01-01T00:00:00.000Z' }, /is too soon/],
  // The server offers no slot of a closed day.
  ['DAY_CLOSED', null, /is closed by the farm/],
] as const)(
  'after %s keeps the basket and offers the nearest free ones',
  async (code, over, text) => {
    const message = 'This time cannot be had.';
    let refuses = true;
    const third = slots[2]?._id;
    const calls = openWith({
      'POST /orders': (call) => {
        if (!refuses) return placed(call);
        refuses = false;
        slots = slots.flatMap((slot, index) =>
          index !== 1 ? slot : over ? { ...slot, ...over } : [],
        );
        const errors = [{ path: 'pickupDetails.slotId', message }];
        return { status: 409, body: { success: false, code, message, errors } };
      },
    });
    await userEvent.click((await times()).getAllByRole('radio')[1] as HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
    const alert = await screen.findByText(text);
    expect(store.get(cartAtom).lines).toHaveLength(1);
    const offers = within(alert.closest('p')?.parentElement as HTMLElement).getAllByRole('button');
    expect(offers).toHaveLength(2);
    await userEvent.click(offers[1] as HTMLElement);
    await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
    await vi.waitFor(() => expect(posts(calls)).toHaveLength(2));
    expect(posts(calls)[1]?.body).toMatchObject({ pickupDetails: { slotId: third } });
  },
);

it('shows the reason of a refusal that the slots themselves do not show', async () => {
  const errors = [{ path: 'pickupDetails.slotId', message: 'Choose a pickup time.' }];
  const body = { success: false, code: 'SLOT_REQUIRED', message: 'Choose a time.', errors };
  openWith({ 'POST /orders': { status: 409, body } });
  await times();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('Choose a pickup time.')).toBeDefined();
  await userEvent.click((await times()).getAllByRole('radio')[2] as HTMLElement);
  await vi.waitFor(() => expect(screen.queryByText('Choose a pickup time.')).toBeNull());
});

it('keeps the choice over a reload', async () => {
  openWith();
  await userEvent.click((await times()).getAllByRole('radio')[2] as HTMLElement);
  await vi.waitFor(() => expect(keptDraft()).toContain(slots[2]?._id ?? 'none'));
  cleanup();
  openWith();
  await vi.waitFor(async () => expect(await chosenTime()).toBe(2));
});

it('offers no pickup where no time is left, and still delivery', async () => {
  slots = [];
  openWith();
  expect(await screen.findByText(/This farm has no pickup times at the moment/)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: /^Delivery/ }));
  expect(await screen.findByLabelText(/Delivery date/)).toBeDefined();
});

it('refuses to send an order without a slot', async () => {
  slots = slots.map((slot) => ({ ...slot, state: 'closed' as const, place: MARKET }));
  const calls = openWith();
  await times();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('Choose a time.')).toBeDefined();
  expect(posts(calls)).toEqual([]);
});
