import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { OrdersMet } from '#contract/platform/orders/closing';
import { addDays } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

const fixture = await createSlotFixture();
const { consumer, other, admin, platform } = fixture;
afterAll(() => fixture.close());

/** Each test has a farm of its own. */
let farmer: Caller;
let product: string;
beforeEach(async () => {
  ({ farmer, product } = await fixture.newFarm());
});

async function place(over: Record<string, unknown> = {}, as = consumer): Promise<Order> {
  const { status, body } = await fixture.order([{ product, quantity: 1 }], {
    as,
    over: { farmer: farmer.id, ...over },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

const dayOf = ({ pickupDetails, deliveryDetails }: Order): string =>
  (pickupDetails ?? deliveryDetails)?.date ?? '';
const close = (...orders: Order[]) => ({
  exceptions: orders.map((order) => ({ date: dayOf(order), skip: true })),
});

const put = (
  path: string,
  body: object,
  { as = farmer, key }: { as?: Caller; key?: string } = {},
) =>
  fixture.call('PUT', path, {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

/** Asks what a change meets. */
async function preview(path: string, body: object, as = farmer): Promise<OrdersMet> {
  const { status, body: answer } = await put(`${path}?preview=true`, body, { as });
  expect(status, JSON.stringify(answer)).toBe(200);
  return OrdersMet.parse(answer.data);
}

const keeping = (path: string, { key }: OrdersMet) => `${path}?keeps=${key}`;

/** The ids of the orders whose customers were told that these stay, from a number of the log on. */
const keptAfter = async (head: number): Promise<string[]> =>
  (await fixture.eventsNamed(head, 'order.updated')).flatMap((data) => {
    const { _id, change } = data as Order & { change: { kind: string } };
    return change.kind === 'kept' ? [_id] : [];
  });

const version = async () =>
  (await fixture.get('/farm/schedule', farmer)).body.data.version as number;

describe('a preview', () => {
  it('names the orders that a closed day meets, and writes nothing', async () => {
    const order = await place();
    const { body: late } = await fixture.order([{ product, quantity: 1 }], {
      over: {
        farmer: farmer.id,
        pickupDetails: { date: addDays(dayOf(order), 1), time: '09:00', location: 'Gate' },
      },
    });
    const [head, before] = [await fixture.head(), await version()];
    const met = await preview('/farm/schedule', close(late.data, order));
    expect(met).toMatchObject({ count: 2 });
    expect(met.orders).toEqual(
      [order, late.data].map((each) => ({
        _id: each._id,
        title: `${consumer.name}, #${each._id.slice(0, 8)}`,
        date: dayOf(each),
        time: each.pickupDetails.time,
        isDelivery: false,
        status: 'pending',
      })),
    );
    expect(await fixture.eventsAfter(head)).toEqual([]);
    expect(await version()).toBe(before);
    expect((await fixture.get('/farm/schedule', farmer)).body.data.exceptions).toEqual([]);
  });

  it('leaves its key unused', async () => {
    const order = await place();
    const key = randomUUID();
    const asked = await put('/farm/schedule?preview=true', close(order), { key });
    expect(asked.body.data.count).toBe(1);
    expect(await platform.db.command.count({ where: { key } })).toBe(0);
    const saved = await put('/farm/schedule', close(order), { key });
    expect([saved.status, saved.body.data.exceptions]).toEqual([200, close(order).exceptions]);
  });

  it('meets nothing where a day is opened again, or nobody has ordered', async () => {
    expect((await preview('/farm/schedule', { exceptions: [] })).count).toBe(0);
    const order = await place();
    await put('/farm/schedule', close(order));
    expect((await preview('/farm/schedule', close(order))).count).toBe(0);
    expect((await preview('/farm/schedule', { exceptions: [] })).count).toBe(0);
  });

  it('counts open orders alone', async () => {
    const [gone, done] = [await place(), await place()];
    await fixture.changeStatus(gone._id, 'cancelled', farmer);
    await fixture.changeStatus(done._id, 'accepted', farmer);
    expect(await preview('/farm/schedule', close(gone))).toMatchObject({
      count: 1,
      orders: [{ _id: done._id, status: 'accepted' }],
    });
    await fixture.changeStatus(done._id, 'completed', farmer);
    expect((await preview('/farm/schedule', close(gone))).count).toBe(0);
  });

  it('refuses what saving would, and whoever may not save', async () => {
    const order = await place();
    const path = '/farm/schedule?preview=true';
    const stale = await put(path, { ...close(order), expectedVersion: 99 });
    expect([stale.status, stale.body.code]).toEqual([409, 'VERSION_CONFLICT']);
    const past = await put(path, { exceptions: [{ date: '2020-01-01', skip: true }] });
    expect(past.status).toBe(400);
    const packer = await hire(fixture, farmer, 'packer');
    const manager = await hire(fixture, farmer, 'manager');
    expect((await put(path, close(order), { as: packer })).status).toBe(403);
    expect((await put(path, close(order), { as: consumer })).status).toBe(403);
    expect((await preview('/farm/schedule', close(order), manager)).count).toBe(1);
    // Another farm meets none of these.
    const stranger = await fixture.join('farmer');
    expect((await preview('/farm/schedule', close(order), stranger)).count).toBe(0);
    const foreign = await put(`/products/${product}?preview=true`, {}, { as: stranger });
    expect([403, 404]).toContain(foreign.status);
  });

  it('is there for hours, ways, places and the last day of a product', async () => {
    const profile = { farmName: 'Hill', description: 'Soil.' };
    await put('/users/farmers/profile', { ...profile, acceptsDelivery: true });
    const pickup = await place();
    const address = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
    const { date, time } = pickup.pickupDetails ?? { date: '', time: '' };
    const delivery = await place({
      pickupDetails: undefined,
      deliveryDetails: { address, date, time, isAreaConfirmed: true },
    });
    const idsOf = async (path: string, body: object, as = farmer) =>
      (await preview(path, body, as)).orders.map(({ _id }) => _id).sort();
    const both = [pickup._id, delivery._id].sort();

    const way = { ...profile, acceptsDelivery: false };
    expect(await idsOf('/users/farmers/profile', way)).toEqual([delivery._id]);
    const hours = Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
        day,
        { open: '11:00', close: '18:00' },
      ]),
    );
    const shorter = { ...profile, businessHours: hours };
    expect(await idsOf('/users/farmers/profile', shorter)).toEqual(both);
    const last = { availableUntil: addDays(date, -1) };
    expect(await idsOf(`/products/${product}`, last)).toEqual(both);
    expect(await idsOf(`/products/${product}`, last, admin)).toEqual(both);
    expect(await idsOf(`/products/${product}`, { availableUntil: date })).toEqual([]);

    const [slot] = await fixture.twoSlots();
    const inSlot = await fixture.placed(slot._id);
    const path = `/farm/places/${slot.place._id}`;
    expect(await idsOf(path, { isActive: false })).toEqual([inSlot._id]);
    expect(await idsOf(path, { hours: [] })).toEqual([inSlot._id]);
    expect((await preview(path, { hours: [] })).orders[0]).toMatchObject({
      slotId: slot._id,
      endTime: '11:00',
    });
    expect(await idsOf(path, { name: 'Another gate' })).toEqual([]);
    // Its slots are still there.
    expect(await fixture.takenOf(slot)).toBe(1);
    expect((await fixture.orderIn(slot._id, other)).status).toBe(201);
  });

  it('meets goods that an open proposal offers instead', async () => {
    const kale = await fixture.createProduct(10, { farmerId: farmer.id, name: 'Kale' });
    const order = await place();
    await fixture.changeStatus(order._id, 'accepted', farmer);
    const asked = await fixture.post(`/orders/${order._id}/changes`, farmer, {
      items: [
        {
          lineId: order.items[0]?._id,
          action: 'substitute',
          reason: 'not_harvested',
          substitute: { productId: kale, quantity: 1 },
        },
      ],
    });
    expect(asked.status, JSON.stringify(asked.body)).toBe(201);
    const last = { availableUntil: addDays(dayOf(order), -1) };
    expect((await preview(`/products/${kale}`, last)).count).toBe(1);
  });
});

describe('saving', () => {
  it('without a word writes as ever, and tells nobody', async () => {
    const order = await place();
    const head = await fixture.head();
    expect((await put('/farm/schedule', close(order))).status).toBe(200);
    expect(await keptAfter(head)).toEqual([]);
  });

  it('keeps the orders that were shown and tells their customers once, however often it is sent', async () => {
    const orders = [await place(), await place({}, other)];
    const met = await preview('/farm/schedule', close(...orders.slice(0, 1)));
    const head = await fixture.head();
    const key = randomUUID();
    const path = keeping('/farm/schedule', met);
    const saves = await Promise.all(
      [1, 2].map(() => put(path, close(...orders.slice(0, 1)), { key })),
    );
    expect(saves.map(({ status }) => status)).toEqual([200, 200]);
    expect(saves[1]?.body).toEqual(saves[0]?.body);
    expect((await keptAfter(head)).sort()).toEqual(orders.map(({ _id }) => _id).sort());
    // Nothing else of them changes.
    const { body } = await fixture.get(`/orders/${orders[0]?._id}`, consumer);
    expect(body.data).toEqual({ ...orders[0], version: 2 });
  });

  it('is refused where an order came or went since the preview', async () => {
    const first = await place();
    const met = await preview('/farm/schedule', close(first));
    const late = await place({}, other);
    const head = await fixture.head();
    const refused = await put(keeping('/farm/schedule', met), close(first));
    expect([refused.status, refused.body.code]).toEqual([409, 'ORDERS_MET']);
    const now = OrdersMet.parse(refused.body.data);
    expect(now.orders.map(({ _id }) => _id).sort()).toEqual([first._id, late._id].sort());
    expect(await fixture.eventsAfter(head)).toEqual([]);
    await fixture.changeStatus(late._id, 'cancelled', other);
    expect((await put(keeping('/farm/schedule', met), close(first))).status).toBe(200);
  });

  it('asks no more where all that was shown has gone', async () => {
    const order = await place();
    const met = await preview('/farm/schedule', close(order));
    await fixture.changeStatus(order._id, 'cancelled', consumer);
    expect((await put(keeping('/farm/schedule', met), close(order))).status).toBe(200);
  });

  it('by two members at once tells customers once', async () => {
    const order = await place();
    const manager = await hire(fixture, farmer, 'manager');
    const change = { ...close(order), expectedVersion: await version() };
    const met = await preview('/farm/schedule', change);
    const head = await fixture.head();
    const saves = await Promise.all(
      [farmer, manager].map((as) => put(keeping('/farm/schedule', met), change, { as })),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await keptAfter(head)).toEqual([order._id]);
  });

  it('beside an order that is placed at that moment leaves none untold', async () => {
    const order = await place();
    for (let round = 0; round < 5; round++) {
      await put('/farm/schedule', { exceptions: [] });
      const met = await preview('/farm/schedule', close(order));
      const head = await fixture.head();
      const [saved, placed] = await Promise.all([
        put(keeping('/farm/schedule', met), close(order)),
        fixture.order([{ product, quantity: 1 }], { as: other, over: { farmer: farmer.id } }),
      ]);
      // Either the order was first, and the farm is asked again, or the day was closed to it.
      expect([saved.status, placed.status].join()).toMatch(/^(200,409|409,201)$/);
      expect((await keptAfter(head)).length).toBe(saved.status === 200 ? met.count : 0);
    }
  });

  it('goes through a thousand orders, and names the first fifty', async () => {
    const order = await place();
    await platform.pool.query(
      `INSERT INTO orders (consumer_id, farmer_id, total_minor, is_pickup, date, time, pickup_location)
       SELECT consumer_id, farmer_id, total_minor, is_pickup, date, '12:00', pickup_location
       FROM orders, generate_series(1, 999) WHERE id = $1`,
      [order._id],
    );
    const met = await preview('/farm/schedule', close(order));
    expect([met.count, met.orders.length, met.orders[0]?._id]).toEqual([1000, 50, order._id]);
    expect((await put(keeping('/farm/schedule', met), close(order))).status).toBe(200);
    await fixture.head();
    const { rows } = await platform.pool.query(
      `SELECT DISTINCT data ->> '_id' FROM event_log
       WHERE name = 'order.updated' AND data -> 'change' ->> 'kind' = 'kept' AND data -> 'farmer' ->> '_id' = $1`,
      [farmer.id],
    );
    expect(rows.length).toBe(1000);
  });

  it('tells the customers of a place and of a product', async () => {
    const [slot] = await fixture.twoSlots();
    const order = await fixture.placed(slot._id);
    const path = `/farm/places/${slot.place._id}`;
    let head = await fixture.head();
    const closed = { isActive: false };
    const saved = await put(keeping(path, await preview(path, closed)), closed);
    expect([saved.status, saved.body.data.isActive]).toEqual([200, false]);
    expect(await keptAfter(head)).toEqual([order._id]);

    const goods = `/products/${product}`;
    const last = { availableUntil: addDays(slot.date, -1) };
    head = await fixture.head();
    const changed = await put(keeping(goods, await preview(goods, last)), last, { as: farmer });
    expect([changed.status, changed.body.data.availableUntil]).toEqual([200, last.availableUntil]);
    expect(await keptAfter(head)).toEqual([order._id]);
  });
});
