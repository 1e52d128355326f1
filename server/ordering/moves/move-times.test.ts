import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays } from '#contract/platform/time/constants';
import type { Caller } from '../../testing/market.ts';
import { slotsAhead } from '../../testing/slots.ts';
import { answerAtCutoff } from '../status/at-cutoff.ts';
import { createSlotFixture } from '../testing/slot-fixture.ts';

// What is to happen at a time of an order, once the order has another time.

/** Each test has a farm of its own. */
let farmer: Caller;
const fixture = await createSlotFixture();
const consumer = fixture.consumer;
beforeEach(async () => {
  ({ farmer } = await fixture.newFarm());
});
afterAll(() => fixture.close());

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The first slots of a day, and those of the day after it, at the same times. */
async function twoDays(): Promise<{ today: FarmSlot[]; next: FarmSlot[] }> {
  await fixture.twoSlots();
  const slots = await slotsAhead(fixture, farmer);
  const day = slots[0]?.date ?? '';
  const on = (date: string) => slots.filter((slot) => slot.date === date);
  return { today: on(addDays(day, 5)), next: on(addDays(day, 6)) };
}

const schedule = (body: Record<string, unknown>) => fixture.put('/farm/schedule', farmer, body);
const moveOne = (order: Order, slot: FarmSlot | undefined, as: Caller) =>
  fixture.put(`/orders/${order._id}/slot`, as, { slotId: slot?._id });
const read = async (order: Order): Promise<Order> =>
  (await fixture.call('GET', `/orders/${order._id}`, { as: consumer })).body.data;
const cutoffTimers = (date: string) =>
  fixture.platform.db.timer.findMany({
    where: { key: { startsWith: `order.cutoff:${farmer.id}:${date}` } },
    orderBy: { key: 'asc' },
  });
/** Lets the timers of a day run, as if orders for the day had closed just now. */
async function runCutoff(date: string) {
  const timers = await cutoffTimers(date);
  await fixture.platform.pool.query(
    `UPDATE farmer_profiles SET cutoff_days_before = 14, cutoff_time = '00:00' WHERE user_id = $1`,
    [farmer.id],
  );
  for (const { key } of timers) {
    await fixture.platform.db.$transaction((tx) => answerAtCutoff(tx, key));
  }
}

describe('the cut-off of an order that was moved', () => {
  const WAYS: [string, (order: Order, from: FarmSlot, to: FarmSlot) => Promise<unknown>][] = [
    ['by its customer', (order, _, to) => moveOne(order, to, consumer)],
    ['by the farm', (order, _, to) => moveOne(order, to, farmer)],
    [
      'with its slot',
      (_, from, to) => fixture.post(`/farm/slots/${from._id}/move`, farmer, { toSlotId: to._id }),
    ],
    [
      'with its day',
      (_, { date }, to) => fixture.post('/farm/slots/move-day', farmer, { date, toDate: to.date }),
    ],
  ];

  test.each(WAYS)('is that of the new day, %s', async (_, move) => {
    await schedule({ cutoff: { daysBefore: 1, time: '18:00' }, atCutoff: 'reject' });
    const { today, next } = await twoDays();
    const [from, to] = [today[0], next[0]];
    if (!from || !to) throw new Error('A place has too few slots');
    const order = await fixture.placed(from._id);
    await move(order, from, to);
    expect((await read(order)).startsAt).toBe(to.startsAt);
    const [timer, ...others] = await cutoffTimers(to.date);
    expect(others).toEqual([]);
    expect(timer?.dueAt.toISOString()).toBe(to.closesAt);

    await runCutoff(from.date);
    expect((await read(order)).status).toBe('pending');
    await runCutoff(to.date);
    expect((await read(order)).status).toBe('rejected');
  });

  test('is not set for what was answered, nor within the day', async () => {
    await schedule({ cutoff: { daysBefore: 1, time: '18:00' } });
    const { today, next } = await twoDays();
    const [accepted, pending] = [
      await fixture.placed(today[0]?._id ?? ''),
      await fixture.placed(today[0]?._id ?? ''),
    ];
    await fixture.changeStatus(accepted._id, 'accepted', farmer);
    expect((await moveOne(accepted, next[0], farmer)).status).toBe(200);
    expect(await cutoffTimers(next[0]?.date ?? '')).toEqual([]);
    expect((await moveOne(pending, today[1], consumer)).status).toBe(200);
    expect(await cutoffTimers(today[0]?.date ?? '')).toHaveLength(1);
  });

  test.each([
    ['reject', 0],
    ['remind', 0],
    ['accept', 1],
  ])('that has passed already: a farm that would %s sets %i timers', async (atCutoff, count) => {
    await schedule({ cutoff: null, atCutoff });
    const { today, next } = await twoDays();
    const order = await fixture.placed(today[0]?._id ?? '');
    await schedule({ cutoff: { daysBefore: 14, time: '00:00' } });
    expect((await moveOne(order, next[0], farmer)).status).toBe(200);
    expect(await cutoffTimers(next[0]?.date ?? '')).toHaveLength(count);
  });
});

