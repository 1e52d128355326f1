import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { addDays, dayIn } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { makePlace, slotsAhead } from '../../testing/slots.ts';
import { expireProposal } from '../changes/commands.ts';
import { changeWhileWaiting } from '../testing/change-while-waiting.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

/** Each test has a farm of its own. */
let farmer: Caller;
let product: string;
const fixture = await createSlotFixture();
const consumer = fixture.consumer;
beforeEach(async () => {
  ({ farmer, product } = await fixture.newFarm());
});
afterAll(() => fixture.close());

/** Orders in a slot that somebody else holds and then changes. */
const orderedWhile = (slotId: string, change: string) =>
  changeWhileWaiting(fixture.platform.pool, {
    lock: 'SELECT 1 FROM slots WHERE id = $1 FOR UPDATE',
    id: slotId,
    act: () => fixture.orderIn(slotId),
    change: `UPDATE slots SET ${change} WHERE id = $1`,
  });

describe('an order in a slot', () => {
  test('keeps the times and the place, and takes room', async () => {
    const [slot] = await fixture.twoSlots(4);
    const head = await fixture.head();
    const made = await fixture.placed(slot._id);
    expect(made).toMatchObject({ startsAt: slot.startsAt, endsAt: slot.endsAt });
    expect(made.pickupDetails).toEqual({
      date: slot.date,
      time: '10:00',
      endTime: '11:00',
      location: 'The red gate, 1 Mill Lane, Ashford, VT 05001',
      slotId: slot._id,
      placeId: slot.place._id,
      place: {
        name: 'The red gate',
        address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
        directions: 'Behind the barn.',
      },
    });
    const { body } = await fixture.call('GET', `/orders/${made._id}`, { as: consumer });
    expect(body.data).toEqual(made);
    expect(await fixture.takenOf(slot)).toBe(1);
    expect(await fixture.eventsNamed(head, 'slot.updated')).toEqual([
      {
        _id: slot._id,
        farmId: farmer.id,
        hasLimit: true,
        remaining: 3,
        state: 'open',
        taken: 1,
        capacity: 4,
      },
    ]);
  });

  test('that waited for it counts from what is taken then', async () => {
    const [slot] = await fixture.twoSlots(9);
    const head = await fixture.head();
    const { status, body } = await orderedWhile(slot._id, 'taken = taken + 3');
    expect(status, JSON.stringify(body)).toBe(201);
    expect(await fixture.takenOf(slot)).toBe(4);
    expect(await fixture.eventsNamed(head, 'slot.updated')).toMatchObject([{ taken: 4 }]);
  });

  test('is asked for where the farm has slots, and not for a delivery', async () => {
    await fixture.twoSlots();
    await fixture.put('/users/farmers/profile', farmer, {
      farmName: 'Green Valley',
      description: 'Soil.',
      acceptsDelivery: true,
    });
    const items = [{ product, quantity: 1 }];
    const free = await fixture.order(items, { over: { farmer: farmer.id } });
    expect([free.status, free.body.code]).toEqual([409, 'SLOT_REQUIRED']);
    const delivery = await fixture.order(items, {
      over: {
        farmer: farmer.id,
        pickupDetails: undefined,
        deliveryDetails: {
          date: addDays(new Date().toISOString(), 3),
          time: '10:00',
          address: { street: '1 Lane', city: 'Bath', state: 'ME', zipCode: '04530' },
        },
      },
    });
    expect(delivery.status).toBe(201);
  });

  test('with both a slot and a free moment is in the slot', async () => {
    const [slot] = await fixture.twoSlots();
    const { body } = await fixture.order([{ product, quantity: 1 }], {
      over: {
        farmer: farmer.id,
        pickupDetails: { slotId: slot._id, date: '2031-01-01', time: '03:00', location: 'Here' },
      },
    });
    expect(body.data.pickupDetails).toMatchObject({ date: slot.date, time: '10:00' });
  });

  test('is within the days ahead of its farm, for its customer alone', async () => {
    const [near] = await fixture.twoSlots();
    const first = addDays(dayIn('UTC'), 40);
    const { body } = await fixture.call('GET', `/farm/slots?from=${first}&to=${first}`, {
      as: farmer,
    });
    const far: FarmSlot = body.data[0];
    const offered = async () =>
      (await fixture.call('GET', `/users/farmers/${farmer.id}/slots?from=${first}&to=${first}`))
        .body.data.length;
    expect(await offered()).toBeGreaterThan(0);
    await fixture.put('/farm/schedule', farmer, { bookableDays: 30 });
    expect(await offered()).toBe(0);
    const refused = await fixture.orderIn(far._id);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'pickupDetails.slotId']);
    const { _id } = await fixture.placed(near._id);
    const move = (as: Caller) => fixture.put(`/orders/${_id}/slot`, as, { slotId: far._id });
    const byConsumer = await move(fixture.consumer);
    expect([byConsumer.status, byConsumer.body.errors[0].path]).toEqual([400, 'slotId']);
    expect((await move(farmer)).status).toBe(200);
  });

  test('of no form is refused at its field', async () => {
    const bad = await fixture.orderIn('not-an-id');
    expect([bad.status, bad.body.errors[0].path]).toEqual([400, 'pickupDetails.slotId']);
    const empty = await fixture.order([{ product, quantity: 1 }], {
      over: { farmer: farmer.id, pickupDetails: { date: 'soon' } },
    });
    expect(empty.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'pickupDetails.date',
      'pickupDetails.time',
      'pickupDetails.location',
    ]);
  });
});

