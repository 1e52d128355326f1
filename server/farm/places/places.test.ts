import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { PLACES_MAX } from '#contract/farm/places/constants';
import { SLOT_DAYS_AHEAD } from '#contract/farm/slots/constants';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { addDays, dayIn } from '#contract/platform/time/constants';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { makePlace, placeInput, slotsAhead } from '../../testing/slots.ts';
import { addNextSlots } from '../slots/service.ts';

let farmer: Caller;
const market = closeAfter(await startTestMarket());
const category = await makeCategory(market.platform);
const consumer = await market.join('consumer');
beforeEach(async () => {
  farmer = await market.join('farmer');
});

const post = (path: string, body: unknown, as = farmer) => market.post(path, as, body);
const put = (path: string, body: unknown, as = farmer) => market.put(path, as, body);
const { get } = market;

const hours = (from: string, to: string, slotMinutes = 60, capacity: number | null = null) =>
  placeInput().hours.map(({ weekday }) => ({ weekday, from, to, slotMinutes, capacity }));

async function orderFor(slotId: string, as = consumer): Promise<string> {
  const { body: created } = await post('/products', productInput(category));
  const body = orderInput(farmer.id, [{ product: created.data._id, quantity: 1 }], {
    pickupDetails: { slotId },
  });
  const answer = await market.post('/orders', as, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data._id;
}

const startsOf = (slots: readonly FarmSlot[]) => [...new Set(slots.map(({ from }) => from))];

test('a farm adds, changes and removes a place, and sees its own alone', async () => {
  const made = await post('/farm/places', placeInput({ name: ' The red gate ' }));
  expect(made.status).toBe(201);
  const { _id } = made.body.data;
  expect(made.body.data).toMatchObject({ name: 'The red gate', isActive: true, version: 1 });
  expect(made.body.data.hours).toHaveLength(7);

  const changed = await put(`/farm/places/${_id}`, { phone: '555-0177', expectedVersion: 1 });
  expect(changed.body.data).toMatchObject({ name: 'The red gate', phone: '555-0177', version: 2 });
  expect((await get('/farm/places', farmer)).body.data).toEqual([changed.body.data]);
  expect((await get('/farm/places', await market.join('farmer'))).body.data).toEqual([]);

  const stale = await put(`/farm/places/${_id}`, { phone: '', expectedVersion: 1 });
  expect([stale.status, stale.body.code]).toEqual([409, 'VERSION_CONFLICT']);
  expect(stale.body.data).toEqual(changed.body.data);

  expect((await market.delete(`/farm/places/${_id}`, farmer)).status).toBe(200);
  expect((await get('/farm/places', farmer)).body.data).toEqual([]);
  expect((await market.delete(`/farm/places/${_id}`, farmer)).status).toBe(404);
  expect((await put(`/farm/places/${_id}`, { phone: '1' })).status).toBe(404);
});

test('a place makes its slots for 92 days, and each night those of one more day', async () => {
  await makePlace(market, farmer);
  const own = { where: { farmId: farmer.id } };
  const { db } = market.platform;
  const slots = await db.slot.findMany({ ...own, orderBy: [{ date: 'asc' }, { from: 'asc' }] });
  const last = addDays(dayIn('UTC'), SLOT_DAYS_AHEAD - 1);
  expect(slots.at(-1)?.date.toISOString().slice(0, 10)).toBe(last);

  const timer = await db.timer.findUniqueOrThrow({ where: { key: `slots.nextDay:${farmer.id}` } });
  expect(timer.dueAt.getTime()).toBeGreaterThan(Date.now());
  // As if a day had passed without it.
  await db.slot.deleteMany({ where: { farmId: farmer.id, date: new Date(last) } });
  const head = await market.platform.eventLog.head();
  await db.$transaction((tx) => addNextSlots(tx, farmer.id));
  await db.$transaction((tx) => addNextSlots(tx, farmer.id));
  expect(await db.slot.count(own)).toBe(slots.length);
  await market.platform.eventLog.sequence();
  const names = (await market.platform.eventLog.read(head)).map(({ name }) => name);
  expect(names).toEqual(['place.changed']);
});

test('whether a pickup needs a slot is shown on the farm page, as places come and go', async () => {
  const hasSlots = async () =>
    (await get(`/users/farmers/${farmer.id}`)).body.data.profile.hasSlots;
  expect(await hasSlots()).toBe(false);
  const place = await makePlace(market, farmer, { hours: [] });
  expect(await hasSlots()).toBe(false);
  await put(`/farm/places/${place}`, { hours: hours('10:00', '11:00') });
  expect(await hasSlots()).toBe(true);
  await put(`/farm/places/${place}`, { isActive: false });
  expect(await hasSlots()).toBe(false);
  expect((await get(`/users/farmers/${farmer.id}/slots?${days()}`)).body.data).toEqual([]);
  await put(`/farm/places/${place}`, { isActive: true });
  expect(await hasSlots()).toBe(true);
  expect((await get(`/users/farmers/${farmer.id}/slots?${days()}`)).body.data).not.toEqual([]);
});

const days = (): string => {
  const from = addDays(dayIn('UTC'), 1);
  return `from=${from}&to=${addDays(from, 6)}`;
};

describe('new hours', () => {
  test('rebuild slots, but for those with orders, which take no more', async () => {
    const place = await makePlace(market, farmer, {}, 3);
    const [slot, ...others] = await slotsAhead(market, farmer);
    await orderFor(slot?._id ?? '');
    await put(`/farm/places/${place}`, { hours: hours('10:00', '12:00', 30, 5) });

    const after = await slotsAhead(market, farmer);
    const kept = after.find(({ _id }) => _id === slot?._id);
    expect(kept).toMatchObject({
      from: '10:00',
      to: '11:00',
      taken: 1,
      capacity: 3,
      state: 'cancelled',
    });
    expect(after.filter(({ _id }) => others.some((other) => other._id === _id))).toEqual([]);
    const fresh = after.filter(({ _id }) => _id !== slot?._id);
    expect(startsOf(fresh)).toEqual(['10:00', '10:30', '11:00', '11:30']);
    expect(new Set(fresh.map(({ capacity }) => capacity))).toEqual(new Set([5]));
    const { body } = await get(`/users/farmers/${farmer.id}/slots?${days()}`);
    expect(body.data.some((each: { _id: string }) => each._id === slot?._id)).toBe(false);

    // Wanted again, it is offered again.
    await put(`/farm/places/${place}`, { hours: hours('10:00', '12:00', 60, 7) });
    const again = (await slotsAhead(market, farmer)).find(({ _id }) => _id === slot?._id);
    expect(again).toMatchObject({ state: 'open', taken: 1, capacity: 3 });
  });

  test('leave what the farm closed, and capacities it set by hand', async () => {
    const place = await makePlace(market, farmer, {}, 3);
    const [one, two, three] = await slotsAhead(market, farmer);
    await put(`/farm/slots/${one?._id}`, { state: 'closed' });
    await put(`/farm/slots/${two?._id}`, { capacity: 9 });
    await put(`/farm/places/${place}`, { hours: hours('10:00', '13:00', 60, 5) });
    const after = new Map((await slotsAhead(market, farmer)).map((slot) => [slot._id, slot]));
    expect(after.get(one?._id ?? '')).toMatchObject({ state: 'closed', capacity: 5 });
    expect(after.get(two?._id ?? '')).toMatchObject({ state: 'open', capacity: 9 });
    expect(after.get(three?._id ?? '')).toMatchObject({ state: 'open', capacity: 5 });
  });

  test('that are the same change nothing', async () => {
    const place = await makePlace(market, farmer);
    const before = await slotsAhead(market, farmer);
    const { body } = await get('/farm/places', farmer);
    await put(`/farm/places/${place}`, { hours: body.data[0].hours.toReversed() });
    expect(await slotsAhead(market, farmer)).toEqual(before);
  });

  it.each([
    ['an end before the start', hours('11:00', '10:00'), 'hours.0.to'],
    ['no time at all', hours('11:00', '11:00'), 'hours.0.to'],
    ['slots that do not divide it', hours('10:00', '11:30', 60), 'hours.0.slotMinutes'],
    ['slots of no minutes', hours('10:00', '11:00', 0), 'hours.0.slotMinutes'],
    ['half minutes', hours('10:00', '11:00', 7.5), 'hours.0.slotMinutes'],
    ['room for nobody', hours('10:00', '11:00', 60, 0), 'hours.0.capacity'],
    ['room for too many', hours('10:00', '11:00', 60, 10_001), 'hours.0.capacity'],
    ['too many slots', hours('00:00', '23:00', 5), 'hours.0.slotMinutes'],
    ['an hour that is none', hours('24:00', '25:00'), 'hours.0.from'],
    ['an end after midnight', hours('23:00', '24:30'), 'hours.0.to'],
    [
      'another range over it',
      [...hours('10:00', '12:00'), ...hours('11:00', '13:00')],
      'hours.7.from',
    ],
  ])('with %s are refused at their field', async (_, bad, path) => {
    const { status, body } = await post('/farm/places', placeInput({ hours: bad }));
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ path });
    expect((await get('/farm/places', farmer)).body.data).toEqual([]);
  });

  test('may touch each other', async () => {
    const touching = [...hours('10:00', '12:00'), ...hours('12:00', '13:00')];
    expect((await post('/farm/places', placeInput({ hours: touching }))).status).toBe(201);
  });
});

