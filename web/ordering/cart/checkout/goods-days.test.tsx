// @vitest-environment happy-dom
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { applyEvent } from '../../../app/live/reducers.ts';
import { Providers } from '../../../app/Providers.tsx';
import CheckoutPage from '../../../pages/ordering/CheckoutPage.tsx';
import { createQueryClient } from '../../../platform/queries/query-client.ts';
import { store } from '../../../platform/session/session.ts';
import { type Call, type Reply, stubNetwork } from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { aSlot, dayFromNow, MARKET } from '../../slots/testing/slots.ts';
import { cartAtom } from '../rules.ts';
import { beginWithCart, FARM, one, product } from '../testing/checkout.tsx';
import { id } from '../testing/goods.ts';

// Days that do not fit what is in the cart are not offered, and goods that no day fits say so.

const address = { street: '', city: '', state: '', zipCode: '' };
const hours = { open: '08:00', close: '18:00' };
const closed: string[] = [];
let hasSlots = false;
let pausedUntil: string | null = null;
const handoff = () => ({
  pickup: true,
  delivery: false,
  deliveryRadius: null,
  openings: [{ days: WEEKDAYS, ...hours }],
  timeZone: 'UTC',
  // The first possible day is the one after tomorrow.
  cutoff: { daysBefore: 1, time: '00:00' },
  closedDays: closed,
  bookableDays: 56,
  pausedUntil,
  pauseNote: pausedUntil && 'At the fair.',
  ...(hasSlots && { ownOpenings: [] }),
});
const farm = () => ({
  farmer: { _id: FARM, name: 'Fern', address },
  profile: {
    farmName: 'Green Valley',
    acceptsPickup: true,
    acceptsDelivery: false,
    deliveryRadius: null,
    deliveryAreas: [],
    businessHours: Object.fromEntries(WEEKDAYS.map((day) => [day, hours])),
    timeZone: 'UTC',
    hasSlots,
  },
  handoff: handoff(),
});
const possible = () =>
  [2, 3, 4, 5]
    .map((ahead) => dayFromNow(ahead))
    .filter((date) => !closed.includes(date))
    .map((date) => ({ date, ...hours, ordersUntil: `${date}T00:00:00.000Z` }));

beginWithCart(2);

/** Opens the checkout with plums and pears, which end on these days. */
function openWith(
  lastDays: [string | null, string | null],
  replies: Parameters<typeof stubNetwork>[0] = {},
) {
  closed.length = 0;
  hasSlots = false;
  const goods = lastDays.map((availableUntil, number) => ({ ...product(number), availableUntil }));
  const calls = stubNetwork({
    ...Object.fromEntries(
      goods.map((each, number) => [`GET /products/${each._id}`, () => one(goods[number])]),
    ),
    [`GET /users/farmers/${FARM}`]: () => one(farm()),
    [`GET /users/farmers/${FARM}/days`]: () => one(possible()),
    'GET /orders/consumer': one([]),
    'POST /orders': (call: Call): Reply =>
      one({ ...anOrder(77), ...(call.body as object), _id: id(77), items: [], timeline: [] }),
    ...replies,
  });
  const cache = createQueryClient();
  render(
    <Providers client={cache}>
      <CheckoutPage />
    </Providers>,
  );
  const happen = (name: string, data: object) =>
    act(() =>
      applyEvent(cache, {
        seq: 9,
        id: id(99),
        at: '2026-11-22T10:00:00.000Z',
        name,
        data,
      } as Parameters<typeof applyEvent>[1]),
    );
  /** A product changes while the cart is open. */
  const change = (number: number, over: object) => {
    goods[number] = {
      ...product(number),
      ...over,
      version: (goods[number]?.version ?? 0) + 1,
    } as (typeof goods)[number];
    happen('product.updated', goods[number]);
  };
  return { calls, happen, change };
}
const posts = (calls: readonly Call[]) => calls.filter(({ method }) => method === 'POST');
const offeredDays = async () =>
  within(await screen.findByRole('group', { name: 'Next pickup days' })).getAllByRole('radio')
    .length;
const order = () => userEvent.click(screen.getByRole('button', { name: 'Place Order' }));

