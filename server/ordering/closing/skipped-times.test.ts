import { afterAll, beforeEach, describe, expect, it, test } from 'vitest';
import { BOOKABLE_DAYS_MAX } from '#contract/farm/schedule/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn, wallClockIn } from '#contract/platform/time/constants';
import { minutesOf, timeAt } from '#contract/platform/time/constants/clock';
import { instantOf } from '../../platform/time/clock.ts';
import { nextClockChange } from '../../testing/clock-changes.ts';
import type { Caller } from '../../testing/market.ts';
import { makePlace } from '../../testing/slots.ts';
import { createOrderFixture } from '../testing/fixture.ts';

// Each skips some time one night: an hour, at midnight, half an hour, and from 2:45 on.
const ZONES = ['Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe', 'Pacific/Chatham'];

const SOON = addDays(dayIn('UTC'), 20);

let farmer: Caller;
let product: string;
const fixture = await createOrderFixture();
beforeEach(async () => {
  farmer = await fixture.join('farmer');
  product = await fixture.createProduct(1000, { farmerId: farmer.id });
  await fixture.call('PUT', '/farm/schedule', {
    as: farmer,
    body: { bookableDays: BOOKABLE_DAYS_MAX },
  });
});
afterAll(() => fixture.close());

const saveZone = (timeZone: string) =>
  fixture.call('PUT', '/users/farmers/profile', {
    as: farmer,
    body: { farmName: 'Green Valley', description: 'Good soil.', timeZone },
  });
const readOrder = async (id: string): Promise<Order> =>
  (await fixture.call('GET', `/orders/${id}`, { as: fixture.consumer })).body.data;