test('hours until midnight make a last slot that is ordered, shown and put into calendars until the next day', async () => {
  const place = await makePlace(market, farmer, { hours: hours('22:00', '24:00') });
  const { body } = await get('/farm/places', farmer);
  expect(body.data[0].hours[0]).toMatchObject({ from: '22:00', to: '24:00' });
  const slot = (await slotsAhead(market, farmer, place)).find(({ from }) => from === '23:00');
  if (!slot) throw new Error('There is no last slot');
  const midnight = `${addDays(slot.date, 1)}T00:00:00.000Z`;
  expect(slot).toMatchObject({ to: '24:00', endsAt: midnight });

  const order = await orderFor(slot._id);
  const placed = (await get(`/orders/${order}`, consumer)).body.data;
  expect(placed).toMatchObject({ endsAt: midnight, pickupDetails: { endTime: '24:00' } });
  const calendar = await market.get(`/orders/${order}/calendar`, consumer);
  expect(calendar.body.data.content).toContain(`DTEND:${midnight.replace(/[-:]|\.000/g, '')}`);

  // A farm's hours say it as the start of the next day, as cards and older clients read them.
  const farm = (await get(`/users/farmers/${farmer.id}`)).body.data;
  expect(farm.handoff.openings).toMatchObject([{ open: '22:00', close: '00:00' }]);
});

