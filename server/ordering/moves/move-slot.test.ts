import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays } from '#contract/platform/time/constants';
import { until } from '../../../testing/until.ts';
import { type Caller, FARM_ADDRESS } from '../../testing/market.ts';
import { slotsAhead } from '../../testing/slots.ts';
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

describe('moving one order', () => {
  const move = (id: string, slotId: string, as: Caller, expectedVersion?: number) =>
    fixture.put(`/orders/${id}/slot`, as, { slotId, expectedVersion });

  test('notifies both sides of what changed, and moves its room', async () => {
    const [slot, next] = await fixture.twoSlots(4);
    const made = await fixture.placed(slot._id);
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
    expect(await fixture.eventsNamed(head, 'order.updated')).toEqual([
      { ...body.data, change: { kind: 'slot', ...detail } },
    ]);
    expect(await fixture.eventsNamed(head, 'slot.updated')).toMatchObject([
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

  test('is for its customer and its farm, while it is open', async () => {
    const [slot, next] = await fixture.twoSlots();
    const made = await fixture.placed(slot._id);
    expect((await move(made._id, next._id, fixture.other)).status).toBe(404);
    expect((await move(made._id, next._id, await fixture.join('farmer'))).status).toBe(404);
    await fixture.changeStatus(made._id, 'accepted', farmer);
    expect((await move(made._id, next._id, farmer)).status).toBe(200);
    await fixture.changeStatus(made._id, 'completed', farmer);
    const done = await move(made._id, slot._id, farmer);
    expect([done.status, done.body.code]).toEqual([409, 'ORDER_NOT_OPEN']);
  });

  test('is refused where the slot takes none; the farm may use what it closed to customers', async () => {
    const [slot, next] = await fixture.twoSlots(1);
    const [mine, theirs] = [
      await fixture.placed(slot._id),
      await fixture.placed(next._id, fixture.other),
    ];
    const full = await move(mine._id, next._id, consumer);
    expect([full.status, full.body.code]).toEqual([409, 'SLOT_FULL']);
    expect(full.body.data.nearest).not.toEqual([]);
    await fixture.put(`/farm/slots/${next._id}`, farmer, { capacity: 5, state: 'closed' });
    expect((await move(mine._id, next._id, consumer)).body.code).toBe('SLOT_CLOSED');
    expect((await move(mine._id, randomUUID(), farmer)).body.code).toBe('SLOT_CLOSED');
    expect((await move(mine._id, next._id, farmer)).status).toBe(200);
    expect((await move(theirs._id, slot._id, farmer)).status).toBe(200);
    expect([await fixture.takenOf(slot), await fixture.takenOf(next)]).toEqual([1, 1]);
  });

  test('is for its customer until the cut-off, and for the farm after it', async () => {
    const [slot, next] = await fixture.twoSlots();
    const made = await fixture.placed(slot._id);
    await fixture.put('/farm/schedule', farmer, { cutoff: { daysBefore: 14, time: '00:00' } });
    const late = await move(made._id, next._id, consumer);
    expect([late.status, late.body.code]).toEqual([409, 'CUTOFF_PASSED']);
    expect((await move(made._id, next._id, farmer)).status).toBe(200);
  });

  test("ends for its customer with a product's last day, and never for the farm", async () => {
    const [slot] = await fixture.twoSlots();
    const next = (await slotsAhead(fixture, farmer)).filter(
      ({ date }) => date === addDays(slot.date, 1),
    );
    const last = await fixture.platform.db.product.update({
      where: { id: product },
      data: { name: 'Leeks', availableUntil: new Date(slot.date) },
    });
    const made = await fixture.placed(slot._id);
    const late = await move(made._id, next[0]?._id ?? '', consumer);
    expect([late.status, late.body.code]).toEqual([409, 'NOT_AVAILABLE_THEN']);
    expect(late.body.message).toContain(`${last.name} can be had until`);
    expect(late.body.problems).toEqual([{ line: 0, code: 'NOT_AVAILABLE_THEN', until: slot.date }]);
    expect(await fixture.takenOf(next[0] ?? slot)).toBe(0);
    expect((await move(made._id, next[0]?._id ?? '', farmer)).status).toBe(200);
    // Where the farm has put it, its consumer may choose another time of the day, and go back.
    expect((await move(made._id, next[1]?._id ?? '', consumer)).status).toBe(200);
    expect((await move(made._id, slot._id, consumer)).status).toBe(200);
    // What was taken out of the order does not matter.
    await fixture.platform.db.orderLine.updateMany({
      where: { orderId: made._id },
      data: { quantityMilli: 0, orderedMilli: 1000 },
    });
    expect((await move(made._id, next[0]?._id ?? '', consumer)).status).toBe(200);
  });

  test('gives an order from before there were places its slot, and none to a delivery', async () => {
    const free = await fixture.order([{ product, quantity: 1 }], { over: { farmer: farmer.id } });
    const [slot] = await fixture.twoSlots();
    const { body } = await move(free.body.data._id, slot._id, consumer);
    expect(body.data.pickupDetails).toMatchObject({ slotId: slot._id, endTime: '11:00' });
    expect(body.data.timeline.at(-1).detail.before).toMatchObject({ location: FARM_ADDRESS });
    expect(await fixture.takenOf(slot)).toBe(1);
    await fixture.platform.db.order.update({
      where: { id: body.data._id },
      data: { isPickup: false, slotId: null },
    });
    expect((await move(body.data._id, slot._id, farmer)).body.code).toBe('NOT_PICKUP');
  });
});

describe('moving all orders of a slot', () => {
  test('moves the open ones with the reason, and notifies who could read the old one', async () => {
    const [slot, next] = await fixture.twoSlots(6);
    const [one, two] = [
      await fixture.placed(slot._id),
      await fixture.placed(slot._id, fixture.other),
    ];
    const gone = await fixture.placed(slot._id);
    await fixture.changeStatus(gone._id, 'cancelled', consumer);
    const reason = 'We are at a wedding.';
    const move = { toSlotId: next._id, reason };
    const { status, body } = await fixture.post(`/farm/slots/${slot._id}/move`, farmer, move);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ moved: 2, slot: { _id: next._id, taken: 2 } });
    expect([await fixture.takenOf(slot), await fixture.takenOf(next)]).toEqual([0, 2]);

    const list = async () =>
      (await fixture.call('GET', `/farm/slots/${next._id}/orders`, { as: farmer })).body.data;
    expect(await list()).toMatchObject([
      { order: { _id: two._id }, moved: { reason, isRead: false } },
      { order: { _id: one._id }, moved: { reason, isRead: false } },
    ]);
    // As a worker writes it, and its consumer reads it.
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
    await fixture.put('/notifications/read', consumer, {
      subject: { kind: 'order', _id: one._id },
    });
    expect((await list()).map((each: { moved: object }) => each.moved)).toMatchObject([
      { isRead: false },
      { isRead: true },
    ]);
  });

  test('is refused where not all have room, to the same slot, and to strangers', async () => {
    const [slot, next] = await fixture.twoSlots(2);
    await fixture.placed(slot._id);
    await fixture.placed(slot._id, fixture.other);
    await fixture.placed(next._id);
    const move = (toSlotId: string, as = farmer) =>
      fixture.post(`/farm/slots/${slot._id}/move`, as, { toSlotId });
    const full = await move(next._id);
    expect([full.status, full.body.code]).toEqual([409, 'SLOT_FULL']);
    expect(full.body.message).toContain('no room for 2 orders');
    expect([await fixture.takenOf(slot), await fixture.takenOf(next)]).toEqual([2, 1]);
    expect((await move(slot._id)).status).toBe(400);
    expect((await move(next._id, await fixture.join('farmer'))).status).toBe(404);
  });
});

test('a day moves to another one by place and time, and returns what could not move', async () => {
  const [morning, noon] = await fixture.twoSlots(3);
  const toDate = addDays(morning.date, 1);
  const [sameMorning, sameNoon] = (await slotsAhead(fixture, farmer)).filter(
    ({ date }) => date === toDate,
  );
  for (const each of [morning, noon, noon]) await fixture.placed(each._id);
  for (let round = 0; round < 2; round++) await fixture.placed(sameNoon?._id ?? '', fixture.other);
  const body = { date: morning.date, toDate, reason: 'Closed on Christmas.' };
  const answer = await fixture.post('/farm/slots/move-day', farmer, body);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    moved: 1,
    stayed: [{ slot: { _id: noon._id, taken: 2, state: 'closed' }, code: 'SLOT_FULL' }],
  });
  const taken = [morning, noon, sameMorning, sameNoon].map((slot) =>
    fixture.takenOf(slot ?? morning),
  );
  expect(await Promise.all(taken)).toEqual([0, 2, 1, 2]);
  expect((await fixture.orderIn(morning._id)).body.code).toBe('SLOT_CLOSED');
  expect(
    (await fixture.post('/farm/slots/move-day', farmer, { ...body, toDate: body.date })).status,
  ).toBe(400);
});