describe('a slot refuses an order', () => {
  const refusal = async (slotId: string) => {
    const { status, body } = await fixture.orderIn(slotId);
    expect(status).toBe(409);
    expect(await fixture.stockOf(product)).toBe(1000);
    return { code: body.code, nearest: body.data.nearest as OfferedSlot[], message: body.message };
  };

  test('naming the nearest free ones, however many full ones are between', async () => {
    const hours = WEEKDAYS.map((weekday) => ({
      weekday,
      ...{ from: '00:00', to: '23:45', slotMinutes: 15, capacity: 3 },
    }));
    const place = await makePlace(fixture, farmer, { hours });
    const slots = await slotsAhead(fixture, farmer, place);
    const slot = slots.find(({ date }) => date === addDays(slots[0]?.date ?? '', 4));
    // A week of 95 slots a day, full; and a day that is closed.
    const lastFull = addDays(slot?.date ?? '', 7);
    const closed = addDays(lastFull, 1);
    await fixture.platform.pool.query(
      'UPDATE slots SET taken = capacity WHERE place_id = $1::uuid AND date <= $2::date',
      [place, lastFull],
    );
    await fixture.put('/farm/schedule', farmer, { exceptions: [{ date: closed, skip: true }] });
    const { code, nearest } = await refusal(slot?._id ?? '');
    expect(code).toBe('SLOT_FULL');
    expect(nearest.map(({ date, from }) => `${date} ${from}`)).toEqual([
      `${addDays(closed, 1)} 00:00`,
      `${addDays(closed, 1)} 00:15`,
    ]);
  });

  test('when it is full, naming the nearest free ones', async () => {
    const [slot, next] = await fixture.twoSlots(1);
    await fixture.placed(slot._id, fixture.other);
    await fixture.platform.db.product.update({
      where: { id: product },
      data: { stockMilli: 1_000_000 },
    });
    const { code, nearest, message } = await refusal(slot._id);
    expect(code).toBe('SLOT_FULL');
    expect(message).toContain('11:00 AM–12:00 PM');
    expect(nearest.map(({ _id }) => _id)).toContain(next._id);
    expect(nearest).toHaveLength(2);
    expect(nearest[0]).toMatchObject({ hasLimit: true, remaining: 1, state: 'open' });
  });

  test('naming another day of its place before another place, which the sentence names', async () => {
    const open = (hours: object[]) => makePlace(fixture, farmer, { hours });
    const onEach = (capacity: number | null) =>
      WEEKDAYS.map((weekday) => ({
        weekday,
        ...{ from: '10:00', to: '11:00', slotMinutes: 60, capacity },
      }));
    const place = await open(onEach(3));
    const slots = await slotsAhead(fixture, farmer, place);
    const elsewhere = await open(onEach(null));
    const [, slot] = slots;
    if (!slot) throw new Error('The place has slots each day');
    const fill = (days: number) =>
      fixture.platform.pool.query(
        'UPDATE slots SET taken = capacity WHERE place_id = $1::uuid AND date < $2::date',
        [place, addDays(slot.date, days)],
      );
    await fill(1);
    const next = await refusal(slot._id);
    expect(next.nearest.map(({ date, place: { _id } }) => [date, _id])).toEqual([
      [addDays(slot.date, 1), place],
      [addDays(slot.date, 2), place],
    ]);
    expect(next.message).toMatch(/10:00–11:00 AM\.$/);

    await fill(100);
    const other = await refusal(slot._id);
    expect(other.nearest[0]).toMatchObject({ date: slot.date, place: { _id: elsewhere } });
    expect(other.message).toMatch(/10:00–11:00 AM, at Gate \w{8}\.$/);
  });

  test('when its last place goes while an order waits for it, and takes nothing', async () => {
    const [slot] = await fixture.twoSlots(2);
    await fixture.placed(slot._id, fixture.other);
    const [head, stock] = [await fixture.head(), await fixture.stockOf(product)];
    const { status, body } = await orderedWhile(slot._id, 'taken = taken + 1');
    expect(status, JSON.stringify(body)).toBe(409);
    expect(body.code).toBe('SLOT_FULL');
    expect(await fixture.stockOf(product)).toBe(stock);
    expect(await fixture.takenOf(slot)).toBe(2);
    expect(await fixture.eventsAfter(head)).toEqual([]);
  });

  test('when it is closed, of another farm, or not there', async () => {
    const [slot] = await fixture.twoSlots();
    await fixture.put(`/farm/slots/${slot._id}`, farmer, { state: 'closed' });
    expect((await refusal(slot._id)).code).toBe('SLOT_CLOSED');
    await fixture.put(`/farm/slots/${slot._id}`, farmer, { state: 'open' });
    expect((await refusal(randomUUID())).code).toBe('SLOT_CLOSED');
    const stranger = await fixture.join('farmer');
    await makePlace(fixture, stranger);
    const [foreign] = await slotsAhead(fixture, stranger);
    expect((await refusal(foreign?._id ?? '')).code).toBe('SLOT_CLOSED');
    await fixture.platform.db.place.updateMany({
      where: { farmId: farmer.id },
      data: { isActive: false },
    });
    expect((await refusal(slot._id)).code).toBe('SLOT_CLOSED');
  });

  test('on a closed day, then after the cut-off, before all else', async () => {
    const [slot] = await fixture.twoSlots(1);
    await fixture.put(`/farm/slots/${slot._id}`, farmer, { state: 'closed' });
    const exceptions = [{ date: slot.date, skip: true }];
    const cutoff = { daysBefore: 14, time: '00:00' };
    expect((await fixture.put('/farm/schedule', farmer, { exceptions, cutoff })).status).toBe(200);
    const closed = await refusal(slot._id);
    expect(closed.code).toBe('DAY_CLOSED');
    expect(closed.nearest.every(({ date }) => date !== slot.date)).toBe(true);
    const { body } = await fixture.call(
      'GET',
      `/users/farmers/${farmer.id}/slots?from=${slot.date}&to=${slot.date}`,
    );
    expect(body.data).toEqual([]);
    await fixture.put('/farm/schedule', farmer, { exceptions: [] });
    expect((await refusal(slot._id)).code).toBe('CUTOFF_PASSED');
    await fixture.put('/farm/schedule', farmer, { cutoff: null });
    expect((await refusal(slot._id)).code).toBe('SLOT_CLOSED');
  });

  test('once it has begun', async () => {
    const [slot] = await fixture.twoSlots();
    await fixture.platform.db.slot.update({
      where: { id: slot._id },
      data: { startsAt: new Date(Date.now() - 1000) },
    });
    expect((await refusal(slot._id)).code).toBe('CUTOFF_PASSED');
  });
});

