import { afterAll, describe, expect, it } from 'vitest';
import { BOOKABLE_DAYS_MAX } from '#contract/farm/schedule/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';
import { nextClockChange } from '../../testing/clock-changes.ts';
import { hire } from '../../testing/staff.ts';
import { createOrderFixture } from '../testing/fixture.ts';

/** The last and the first place where a day begins: 25 hours lie between them, so their days differ. */
const WEST = 'Pacific/Pago_Pago';
const EAST = 'Pacific/Kiritimati';
const BERLIN = 'Europe/Berlin';
/** A day to come, and another one. */
const DAY = addDays(dayIn('UTC'), 20);
const NEXT_DAY = addDays(DAY, 1);
const at = (zone: string, time: string, date = DAY) =>
  instantOf({ date, time }, zone).toISOString();

const saveZone = (timeZone: unknown, as = fixture.farmer) =>
  fixture.call('PUT', '/users/farmers/profile', {
    as,
    body: { farmName: 'Green Valley', description: 'Good soil.', timeZone },
  });
const readFarm = async () =>
  (await fixture.call('GET', `/users/farmers/${fixture.farmer.id}`)).body.data.profile;
const readOrder = async (id: string): Promise<Order> =>
  (await fixture.call('GET', `/orders/${id}`, { as: fixture.consumer })).body.data;
const placeFor = async (date: string, time = '10:00'): Promise<Order> => {
  const { status, body } = await fixture.order([{ product, quantity: 1 }], {
    over: { pickupDetails: { date, time, location: 'Farm gate' } },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};

const fixture = await createOrderFixture({ MARKET_TIME_ZONE: 'Asia/Karachi' });
const product = await fixture.createProduct(1000);
await fixture.call('PUT', '/farm/schedule', {
  as: fixture.farmer,
  body: { bookableDays: BOOKABLE_DAYS_MAX },
});
afterAll(() => fixture.close());

describe("a farm's time zone", () => {
  it("is the market's until the farm chooses its own", async () => {
    expect((await readFarm()).timeZone).toBe('Asia/Karachi');
    const { status, body } = await saveZone('europe/berlin');
    expect([status, body.data.timeZone]).toEqual([200, BERLIN]);
    expect((await readFarm()).timeZone).toBe(BERLIN);
  });

  it('stays where it is left out', async () => {
    const { status } = await saveZone(undefined);
    expect([status, (await readFarm()).timeZone]).toEqual([200, BERLIN]);
  });

  it.each([
    '',
    'Europe/Nowhere',
    'EST',
    '+05:30',
    'Mars/Base',
    7,
    null,
    'x'.repeat(65),
    'UTC\u0000',
  ])('is not %j', async (name) => {
    const { status, body } = await saveZone(name);
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'timeZone']);
    expect((await readFarm()).timeZone).toBe(BERLIN);
  });

  it('is returned with each of its products', async () => {
    const { body } = await fixture.call('GET', `/products/${product}`);
    expect(body.data.farmer.handoff.timeZone).toBe(BERLIN);
    const { body: list } = await fixture.call('GET', '/users/farmers');
    expect(list.data[0].handoff.timeZone).toBe(BERLIN);
  });
});

describe('an order', () => {
  it('keeps date and time, and returns the instant, also in the hour that comes twice', async () => {
    const night = nextClockChange(BERLIN, 'repeats');
    for (const [date, time] of [
      [DAY, '10:00'],
      [night.date, night.time],
    ] as const) {
      const placed = await placeFor(date, time);
      const startsAt = at(BERLIN, time, date);
      expect(placed).toMatchObject({ startsAt, pickupDetails: { date, time } });
      expect(placed).not.toHaveProperty('endsAt');
      expect(await readOrder(placed._id)).toEqual(placed);
    }
  });
});