describe('an order that comes while its slot is about to be emptied', () => {
  /** Lets an order and then a move wait for a slot that somebody else holds, in this order. */
  async function orderedBefore<Answer>(slotId: string, move: () => Promise<Answer>) {
    const { pool } = fixture.platform;
    const holder = await pool.connect();
    const untilWaiting = (count: number) =>
      until(async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length >= count;
      });
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM slots WHERE id = $1 FOR UPDATE', [slotId]);
    const ordering = fixture.orderIn(slotId);
    await untilWaiting(1);
    const moving = move();
    await untilWaiting(2);
    await holder.query('COMMIT');
    holder.release();
    const order = await ordering;
    expect(order.status, JSON.stringify(order.body)).toBe(201);
    return moving;
  }

  test('moves with all others of the slot', async () => {
    const [slot, next] = await fixture.twoSlots(3);
    await fixture.placed(slot._id);
    const { body } = await orderedBefore(slot._id, () =>
      fixture.post(`/farm/slots/${slot._id}/move`, farmer, { toSlotId: next._id }),
    );
    expect(body.data).toMatchObject({ moved: 2, slot: { taken: 2 } });
    expect([await fixture.takenOf(slot), await fixture.takenOf(next)]).toEqual([0, 2]);
  });

  test('moves with its day, which is closed behind it', async () => {
    const [slot] = await fixture.twoSlots();
    const { body } = await orderedBefore(slot._id, () =>
      fixture.post('/farm/slots/move-day', farmer, {
        date: slot.date,
        toDate: addDays(slot.date, 1),
      }),
    );
    expect(body.data).toEqual({ moved: 1, stayed: [] });
    expect(await fixture.takenOf(slot)).toBe(0);
  });
});