describe('at a farm without places', () => {
  it('offers the days on which all of the cart can be had, and refuses a later one before it is sent', async () => {
    const { calls } = openWith([dayFromNow(3), null]);
    await vi.waitFor(async () => expect(await offeredDays()).toBe(2));
    const date = screen.getByLabelText<HTMLInputElement>(/Pickup date/);
    expect(date.max).toBe(dayFromNow(3));
    fireEvent.change(date, { target: { value: dayFromNow(5) } });
    fireEvent.change(screen.getByLabelText(/Pickup time/), { target: { value: '10:00' } });
    fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
    await order();
    await screen.findByText(/Plums can be had until .* only\. Choose an earlier day/);
    expect(posts(calls)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: /^Choose / }));
    await order();
    await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
  });

  it('says in the cart what no day brings, with what to do, and orders the rest', async () => {
    const { calls } = openWith([dayFromNow(1), dayFromNow(3)]);
    await screen.findByText('Some things in your cart have changed');
    expect(
      screen.getAllByText(/Plums can be had until .* Remove it to order the rest\./),
    ).toHaveLength(2);
    expect(screen.queryByText(/Pears can be had/)).toBeNull();
    // The days are those of the rest.
    await vi.waitFor(async () => expect(await offeredDays()).toBe(2));
    fireEvent.change(screen.getByLabelText(/Pickup location/), { target: { value: 'Gate' } });
    await order();
    expect(posts(calls)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Update my cart' }));
    expect(store.get(cartAtom).lines.map(({ name }) => name)).toEqual(['Pears']);
    await order();
    await vi.waitFor(() => expect(posts(calls)).toHaveLength(1));
    expect(posts(calls)[0]?.body).toMatchObject({ items: [{ product: id(1) }] });
  });

  it('follows the goods and the farm while the cart is open', async () => {
    const { change, happen } = openWith([null, null]);
    await vi.waitFor(async () => expect(await offeredDays()).toBe(4));
    change(0, { availableUntil: dayFromNow(3) });
    await vi.waitFor(async () => expect(await offeredDays()).toBe(2));
    // The farm closes both days until then.
    closed.push(dayFromNow(2), dayFromNow(3));
    happen('farmer.updated', { _id: FARM });
    expect(await screen.findAllByText(/Plums can be had until .* Remove it/)).toHaveLength(2);
    change(0, { availableUntil: dayFromNow(4) });
    await vi.waitFor(() => expect(screen.queryByText(/Remove it to order/)).toBeNull());
    await vi.waitFor(async () => expect(await offeredDays()).toBe(1));
  });

  it('lets nobody order while the farm is paused, with its words, and frees the cart once it is not', async () => {
    const { calls, happen } = openWith([null, null]);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Place Order' });
    expect(button.disabled).toBe(false);
    pausedUntil = new Date(Date.now() + 3_600_000).toISOString();
    happen('farmer.updated', { _id: FARM });
    await screen.findByText('At the fair.');
    expect(screen.getAllByText(/^Takes orders again from/)).toHaveLength(2);
    expect(button.disabled).toBe(true);
    await order();
    expect(posts(calls)).toEqual([]);
    pausedUntil = null;
    happen('farmer.updated', { _id: FARM });
    await vi.waitFor(() => expect(button.disabled).toBe(false));
    expect(screen.queryByText(/^Takes orders again from/)).toBeNull();
  });

  it('says nothing of the goods where the farm takes no orders at all', async () => {
    openWith([null, null], { [`GET /users/farmers/${FARM}/days`]: () => one([]) });
    await screen.findByText(/This farm takes no orders for the next weeks/);
    expect(screen.queryByText(/Remove it/)).toBeNull();
  });
});

describe('at a farm with places', () => {
  const soon = aSlot(dayFromNow(2), '10:00');
  const late = aSlot(dayFromNow(10), '10:00');
  const withSlots = (slots: unknown[], orders: unknown[] = []) => ({
    [`GET /users/farmers/${FARM}`]: () => {
      hasSlots = true;
      return one(farm());
    },
    [`GET /users/farmers/${FARM}/slots`]: () => one(slots),
    'GET /orders/consumer': one(orders),
  });
  const days = async () =>
    within(await screen.findByRole('group', { name: 'Pickup day' })).getAllByRole('radio').length;

  it('offers the times of fitting days, and says why the chosen one is lost', async () => {
    const { change } = openWith([null, null], withSlots([soon, late]));
    await vi.waitFor(async () => expect(await days()).toBe(2));
    const group = screen.getByRole('group', { name: 'Pickup day' });
    await userEvent.click(within(group).getAllByRole('radio')[1] as HTMLElement);
    change(1, { availableUntil: dayFromNow(3) });
    await screen.findByText(/Pears can be had until .* only\./);
    await userEvent.click(screen.getByRole('button', { name: /10:00/ }));
    await vi.waitFor(async () => expect(await days()).toBe(1));
    expect(screen.queryByText(/Pears can be had/)).toBeNull();
  });

  it('says that no time is left, and which of the goods ends first', async () => {
    openWith([dayFromNow(3), dayFromNow(4)], withSlots([late]));
    await screen.findByText(/Plums can be had until .*, and no time until then is free/);
  });

  it('says why the usual day is not offered', async () => {
    const last = {
      ...anOrder(1),
      farmer: { ...anOrder(1).farmer, _id: FARM },
      pickupDetails: {
        // Of the same day of the week as the late one.
        date: dayFromNow(-4),
        time: '10:00',
        endTime: '10:30',
        location: 'Market',
        slotId: id(5),
        placeId: MARKET._id,
        place: { name: MARKET.name, address: MARKET.address, directions: '' },
      },
    };
    openWith([dayFromNow(3), null], withSlots([soon, late], [last]));
    await screen.findByText(/Your usual .* is too late this time\. Plums can be had until/);
  });
});
