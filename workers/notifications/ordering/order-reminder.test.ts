import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createOrderFixture } from '../../../server/ordering/testing/fixture.ts';
import { instantOf } from '../../../server/platform/time/clock.ts';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import type { Caller } from '../../../server/testing/market.ts';
import { createSender } from '../../testing/sender.ts';
import { decideReminder } from './order-reminder.ts';

describe('the evening before a handover', () => {
  const heardAt = new Date('2026-01-01T00:00:00Z');
  const decided = (zone: string, date: string, now: string, over = {}) =>
    decideReminder(
      { date, startsAt: instantOf({ date, time: '09:30' }, zone), heardAt, ...over },
      zone,
      new Date(now),
    );

  it.each([
    ['Asia/Karachi', '2026-11-28', '2026-11-27T13:00:00Z'],
    ['America/New_York', '2026-11-28', '2026-11-27T23:00:00Z'],
    // The night in which the clock is set forward, and the one in which it is set back.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T17:00:00Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T16:00:00Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T16:00:00Z'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T17:00:00Z'],
    ['Pacific/Kiritimati', '2026-11-28', '2026-11-27T04:00:00Z'],
  ])('in %s before %s is six o’clock by the clock of the farm', (zone, date, evening) => {
    const before = new Date(Date.parse(evening) - 1);
    expect(decided(zone, date, before.toISOString())).toEqual(new Date(evening));
    expect(decided(zone, date, evening)).toBe('due');
  });

  it('is over once the handover has begun, and comes late until then', () => {
    expect(decided('UTC', '2026-11-28', '2026-11-28T09:29:59Z')).toBe('due');
    expect(decided('UTC', '2026-11-28', '2026-11-28T09:30:00Z')).toBe('late');
  });

  it('is not reminded of what was agreed since', () => {
    const since = { heardAt: new Date('2026-11-27T18:00:00Z') };
    expect(decided('UTC', '2026-11-28', '2026-11-27T19:00:00Z', since)).toBe('heard');
    // Nor of an order of the same day.
    expect(decided('UTC', '2026-11-27', '2026-11-27T07:00:00Z', since)).toBe('heard');
  });
});

const fixture = await createOrderFixture();
afterAll(() => fixture.close());
const { db } = fixture.platform;
const { mailedBy, mailedByTimers } = createSender(fixture.platform);

/** Zones in which it is this evening, and still afternoon. */
const hoursEast = (19 - new Date().getUTCHours() + 24) % 24;
const zoneEast = (hours: number): string =>
  `Etc/GMT${hours <= 14 ? `-${hours}` : `+${24 - hours}`}`;
const EVENING = zoneEast(hoursEast);
const AFTERNOON = zoneEast((hoursEast + 21) % 24);

let farmer: Caller;
let consumer: Caller;
beforeEach(async () => {
  farmer = await fixture.join('farmer');
  consumer = await fixture.join('consumer');
  await proveEmails(fixture, consumer);
});

/** Places an order for tomorrow, accepts it, and lets a day pass since. */
async function accepted(timeZone: string): Promise<Order> {
  await db.farmerProfile.updateMany({
    where: { userId: farmer.id },
    data: { timeZone, farmName: 'Green Valley' },
  });
  const product = await fixture.createProduct(100, { farmerId: farmer.id });
  const pickupDetails = {
    date: addDays(dayIn(timeZone), 1),
    time: '22:00',
    location: 'Farm gate',
  };
  const { status, body } = await fixture.order([{ product, quantity: 1 }], {
    as: consumer,
    over: { farmer: farmer.id, pickupDetails },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  await mailedBy(() => fixture.changeStatus(body.data._id, 'accepted', farmer));
  await db.orderTimelineEntry.updateMany({
    where: { orderId: body.data._id },
    data: { at: new Date(Date.now() - 86_400_000) },
  });
  return body.data;
}

const timersOf = ({ _id }: Order) =>
  db.timer.findMany({ where: { key: { startsWith: `order.reminder:${_id}:` } } });

it('reminds the customer once, with the handover for their calendar', async () => {
  const order = await accepted(EVENING);
  const [mail, ...others] = await mailedByTimers('order.reminder');
  expect(others).toEqual([]);
  expect(mail?.to).toBe(consumer.email);
  expect(mail?.subject).toMatch(/^Your pickup at Green Valley: .* at 10:00 PM$/);
  expect(mail?.text).toContain('Where: Farm gate');
  expect(mail?.text).toContain(
    `Pick up order #${order._id.slice(0, 8)} at Green Valley: Farm gate.`,
  );
  expect(mail?.attachments?.[0]?.content).toContain('STATUS:CONFIRMED');
  // Another timer of the same order, as of a move away and back.
  await db.timer.create({
    data: { key: `order.reminder:${order._id}:7`, kind: 'order.reminder', dueAt: new Date(0) },
  });
  expect(await mailedByTimers('order.reminder')).toEqual([]);
});

it('waits for the evening by the clock of the farm, wherever that was moved meanwhile', async () => {
  const order = await accepted(AFTERNOON);
  expect(await mailedByTimers('order.reminder')).toEqual([]);
  const [timer] = await timersOf(order);
  expect(timer?.doneAt).toBeNull();
  const { date } = order.pickupDetails ?? { date: '' };
  expect(timer?.dueAt).toEqual(instantOf({ date: addDays(date, -1), time: '18:00' }, AFTERNOON));
});

it.each(['completed', 'cancelled'])(
  'says nothing of an order that is %s by then',
  async (status) => {
    const order = await accepted(EVENING);
    await fixture.changeStatus(order._id, status, farmer, 'Frost');
    expect(await mailedByTimers('order.reminder')).toEqual([]);
  },
);

it('says nothing of an order that was accepted this very evening', async () => {
  const order = await accepted(EVENING);
  await db.orderTimelineEntry.updateMany({
    where: { orderId: order._id },
    data: { at: new Date() },
  });
  expect(await mailedByTimers('order.reminder')).toEqual([]);
});

it('is not sent to somebody who has turned it off', async () => {
  const body = { 'order.reminder': { email: false, push: false } };
  expect((await fixture.put('/notifications/preferences', consumer, body)).status).toBe(200);
  await accepted(EVENING);
  expect(await mailedByTimers('order.reminder')).toEqual([]);
  const bell = await fixture.get('/notifications', consumer);
  expect(bell.body.data[0]).toMatchObject({ kind: 'order.reminder', isRead: false });
});

it('is read once the order is moved', async () => {
  const order = await accepted(EVENING);
  await mailedByTimers('order.reminder');
  await mailedBy(() => fixture.changeStatus(order._id, 'cancelled', farmer, 'Frost'));
  const { body } = await fixture.get('/notifications', consumer);
  const [reminder] = body.data.filter(({ kind }: { kind: string }) => kind === 'order.reminder');
  expect(reminder).toMatchObject({ isRead: true });
});