test('a place with open orders ahead stays until they are moved', async () => {
  const place = await makePlace(market, farmer);
  const other = await makePlace(market, farmer);
  const [slot] = await slotsAhead(market, farmer, place);
  const [target] = await slotsAhead(market, farmer, other);
  await orderFor(slot?._id ?? '');
  const remove = () => market.delete(`/farm/places/${place}`, farmer);
  const refused = await remove();
  expect([refused.status, refused.body.code]).toEqual([409, 'PLACE_HAS_ORDERS']);
  expect(refused.body.message).toContain('One open order');
  expect(await slotsAhead(market, farmer, place)).not.toEqual([]);

  await post(`/farm/slots/${slot?._id}/move`, {
    toSlotId: target?._id,
    reason: 'The gate is shut.',
  });
  expect((await remove()).status).toBe(200);
  expect(await slotsAhead(market, farmer, place)).toEqual([]);
});

test('a farm has at most so many places', async () => {
  await market.platform.db.place.createMany({
    data: Array.from({ length: PLACES_MAX }, () => ({
      farmId: farmer.id,
      name: randomUUID(),
      street: '1 Lane',
      city: 'Ashford',
    })),
  });
  const { status, body } = await post('/farm/places', placeInput());
  expect([status, body.code]).toEqual([409, 'PLACE_LIMIT_REACHED']);
});

test("a new time zone of the farm moves its slots' instants, and those of their orders", async () => {
  await makePlace(market, farmer);
  const [slot] = await slotsAhead(market, farmer);
  const order = await orderFor(slot?._id ?? '');
  const profile = { farmName: 'Green Valley', description: 'Soil.', timeZone: 'Asia/Karachi' };
  expect((await put('/users/farmers/profile', profile)).status).toBe(200);
  const moved = (await slotsAhead(market, farmer)).find(({ _id }) => _id === slot?._id);
  const hour = (instant = '') => instant.slice(11, 16);
  expect([hour(moved?.startsAt), hour(moved?.endsAt)]).toEqual(['05:00', '06:00']);
  const { body } = await get(`/orders/${order}`, consumer);
  expect(body.data).toMatchObject({
    version: 2,
    startsAt: moved?.startsAt,
    endsAt: moved?.endsAt,
    pickupDetails: { time: '10:00', endTime: '11:00', slotId: slot?._id },
    timeline: [{}, { kind: 'slot', detail: { from: slot?.startsAt, to: moved?.startsAt } }],
  });
});

test('a deleted farm takes its places and slots with it, and orders keep where they were', async () => {
  await makePlace(market, farmer, { name: 'Old gate' });
  const [slot] = await slotsAhead(market, farmer);
  const order = await orderFor(slot?._id ?? '');
  const admin = await market.join('admin');
  expect((await market.delete(`/users/${farmer.id}`, admin)).status).toBe(200);
  const { db } = market.platform;
  expect(await db.place.count({ where: { farmId: farmer.id } })).toBe(0);
  expect(await db.slot.count({ where: { farmId: farmer.id } })).toBe(0);
  const { body } = await get(`/orders/${order}`, consumer);
  expect(body.data).toMatchObject({ status: 'cancelled', pickupDetails: { time: '10:00' } });
  expect(body.data.pickupDetails.location).toContain('Old gate');
  expect((await get(`/users/farmers/${farmer.id}/slots?${days()}`)).status).toBe(404);
});

test('places are listed as the market sorts names', async () => {
  const own = await market.join('farmer');
  for (const name of ['Zoo gate', 'abbey', 'Stall 10', 'Stall 2', 'Älmhult']) {
    await makePlace(market, own, { name, hours: [] });
  }
  const { body } = await market.get('/farm/places', own);
  const names = body.data.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['abbey', 'Älmhult', 'Stall 2', 'Stall 10', 'Zoo gate']);
});