const placed = async (over: Record<string, unknown>): Promise<Order> => {
  const { status, body } = await fixture.order([{ product, quantity: 1 }], {
    over: { farmer: farmer.id, ...over },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const at = (date: string, time: string) => ({
  pickupDetails: { date, time, location: 'Farm gate' },
});

describe.each(ZONES)('an order at a time that %s skips', (zone) => {
  const gap = nextClockChange(zone, 'skips');
  const later = (minutes: number) => timeAt(minutesOf(gap.time) + minutes);

  it('gets the first moment after it, by the clock too, and its customer is told', async () => {
    const inGap = await placed(at(gap.date, later(gap.minutes - 1)));
    const behind = await placed(at(gap.date, later(gap.minutes)));
    const head = await fixture.head();
    const { status, body } = await saveZone(zone);
    expect([status, body.data?.timeZone]).toEqual([200, zone]);

    const startsAt = instantOf({ date: gap.date, time: later(gap.minutes) }, zone).toISOString();
    const [now, other] = [await readOrder(inGap._id), await readOrder(behind._id)];
    expect(now.pickupDetails).toMatchObject({ date: gap.date, time: later(gap.minutes) });
    expect([now.startsAt, other.startsAt]).toEqual([startsAt, startsAt]);
    expect(now.timeline.at(-1)).toMatchObject({
      kind: 'slot',
      cause: 'clock_skips',
      detail: {
        from: inGap.startsAt,
        to: startsAt,
        before: { date: gap.date, time: later(gap.minutes - 1) },
        after: { date: gap.date, time: later(gap.minutes) },
      },
    });
    expect(other.timeline.at(-1)).toEqual(
      expect.not.objectContaining({ cause: expect.anything() }),
    );
    expect(other.pickupDetails).toEqual(behind.pickupDetails);
    const events = await fixture.eventsAfter(head);
    const event = events.find(({ data }) => data._id === inGap._id);
    const { startsAt: start, pickupDetails, version, timeline } = now;
    expect(event?.data).toMatchObject({
      ...{ startsAt: start, pickupDetails, version, timeline },
      change: { kind: 'slot', after: { time: later(gap.minutes) } },
    });
  });

  it('keeps the length of its slot where that would end before it begins', async () => {
    const place = await makePlace(fixture, farmer, { hours: [] });
    // In the gap, over its start, over its end, around it, and behind it.
    const times = [
      [0, 15],
      [-15, 15],
      [15, gap.minutes + 15],
      [-15, gap.minutes + 15],
      [gap.minutes, gap.minutes + 15],
    ].filter(([from = 0]) => minutesOf(gap.time) + from >= 0) as [number, number][];
    const slots = await Promise.all(
      times.map(([from, to]) =>
        fixture.platform.db.slot.create({
          data: {
            farmId: farmer.id,
            placeId: place,
            date: new Date(gap.date),
            from: later(from),
            to: later(to),
            startsAt: instantOf({ date: gap.date, time: later(from) }, 'UTC'),
            endsAt: instantOf({ date: gap.date, time: later(to) }, 'UTC'),
          },
        }),
      ),
    );
    const orders = await Promise.all(
      slots.map(({ id }) => placed({ pickupDetails: { slotId: id } })),
    );
    expect((await saveZone(zone)).status).toBe(200);

    for (const [index, { _id }] of orders.entries()) {
      const [from, to] = times[index] ?? [0, 0];
      const { startsAt = '', endsAt = '', pickupDetails } = await readOrder(_id);
      const { date = '', time, endTime } = pickupDetails ?? {};
      expect(wallClockIn(zone, new Date(startsAt))).toEqual({ date, time });
      expect(wallClockIn(zone, new Date(endsAt)).time).toBe(endTime);
      const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000;
      // What of it the clock shows, or all of it where it shows nothing.
      const shown =
        Math.min(0, to) -
        Math.min(0, from) +
        Math.max(gap.minutes, to) -
        Math.max(gap.minutes, from);
      expect(minutes, `${time}–${endTime}`).toBe(shown || to - from);
    }
    const rows = await fixture.platform.db.slot.findMany({ where: { farmId: farmer.id } });
    expect(rows).toHaveLength(slots.length);
    for (const row of rows) expect(row.endsAt.getTime()).toBeGreaterThan(row.startsAt.getTime());
    const list = await fixture.call('GET', `/farm/slots?from=${gap.date}&to=${gap.date}`, {
      as: farmer,
    });
    expect([list.status, list.body.data.length]).toEqual([200, slots.length]);
  });
});

test('an order for 9999, from before dates had an end, stops no change of the zone and can be cancelled', async () => {
  const [far, near] = [await placed(at(SOON, '22:00')), await placed(at(SOON, '22:00'))];
  const { db } = fixture.platform;
  const startsAt = new Date('9999-12-31T22:00:00Z');
  await db.order.update({
    where: { id: far._id },
    data: { date: new Date('9999-12-31'), startsAt },
  });
  // There it is the year 10000 by then, and by the market's clock as well.
  expect((await saveZone('America/Los_Angeles')).status).toBe(200);
  expect((await saveZone('UTC')).status).toBe(200);
  const market = await fixture.call('PUT', '/market', {
    as: fixture.admin,
    body: { timeZone: 'America/New_York' },
  });
  expect(market.status).toBe(200);
  expect((await readOrder(near._id)).startsAt).toBe(
    instantOf({ date: SOON, time: '22:00' }, 'America/New_York').toISOString(),
  );
  expect((await readOrder(far._id)).startsAt).toBe(startsAt.toISOString());
  const cancelled = await fixture.changeStatus(far._id, 'cancelled', fixture.consumer);
  expect([cancelled.status, cancelled.body.data?.status]).toEqual([200, 'cancelled']);
});

test('another zone of the market moves thousands of orders, one of them in the hour it skips', async () => {
  const { db, pool } = fixture.platform;
  await fixture.call('PUT', '/market', { as: fixture.admin, body: { timeZone: 'UTC' } });
  await saveZone('UTC');
  const gap = nextClockChange('Europe/Berlin', 'skips');
  const order = await placed(at(gap.date, gap.time));
  const copies = 2500;
  await pool.query(
    `WITH copy AS (
       INSERT INTO orders (consumer_id, farmer_id, total_minor, payment_method, is_pickup, date, time, pickup_location)
       SELECT consumer_id, farmer_id, total_minor, payment_method, is_pickup, $2::date + number % 50, '10:00', 'Gate'
       FROM orders, generate_series(1, $3) AS number WHERE id = $1
       RETURNING id, consumer_id)
     INSERT INTO order_timeline (order_id, sequence, kind, status, version, by_id)
     SELECT id, 1, 'status', 'pending', 1, consumer_id FROM copy`,
    [order._id, wallClockIn('UTC', Date.now() + 86_400_000).date, copies],
  );
  const { status } = await fixture.call('PUT', '/market', {
    as: fixture.admin,
    body: { timeZone: 'Europe/Berlin' },
  });
  expect(status).toBe(200);
  expect(await db.order.count({ where: { farmerId: farmer.id, version: 2 } })).toBe(copies + 1);
  const { rows } = await pool.query(
    `SELECT count(*)::int AS wrong FROM orders
     WHERE farmer_id = $1 AND (starts_at AT TIME ZONE 'Europe/Berlin') <> date + time::time`,
    [farmer.id],
  );
  expect(rows).toEqual([{ wrong: 0 }]);
});
