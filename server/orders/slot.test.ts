import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '#contract/constants/days';
import type { Order } from '#contract/orders';
import type { FarmSlot, OfferedSlot } from '#contract/slots';
import type { Answer, Caller } from '../testing/market.ts';
import { makePlace, slotsAhead } from '../testing/slots.ts';
import { createOrderFixture, type OrderFixture } from './testing/fixture.ts';

let fixture: OrderFixture;
let consumer: Caller;
let other: Caller;
/** Each test has a farm of its own. */
let farmer: Caller;
let product: string;
beforeAll(async () => {
  fixture = await createOrderFixture();
  consumer = fixture.consumer;
  other = await fixture.join('consumer');
});
beforeEach(async () => {
  farmer = await fixture.join('farmer');
  product = await fixture.createProduct(1000, { farmerId: farmer.id });
});
afterAll(() => fixture.close());

const post = (path: string, as: Caller, body: unknown) => fixture.call('POST', path, { as, body });
const put = (path: string, as: Caller, body: unknown) => fixture.call('PUT', path, { as, body });

const order = (slotId: string, as = consumer): Promise<Answer> =>
  fixture.order([{ product, quantity: 1 }], {
    as,
    over: { farmer: farmer.id, pickupDetails: { slotId } },
  });

async function placed(slotId: string, as = consumer): Promise<Order> {
  const { status, body } = await order(slotId, as);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Two neighbouring slots of one place. */
async function twoSlots(capacity: number | null = null): Promise<[FarmSlot, FarmSlot]> {
  const place = await makePlace(fixture, farmer, { name: 'The red gate' }, capacity);
  const [one, two] = await slotsAhead(fixture, farmer, place);
  if (!one || !two) throw new Error('A place has too few slots');
  return [one, two];
}

const takenOf = async ({ _id }: Pick<FarmSlot, '_id'>): Promise<number> =>
  (await fixture.platform.db.slot.findUniqueOrThrow({ where: { id: _id } })).taken;

const events = async (after: number, name: string) =>
  (await fixture.eventsAfter(after)).filter((event) => event.name === name).map(({ data }) => data);

describe('an order in a slot', () => {
  test('keeps the times and the place, and takes room', async () => {
    const [slot] = await twoSlots(4);
    const head = await fixture.head();
    const made = await placed(slot._id);
    expect(made).toMatchObject({ startsAt: slot.startsAt, endsAt: slot.endsAt });
    expect(made.pickupDetails).toEqual({
      date: slot.date,
      time: '10:00',
      endTime: '11:00',
      location: 'The red gate, 1 Mill Lane, Ashford, VT, 05001',
      slotId: slot._id,
      place: {
        name: 'The red gate',
        address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
        directions: 'Behind the barn.',
      },
    });
    const { body } = await fixture.call('GET', `/orders/${made._id}`, { as: consumer });
    expect(body.data).toEqual(made);
    expect(await takenOf(slot)).toBe(1);
    expect(await events(head, 'slot.updated')).toEqual([
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

  test('is asked for where the farm has slots, and not for a delivery', async () => {
    await twoSlots();
    await put('/users/farmers/profile', farmer, {
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
    const [slot] = await twoSlots();
    const { body } = await fixture.order([{ product, quantity: 1 }], {
      over: {
        farmer: farmer.id,
        pickupDetails: { slotId: slot._id, date: '2031-01-01', time: '03:00', location: 'Here' },
      },
    });
    expect(body.data.pickupDetails).toMatchObject({ date: slot.date, time: '10:00' });
  });

  test('of no form is refused at its field', async () => {
    const bad = await order('not-an-id');
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
    const { status, body } = await order(slotId);
    expect(status).toBe(409);
    expect(await fixture.stockOf(product)).toBe(1000);
    return { code: body.code, nearest: body.data.nearest as OfferedSlot[], message: body.message };
  };

  test('when it is full, naming the nearest free ones', async () => {
    const [slot, next] = await twoSlots(1);
    await placed(slot._id, other);
    await fixture.platform.db.product.update({
      where: { id: product },
      data: { stockMilli: 1_000_000 },
    });
    const { code, nearest, message } = await refusal(slot._id);
    expect(code).toBe('SLOT_FULL');
    expect(message).toContain('11:00 AM – 12:00 PM');
    expect(nearest.map(({ _id }) => _id)).toContain(next._id);
    expect(nearest).toHaveLength(2);
    expect(nearest[0]).toMatchObject({ hasLimit: true, remaining: 1, state: 'open' });
  });

  test('when it is closed, of another farm, or not there', async () => {
    const [slot] = await twoSlots();
    await put(`/farm/slots/${slot._id}`, farmer, { state: 'closed' });
    expect((await refusal(slot._id)).code).toBe('SLOT_CLOSED');
    await put(`/farm/slots/${slot._id}`, farmer, { state: 'open' });
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
    const [slot] = await twoSlots(1);
    await put(`/farm/slots/${slot._id}`, farmer, { state: 'closed' });
    const exceptions = [{ date: slot.date, skip: true }];
    const cutoff = { daysBefore: 14, time: '00:00' };
    expect((await put('/farm/schedule', farmer, { exceptions, cutoff })).status).toBe(200);
    const closed = await refusal(slot._id);
    expect(closed.code).toBe('DAY_CLOSED');
    expect(closed.nearest.every(({ date }) => date !== slot.date)).toBe(true);
    const { body } = await fixture.call(
      'GET',
      `/users/farmers/${farmer.id}/slots?from=${slot.date}&to=${slot.date}`,
    );
    expect(body.data).toEqual([]);
    await put('/farm/schedule', farmer, { exceptions: [] });
    expect((await refusal(slot._id)).code).toBe('CUTOFF_PASSED');
    await put('/farm/schedule', farmer, { cutoff: null });
    expect((await refusal(slot._id)).code).toBe('SLOT_CLOSED');
  });

  test('once it has begun', async () => {
    const [slot] = await twoSlots();
    await fixture.platform.db.slot.update({
      where: { id: slot._id },
      data: { startsAt: new Date(Date.now() - 1000) },
    });
    expect((await refusal(slot._id)).code).toBe('CUTOFF_PASSED');
  });
});

describe('its room', () => {
  test('is given back once when the order is rejected or cancelled, and kept when it is completed', async () => {
    const [slot] = await twoSlots(5);
    const orders = await Promise.all([0, 1, 2, 3].map(() => placed(slot._id)));
    const [a, b, c, d] = orders.map(({ _id }) => _id) as [string, string, string, string];
    expect(await takenOf(slot)).toBe(4);
    const cancel = () => fixture.changeStatus(a, 'cancelled', consumer);
    await Promise.all([cancel(), cancel(), cancel()]);
    expect(await takenOf(slot)).toBe(3);
    await fixture.changeStatus(b, 'rejected', farmer);
    await fixture.changeStatus(b, 'rejected', farmer);
    expect(await takenOf(slot)).toBe(2);
    for (const status of ['accepted', 'completed']) await fixture.changeStatus(c, status, farmer);
    expect(await takenOf(slot)).toBe(2);
    const head = await fixture.head();
    await put('/orders/status', farmer, { ids: [a, d], status: 'rejected' });
    expect(await takenOf(slot)).toBe(1);
    expect(await events(head, 'slot.updated')).toMatchObject([{ taken: 1, remaining: 4 }]);
  });

  test('is given back with the account of its buyer', async () => {
    const [slot, next] = await twoSlots(5);
    const leaver = await fixture.join('consumer');
    for (const each of [slot, next, slot]) await placed(each._id, leaver);
    await placed(slot._id);
    await fixture.call('DELETE', `/users/${leaver.id}`, { as: fixture.admin });
    expect([await takenOf(slot), await takenOf(next)]).toEqual([1, 0]);
  });

  test('may be less than what is taken, and throws nobody out', async () => {
    const [slot] = await twoSlots(4);
    for (let round = 0; round < 3; round++) await placed(slot._id);
    const { body } = await put(`/farm/slots/${slot._id}`, farmer, { capacity: 1 });
    expect(body.data).toMatchObject({ taken: 3, capacity: 1 });
    expect((await order(slot._id)).body.code).toBe('SLOT_FULL');
    const { body: offered } = await fixture.call(
      'GET',
      `/users/farmers/${farmer.id}/slots?from=${slot.date}&to=${slot.date}`,
    );
    expect(offered.data[0]).toMatchObject({ hasLimit: true, remaining: 0, state: 'open' });
    expect(offered.data[0]).not.toHaveProperty('taken');
  });
});

describe('moving one order', () => {
  const move = (id: string, slotId: string, as: Caller, expectedVersion?: number) =>
    put(`/orders/${id}/slot`, as, { slotId, expectedVersion });

  test('tells both sides what changed, and moves its room', async () => {
    const [slot, next] = await twoSlots(4);
    const made = await placed(slot._id);
    const head = await fixture.head();
    const { status, body } = await move(made._id, next._id, consumer, 1);
    expect(status).toBe(200);
    const detail = {
      from: slot.startsAt,
      to: next.startsAt,
      before: {
        date: slot.date,
        time: '10:00',
        endTime: '11:00',
        location: made.pickupDetails?.location,
      },
      after: {
        date: slot.date,
        time: '11:00',
        endTime: '12:00',
        location: made.pickupDetails?.location,
      },
    };
    expect(body.data).toMatchObject({
      version: 2,
      status: 'pending',
      startsAt: next.startsAt,
      endsAt: next.endsAt,
      pickupDetails: { time: '11:00', endTime: '12:00', slotId: next._id },
    });
    expect(body.data.timeline.at(-1)).toMatchObject({
      sequence: 2,
      kind: 'slot',
      detail,
      by: { _id: consumer.id },
    });
    expect(await events(head, 'order.updated')).toEqual([
      { ...body.data, change: { kind: 'slot', ...detail } },
    ]);
    expect(await events(head, 'slot.updated')).toMatchObject([
      { _id: slot._id, taken: 0 },
      { _id: next._id, taken: 1 },
    ]);
    const read = await fixture.call('GET', `/orders/${made._id}`, { as: farmer });
    expect(read.body.data).toEqual(body.data);

    // Again it changes nothing; an old version is refused with the order as it is.
    expect((await move(made._id, next._id, consumer)).body.data).toEqual(body.data);
    const stale = await move(made._id, slot._id, consumer, 1);
    expect([stale.status, stale.body.code]).toEqual([409, 'VERSION_CONFLICT']);
    expect(stale.body.data).toEqual(body.data);
  });

  test('is for its buyer and its farm, while it is open', async () => {
    const [slot, next] = await twoSlots();
    const made = await placed(slot._id);
    expect((await move(made._id, next._id, other)).status).toBe(404);
    expect((await move(made._id, next._id, await fixture.join('farmer'))).status).toBe(404);
    await fixture.changeStatus(made._id, 'accepted', farmer);
    expect((await move(made._id, next._id, farmer)).status).toBe(200);
    await fixture.changeStatus(made._id, 'completed', farmer);
    const done = await move(made._id, slot._id, farmer);
    expect([done.status, done.body.code]).toEqual([409, 'ORDER_NOT_OPEN']);
  });

  test('is refused where the slot takes none; the farm may use what it closed to buyers', async () => {
    const [slot, next] = await twoSlots(1);
    const [mine, theirs] = [await placed(slot._id), await placed(next._id, other)];
    const full = await move(mine._id, next._id, consumer);
    expect([full.status, full.body.code]).toEqual([409, 'SLOT_FULL']);
    expect(full.body.data.nearest).not.toEqual([]);
    await put(`/farm/slots/${next._id}`, farmer, { capacity: 5, state: 'closed' });
    expect((await move(mine._id, next._id, consumer)).body.code).toBe('SLOT_CLOSED');
    expect((await move(mine._id, randomUUID(), farmer)).body.code).toBe('SLOT_CLOSED');
    expect((await move(mine._id, next._id, farmer)).status).toBe(200);
    expect((await move(theirs._id, slot._id, farmer)).status).toBe(200);
    expect([await takenOf(slot), await takenOf(next)]).toEqual([1, 1]);
  });

  test('is for its buyer until the cut-off, and for the farm after it', async () => {
    const [slot, next] = await twoSlots();
    const made = await placed(slot._id);
    await put('/farm/schedule', farmer, { cutoff: { daysBefore: 14, time: '00:00' } });
    const late = await move(made._id, next._id, consumer);
    expect([late.status, late.body.code]).toEqual([409, 'CUTOFF_PASSED']);
    expect((await move(made._id, next._id, farmer)).status).toBe(200);
  });

  test('gives an order from before there were places its slot, and none to a delivery', async () => {
    const free = await fixture.order([{ product, quantity: 1 }], { over: { farmer: farmer.id } });
    const [slot] = await twoSlots();
    const { body } = await move(free.body.data._id, slot._id, consumer);
    expect(body.data.pickupDetails).toMatchObject({ slotId: slot._id, endTime: '11:00' });
    expect(body.data.timeline.at(-1).detail.before).toMatchObject({ location: 'Farm gate' });
    expect(await takenOf(slot)).toBe(1);
    await fixture.platform.db.order.update({
      where: { id: body.data._id },
      data: { isPickup: false, slotId: null },
    });
    expect((await move(body.data._id, slot._id, farmer)).body.code).toBe('NOT_PICKUP');
  });
});

describe('moving all orders of a slot', () => {
  test('moves the open ones with the reason, and tells who has read of it', async () => {
    const [slot, next] = await twoSlots(6);
    const [one, two] = [await placed(slot._id), await placed(slot._id, other)];
    const gone = await placed(slot._id);
    await fixture.changeStatus(gone._id, 'cancelled', consumer);
    const reason = 'We are at a wedding.';
    const move = { toSlotId: next._id, reason };
    const { status, body } = await post(`/farm/slots/${slot._id}/move`, farmer, move);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ moved: 2, slot: { _id: next._id, taken: 2 } });
    expect([await takenOf(slot), await takenOf(next)]).toEqual([0, 2]);

    const list = async () =>
      (await fixture.call('GET', `/farm/slots/${next._id}/orders`, { as: farmer })).body.data;
    expect(await list()).toMatchObject([
      { order: { _id: two._id }, moved: { reason, isRead: false } },
      { order: { _id: one._id }, moved: { reason, isRead: false } },
    ]);
    // As a worker writes it, and its buyer reads it.
    await fixture.platform.db.notification.create({
      data: {
        userId: consumer.id,
        kind: 'order.slotMoved',
        key: `order.slotMoved:${one._id}:2`,
        title: 'Your pickup was moved',
        body: reason,
        link: `/orders/${one._id}`,
      },
    });
    await put('/notifications/read', consumer, { subject: { kind: 'order', _id: one._id } });
    expect((await list()).map((each: { moved: object }) => each.moved)).toMatchObject([
      { isRead: false },
      { isRead: true },
    ]);
  });

  test('is refused where not all have room, to the same slot, and to strangers', async () => {
    const [slot, next] = await twoSlots(2);
    await placed(slot._id);
    await placed(slot._id, other);
    await placed(next._id);
    const move = (toSlotId: string, as = farmer) =>
      post(`/farm/slots/${slot._id}/move`, as, { toSlotId });
    const full = await move(next._id);
    expect([full.status, full.body.code]).toEqual([409, 'SLOT_FULL']);
    expect(full.body.message).toContain('no room for 2 orders');
    expect([await takenOf(slot), await takenOf(next)]).toEqual([2, 1]);
    expect((await move(slot._id)).status).toBe(400);
    expect((await move(next._id, await fixture.join('farmer'))).status).toBe(404);
  });
});

test('a day moves to another one by place and time, and tells what could not move', async () => {
  const [morning, noon] = await twoSlots(3);
  const toDate = addDays(morning.date, 1);
  const [sameMorning, sameNoon] = (await slotsAhead(fixture, farmer)).filter(
    ({ date }) => date === toDate,
  );
  for (const each of [morning, noon, noon]) await placed(each._id);
  for (let round = 0; round < 2; round++) await placed(sameNoon?._id ?? '', other);
  const body = { date: morning.date, toDate, reason: 'Closed on Christmas.' };
  const answer = await post('/farm/slots/move-day', farmer, body);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    moved: 1,
    stayed: [{ slot: { _id: noon._id, taken: 2, state: 'closed' }, code: 'SLOT_FULL' }],
  });
  const taken = [morning, noon, sameMorning, sameNoon].map((slot) => takenOf(slot ?? morning));
  expect(await Promise.all(taken)).toEqual([0, 2, 1, 2]);
  expect((await order(morning._id)).body.code).toBe('SLOT_CLOSED');
  expect((await post('/farm/slots/move-day', farmer, { ...body, toDate: body.date })).status).toBe(
    400,
  );
});

test('watchers of a farm hear of its slots without the numbers, its farm with them', async () => {
  const [slot] = await twoSlots(20);
  const [visitor, own] = [await fixture.connect(), await fixture.connect({ token: farmer.token })];
  const heard: Record<'visitor' | 'own', object[]> = { visitor: [], own: [] };
  visitor.on('slot.updated', ({ data }) => heard.visitor.push(data));
  own.on('slot.updated', ({ data }) => heard.own.push(data));
  await visitor.emitWithAck('farms.watch', { farmIds: [farmer.id.toUpperCase()] });
  const both = () => heard.visitor.length === heard.own.length;
  await placed(slot._id);
  await expect.poll(() => both() && heard.own.length, { timeout: 30_000 }).toBe(1);
  const told = { _id: slot._id, farmId: farmer.id, hasLimit: true, remaining: null, state: 'open' };
  expect(heard.visitor).toEqual([told]);
  expect(heard.own).toEqual([{ ...told, taken: 1, capacity: 20 }]);

  // A list replaces the one before.
  await visitor.emitWithAck('farms.watch', { farmIds: [] });
  await placed(slot._id);
  await expect.poll(() => heard.own.length, { timeout: 30_000 }).toBe(2);
  expect(heard.visitor).toHaveLength(1);
});