describe('its room', () => {
  test('is given back once when the order is rejected or cancelled, and kept when it is completed', async () => {
    const [slot] = await fixture.twoSlots(5);
    const orders = await Promise.all([0, 1, 2, 3].map(() => fixture.placed(slot._id)));
    const [a, b, c, d] = orders.map(({ _id }) => _id) as [string, string, string, string];
    expect(await fixture.takenOf(slot)).toBe(4);
    const cancel = () => fixture.changeStatus(a, 'cancelled', consumer);
    await Promise.all([cancel(), cancel(), cancel()]);
    expect(await fixture.takenOf(slot)).toBe(3);
    await fixture.changeStatus(b, 'rejected', farmer);
    await fixture.changeStatus(b, 'rejected', farmer);
    expect(await fixture.takenOf(slot)).toBe(2);
    for (const status of ['accepted', 'completed']) await fixture.changeStatus(c, status, farmer);
    expect(await fixture.takenOf(slot)).toBe(2);
    const head = await fixture.head();
    await fixture.put('/orders/status', farmer, { ids: [a, d], status: 'rejected' });
    expect(await fixture.takenOf(slot)).toBe(1);
    expect(await fixture.eventsNamed(head, 'slot.updated')).toMatchObject([
      { taken: 1, remaining: 4 },
    ]);
  });

  test('is given back with the account of its customer', async () => {
    const [slot, next] = await fixture.twoSlots(5);
    const leaver = await fixture.join('consumer');
    for (const each of [slot, next, slot]) await fixture.placed(each._id, leaver);
    await fixture.placed(slot._id);
    await fixture.call('DELETE', `/users/${leaver.id}`, { as: fixture.admin });
    expect([await fixture.takenOf(slot), await fixture.takenOf(next)]).toEqual([1, 0]);
  });

  test('is given back when a question that nobody answers leaves nothing of the order', async () => {
    const [slot] = await fixture.twoSlots();
    const order = await fixture.placed(slot._id);
    const lineId = order.items[0]?._id;
    const { body } = await fixture.post(`/orders/${order._id}/changes`, farmer, {
      items: [{ lineId, action: 'remove', reason: 'damaged' }],
    });
    expect(await fixture.takenOf(slot)).toBe(1);
    const { db } = fixture.platform;
    const id: string = body.data.openChange._id;
    await db.orderProposal.update({ where: { id }, data: { answerBy: new Date(0) } });
    // Its timer may come twice.
    for (const _ of [1, 2]) await db.$transaction((tx) => expireProposal(tx, id));
    const { data } = (await fixture.call('GET', `/orders/${order._id}`, { as: consumer })).body;
    expect(data).toMatchObject({ status: 'rejected', openChange: null });
    expect(await fixture.takenOf(slot)).toBe(0);
  });

  test('may be less than what is taken, and throws nobody out', async () => {
    const [slot] = await fixture.twoSlots(4);
    for (let round = 0; round < 3; round++) await fixture.placed(slot._id);
    const { body } = await fixture.put(`/farm/slots/${slot._id}`, farmer, { capacity: 1 });
    expect(body.data).toMatchObject({ taken: 3, capacity: 1 });
    expect((await fixture.orderIn(slot._id)).body.code).toBe('SLOT_FULL');
    const { body: offered } = await fixture.call(
      'GET',
      `/users/farmers/${farmer.id}/slots?from=${slot.date}&to=${slot.date}`,
    );
    expect(offered.data[0]).toMatchObject({ hasLimit: true, remaining: 0, state: 'open' });
    expect(offered.data[0]).not.toHaveProperty('taken');
  });
});

test('watchers of a farm receive its slots without the numbers, its farm with them', async () => {
  const [slot] = await fixture.twoSlots(20);
  const [visitor, own] = [await fixture.connect(), await fixture.connect({ token: farmer.token })];
  const received: Record<'visitor' | 'own', object[]> = { visitor: [], own: [] };
  visitor.on('slot.updated', ({ data }) => received.visitor.push(data));
  own.on('slot.updated', ({ data }) => received.own.push(data));
  await visitor.emitWithAck('farms.watch', { farmIds: [farmer.id.toUpperCase()] });
  const both = () => received.visitor.length === received.own.length;
  await fixture.placed(slot._id);
  await expect.poll(() => both() && received.own.length).toBe(1);
  const publicForm = {
    _id: slot._id,
    farmId: farmer.id,
    hasLimit: true,
    remaining: null,
    state: 'open',
  };
  expect(received.visitor).toEqual([publicForm]);
  expect(received.own).toEqual([{ ...publicForm, taken: 1, capacity: 20 }]);

  // A list replaces the one before.
  await visitor.emitWithAck('farms.watch', { farmIds: [] });
  await fixture.placed(slot._id);
  await expect.poll(() => received.own.length).toBe(2);
  expect(received.visitor).toHaveLength(1);
});