describe('a new time zone', () => {
  it('moves the open orders of the days to come, and no other', async () => {
    await saveZone(BERLIN);
    const [pending, accepted, over, completed, cancelled] = (await Promise.all(
      Array.from({ length: 5 }, () => placeFor(DAY)),
    )) as [Order, Order, Order, Order, Order];
    for (const { _id } of [accepted, completed]) {
      await fixture.changeStatus(_id, 'accepted', fixture.farmer);
    }
    await fixture.changeStatus(completed._id, 'completed', fixture.farmer);
    await fixture.changeStatus(cancelled._id, 'cancelled', fixture.consumer);
    const past = new Date('2026-01-01T09:00:00Z');
    await fixture.platform.db.order.update({
      where: { id: over._id },
      data: { date: new Date('2026-01-01'), startsAt: past },
    });
    const untouched = await Promise.all(
      [over, completed, cancelled].map(({ _id }) => readOrder(_id)),
    );

    const head = await fixture.head();
    expect((await saveZone(EAST)).status).toBe(200);
    const [from, to] = [at(BERLIN, '10:00'), at(EAST, '10:00')];
    const recorded = await fixture.eventsAfter(head);
    const moved = recorded.filter(({ name }) => name === 'order.updated');
    for (const [{ _id }, version] of [
      [pending, 2],
      [accepted, 3],
    ] as const) {
      const now = await readOrder(_id);
      expect(now).toMatchObject({
        startsAt: to,
        version,
        pickupDetails: { date: DAY, time: '10:00' },
      });
      const event = moved.find(({ data }) => data._id === _id);
      expect(event?.data).toEqual({ ...now, change: { kind: 'slot', from, to } });
      expect(event?.rooms).toEqual(
        expect.arrayContaining([`user:${fixture.consumer.id}`, `farm:${fixture.farmer.id}`]),
      );
    }
    expect(moved.some(({ data }) => untouched.some(({ _id }) => _id === data._id))).toBe(false);
    expect(recorded.at(-1)?.name).toBe('farmer.updated');
    expect(await Promise.all(untouched.map(({ _id }) => readOrder(_id)))).toEqual(untouched);
    const entries = await fixture.platform.db.orderTimelineEntry.findMany({
      where: { orderId: accepted._id },
      orderBy: { sequence: 'asc' },
    });
    expect(
      entries.map(({ sequence, kind, version, detail }) => [sequence, kind, version, detail]),
    ).toEqual([
      [1, 'status', 1, null],
      [2, 'status', 2, null],
      [3, 'slot', 3, { from, to }],
    ]);
    // Its status changes on as before.
    const { body } = await fixture.changeStatus(accepted._id, 'completed', fixture.farmer);
    expect(body.data).toMatchObject({ status: 'completed', version: 4, startsAt: to });
  });

  it('that shows the same times moves nothing', async () => {
    await saveZone(BERLIN);
    const { _id, version } = await placeFor(DAY);
    const head = await fixture.head();
    await saveZone('Europe/Vienna');
    await saveZone('Europe/Vienna');
    expect((await fixture.eventsAfter(head)).map(({ name }) => name)).toEqual([
      'farmer.updated',
      'farmer.updated',
    ]);
    expect((await readOrder(_id)).version).toBe(version);
  });

  it('is recorded with the person of the farm who changed it', async () => {
    await saveZone(BERLIN);
    const order = await placeFor(NEXT_DAY);
    const ann = await hire(fixture, fixture.farmer, 'manager');
    expect((await saveZone(EAST, ann)).status).toBe(200);
    expect((await readOrder(order._id)).timeline.at(-1)).toMatchObject({
      kind: 'slot',
      by: { _id: ann.id, name: ann.name },
    });
    await saveZone(BERLIN);
  });

  it('catches every order that is placed at the same moment', async () => {
    const zones = [BERLIN, EAST, 'America/New_York', WEST, 'Asia/Kathmandu', EAST];
    const saving = (async () => {
      for (const zone of zones) await saveZone(zone);
    })();
    const orders = await Promise.all(
      Array.from({ length: 30 }, (_, later) => placeFor(daysAfter(DAY, later))),
    );
    await saving;
    for (const { _id } of orders) {
      const { startsAt, pickupDetails } = await readOrder(_id);
      const { date = '', time = '' } = pickupDetails ?? {};
      expect(startsAt).toBe(instantOf({ date, time }, EAST).toISOString());
    }
  });
});

describe("a product's last day", () => {
  it('ends at midnight where the farm is', async () => {
    // Even if Pago Pago's midnight comes while this runs.
    const lastDay = dayIn(WEST, Date.now() + 3_600_000);
    const leeks = await fixture.createProduct(5, {
      name: 'Leeks',
      availableUntil: new Date(lastDay),
    });
    const listed = async () => {
      const [{ body: products }, { body: farms }] = await Promise.all([
        fixture.call('GET', '/products?search=leeks'),
        fixture.call('GET', '/users/farmers'),
      ]);
      return [products.data.length, farms.data[0].productCount];
    };
    const buyAt = (zone: string) =>
      fixture.order([{ product: leeks, quantity: 1 }], {
        over: { pickupDetails: { date: dayIn(zone), time: '23:59', location: 'Farm gate' } },
      });
    await saveZone(WEST);
    expect(await listed()).toEqual([1, 2]);
    expect((await buyAt(WEST)).status).toBe(201);
    await saveZone(EAST);
    expect(await listed()).toEqual([0, 1]);
    expect((await buyAt(EAST)).body.code).toBe('PRODUCT_UNAVAILABLE');
  });
});

describe('figures per day', () => {
  it("count by the farm's and by the market's clock", async () => {
    await saveZone(WEST);
    const { _id } = await placeFor(DAY);
    // Half past midnight in Karachi is the morning of the day before in Pago Pago.
    const createdAt = instantOf(
      { date: daysAfter(dayIn('Asia/Karachi'), -3), time: '00:30' },
      'Asia/Karachi',
    );
    await fixture.platform.db.order.update({ where: { id: _id }, data: { createdAt } });
    const [{ body: farm }, { body: market }] = await Promise.all([
      fixture.call('GET', '/orders/stats/farmer', { as: fixture.farmer }),
      fixture.call('GET', '/admin/stats', { as: fixture.admin }),
    ]);
    const [farmDay, marketDay] = [dayIn(WEST, createdAt), dayIn('Asia/Karachi', createdAt)];
    expect(farmDay < marketDay).toBe(true);
    const on = (days: { date: string; orders: number }[], date: string) =>
      days.find((day) => day.date === date)?.orders;
    expect(farm.data.days).toHaveLength(30);
    expect([dayIn(WEST), dayIn(WEST, Date.now() - 60_000)]).toContain(farm.data.days.at(-1).date);
    expect([on(farm.data.days, farmDay), on(farm.data.days, marketDay)]).toEqual([1, 0]);
    expect([on(market.data.days, farmDay), on(market.data.days, marketDay)]).toEqual([0, 1]);
    const find = async (day: string): Promise<string[]> => {
      const path = `/orders?from=${day}&to=${day}`;
      const { body } = await fixture.call('GET', path, { as: fixture.admin });
      return body.data.map((order: Order) => order._id);
    };
    expect([await find(marketDay), await find(farmDay)]).toEqual([[_id], []]);
  });
});