describe('a proposal of an order that was moved', () => {
  /** Places an order in a slot and asks its consumer about it, with so long to answer. */
  async function asked(slot: FarmSlot | undefined, answerBy: Date): Promise<Order> {
    const order = await fixture.placed(slot?._id ?? '');
    const items = [{ lineId: order.items[0]?._id, action: 'remove', reason: 'sold_out' }];
    const { status, body } = await fixture.post(`/orders/${order._id}/changes`, farmer, { items });
    expect(status, JSON.stringify(body)).toBe(201);
    await fixture.platform.db.orderProposal.updateMany({
      where: { orderId: order._id },
      data: { answerBy },
    });
    return body.data;
  }
  const startOf = (slot: FarmSlot | undefined) => new Date(slot?.startsAt ?? 0);
  const timersOf = async ({ openChange }: Order) => {
    const rows = await fixture.platform.db.timer.findMany({
      where: { key: { contains: openChange?._id ?? '' } },
    });
    return Object.fromEntries(
      rows.map(({ key, dueAt }) => [key.split(':').toSpliced(1, 1).join(':'), dueAt]),
    );
  };

  test.each([
    ['buyer', () => consumer],
    ['farm', () => farmer],
  ])('ends when the handover begins, where its %s moves it earlier', async (_, by) => {
    const { today, next } = await twoDays();
    const order = await asked(next[0], new Date(startOf(next[0]).getTime() - 60 * MINUTE_MS));
    const head = await fixture.head();
    const { status, body } = await moveOne(order, today[0], by());
    expect(status, JSON.stringify(body)).toBe(200);
    const answerBy = today[0]?.startsAt;
    expect(body.data.openChange).toMatchObject({ _id: order.openChange?._id, answerBy });
    expect(await fixture.eventsNamed(head, 'order.updated')).toMatchObject([
      { openChange: { answerBy } },
    ]);
    expect((await read(order)).openChange).toEqual(body.data.openChange);

    const made = Date.parse(order.openChange?.createdAt ?? '');
    const end = startOf(today[0]).getTime();
    expect(await timersOf(order)).toEqual({
      'order.change': new Date(end),
      'order.changeReminder:1': new Date(made + (end - made) / 2),
      'order.changeReminder:2': new Date(end - 10 * MINUTE_MS),
    });
  });

  test('keeps its end where that comes first, or where the order moves later', async () => {
    const { today, next } = await twoDays();
    const soon = new Date(startOf(today[0]).getTime() - DAY_MS);
    for (const [from, to] of [
      [next[0], today[0]],
      [today[0], next[0]],
    ]) {
      const order = await asked(from, soon);
      const before = await timersOf(order);
      const { body } = await moveOne(order, to, farmer);
      expect(body.data.openChange.answerBy).toBe(soon.toISOString());
      expect(await timersOf(order)).toEqual(before);
    }
  });

  test('ends no later than the start by a new clock of the farm', async () => {
    const { today } = await twoDays();
    const order = await asked(today[0], new Date(startOf(today[0]).getTime() - 60 * MINUTE_MS));
    const body = { farmName: 'Green Valley', description: 'Soil.', timeZone: 'Asia/Karachi' };
    const saved = await fixture.put('/users/farmers/profile', farmer, body);
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const after = await read(order);
    expect(after.startsAt).not.toBe(today[0]?.startsAt);
    expect(after.openChange?.answerBy).toBe(after.startsAt);
    expect((await timersOf(order))['order.change']?.toISOString()).toBe(after.startsAt);
  });
});
