// @long It waits for workers and timers.

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { expireProposal } from '../../../server/ordering/changes/commands.ts';
import { createOrderFixture } from '../../../server/ordering/testing/fixture.ts';
import { FARM_ADDRESS } from '../../../server/testing/market.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startTimers, type Timers } from '../../delivery/timers.ts';
import { worded } from '../../testing/words.ts';
import { timerDefinitions } from '../../timers.ts';

// What happens to orders that are unanswered when orders for their day close.

const BERLIN = 'Europe/Berlin';

let product: string;
const workers: Timers[] = [];

const fixture = await createOrderFixture({ MARKET_TIME_ZONE: BERLIN, DATABASE_POOL_SIZE: '20' });
beforeEach(async () => {
  await fixture.platform.pool.query('TRUNCATE timers, notifications');
  await fixture.platform.pool.query('DELETE FROM orders');
  product = await fixture.createProduct(1000);
  await saveSchedule({ cutoff: { daysBefore: 1, time: '18:00' }, atCutoff: 'remind' });
});
afterEach(() => stopWorkers());
afterAll(() => fixture.close());

const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.close()));
function startWorkers(count: number): void {
  for (let number = 0; number < count; number++) {
    workers.push(
      startTimers(
        fixture.platform,
        { addDelayed: async () => {} },
        timerDefinitions(fixture.platform),
      ),
    );
  }
}
const saveSchedule = async (body: Record<string, unknown>) => {
  const answer = await fixture.call('PUT', '/farm/schedule', { as: fixture.farmer, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

/** Ahead of every cut-off that the tests set until it is moved back. */
const date = addDays(dayIn(BERLIN), 5);
const key = () => `order.cutoff:${fixture.farmer.id}:${date}`;

async function place(on = date, time = '10:00'): Promise<Order> {
  const { status, body } = await fixture.order([{ product, quantity: 2 }], {
    over: { pickupDetails: { date: on, time, location: FARM_ADDRESS } },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

/** Lets the cut-off of the day pass, as if it had been six days before it all along. */
async function passCutoff(): Promise<void> {
  await fixture.platform.pool.query(
    `UPDATE farmer_profiles SET cutoff_days_before = 6, cutoff_time = '00:00' WHERE user_id = $1`,
    [fixture.farmer.id],
  );
  await fixture.platform.pool.query(`UPDATE timers SET due_at = now() - interval '5 days'`);
}
const untilDone = () =>
  until(async () => {
    const timers = await fixture.platform.db.timer.findMany();
    return timers.length > 0 && timers.every(({ doneAt }) => doneAt !== null);
  });
const read = async ({ _id }: Order): Promise<Order> =>
  (await fixture.call('GET', `/orders/${_id}`, { as: fixture.consumer })).body.data;
const statuses = async (orders: Order[]): Promise<OrderStatus[]> =>
  (await Promise.all(orders.map(read))).map(({ status }) => status);
const notificationsOf = async (userId = fixture.farmer.id) =>
  worded(
    await fixture.platform.db.notification.findMany({
      where: { userId, kind: 'order.cutoff' },
      orderBy: { key: 'asc' },
    }),
  );

describe('at the cut-off, with all workers down and two of them up after', () => {
  it('the farm is reminded once, of how many orders', async () => {
    const orders = [await place(), await place(), await place()];
    await fixture.changeStatus(orders[0]?._id ?? '', 'accepted', fixture.farmer);
    await passCutoff();
    startWorkers(2);
    await untilDone();
    expect(await statuses(orders)).toEqual(['accepted', 'pending', 'pending']);
    const [only, ...others] = await notificationsOf();
    expect(only).toMatchObject({ link: '/farmer/orders' });
    expect(only?.title).toMatch(/^2 orders for \w{3}, \w{3} \d+ are waiting for your answer$/);
    expect(others).toEqual([]);
  });

  it('they are accepted, in the name of the farm and with the reason', async () => {
    await saveSchedule({ atCutoff: 'accept' });
    const orders = [await place(), await place()];
    const stock = await fixture.stockOf(product);
    await passCutoff();
    startWorkers(2);
    await untilDone();
    for (const order of await Promise.all(orders.map(read))) {
      expect(order).toMatchObject({ status: 'accepted', version: 2 });
      expect(order.timeline).toHaveLength(2);
      expect(order.timeline[1]).toMatchObject({
        status: 'accepted',
        by: { _id: fixture.farmer.id },
        cause: 'accepted_at_cutoff',
      });
    }
    expect(await fixture.stockOf(product)).toBe(stock);
    expect((await notificationsOf()).map(({ title }) => title)).toEqual([
      expect.stringMatching(/^2 orders for .* were accepted$/),
    ]);
  });

  it('they are rejected, and their goods go back to the shelf, once', async () => {
    await saveSchedule({ atCutoff: 'reject' });
    const orders = [await place(), await place(), await place()];
    const kept = await place();
    await fixture.changeStatus(kept._id, 'accepted', fixture.farmer);
    const other = await place(addDays(date, 1));
    expect(await fixture.stockOf(product)).toBe(990);
    const head = await fixture.head();
    await passCutoff();
    await fixture.platform.pool.query('DELETE FROM timers WHERE key <> $1', [key()]);
    startWorkers(2);
    await untilDone();
    expect(await statuses([...orders, kept, other])).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'accepted',
      'pending',
    ]);
    expect(await fixture.stockOf(product)).toBe(996);
    const changes = (await fixture.eventsAfter(head)).filter(
      ({ name }) => name === 'order.updated',
    );
    expect(changes.map(({ data }) => data._id).sort()).toEqual(orders.map(({ _id }) => _id).sort());
    expect((await read(orders[0] as Order)).timeline.at(-1)).toMatchObject({
      cause: 'rejected_at_cutoff',
    });
  });
});

it('goes on in parts with more orders than one run answers, and notifies of all of them once', async () => {
  await saveSchedule({ atCutoff: 'reject' });
  await place();
  // Copies of the one order, as many as it takes: placing them all would take minutes.
  await fixture.platform.pool.query(
    `WITH copy AS (
       INSERT INTO orders (consumer_id, farmer_id, total_minor, payment_method, is_pickup, date, time,
         starts_at, pickup_location)
       SELECT consumer_id, farmer_id, total_minor, payment_method, is_pickup, date, time, starts_at,
         pickup_location
       FROM orders, generate_series(1, 449) RETURNING id, consumer_id)
     INSERT INTO order_timeline (order_id, sequence, status, version, by_id)
     SELECT id, 1, 'pending', 1, consumer_id FROM copy`,
  );
  await passCutoff();
  startWorkers(2);
  await until(
    async () => (await fixture.platform.db.order.count({ where: { status: 'rejected' } })) === 450,
  );
  await untilDone();
  expect(await fixture.platform.db.order.count()).toBe(450);
  expect((await notificationsOf()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^450 orders for .* were rejected$/),
  ]);
});

it('never accepts an order whose handover has begun, but reminds of it', async () => {
  await saveSchedule({ atCutoff: 'accept' });
  const [over, ahead] = [await place(), await place()];
  await fixture.platform.db.order.update({
    where: { id: over._id },
    data: { startsAt: new Date(Date.now() - 1000) },
  });
  await passCutoff();
  startWorkers(1);
  await untilDone();
  expect(await statuses([over, ahead])).toEqual(['pending', 'accepted']);
  expect((await notificationsOf()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^1 order for .* was accepted$/),
    expect.stringMatching(/^1 order for .* is waiting for your answer$/),
  ]);
});

it('waits for a cut-off that was moved on, and does nothing where there is none any more', async () => {
  await saveSchedule({ atCutoff: 'reject' });
  const order = await place();
  const dueAt = (await fixture.platform.db.timer.findUniqueOrThrow({ where: { key: key() } }))
    .dueAt;
  // As a process that knows no timers would leave it.
  await fixture.platform.pool.query(`UPDATE timers SET due_at = now() - interval '1 minute'`);
  startWorkers(2);
  await until(async () => {
    const timer = await fixture.platform.db.timer.findUnique({ where: { key: key() } });
    return timer?.dueAt.getTime() === dueAt.getTime() && timer.doneAt === null;
  });
  await stopWorkers();

  await fixture.platform.pool.query(
    'UPDATE farmer_profiles SET cutoff_days_before = NULL, cutoff_time = NULL',
  );
  await fixture.platform.pool.query(`UPDATE timers SET due_at = now() - interval '1 minute'`);
  startWorkers(2);
  await untilDone();
  expect(await statuses([order])).toEqual(['pending']);
  expect(await notificationsOf()).toEqual([]);
});

it('notifies those of the farm who may answer orders', async () => {
  const manager = await hire(fixture, fixture.farmer, 'manager');
  const packer = await hire(fixture, fixture.farmer, 'packer');
  await place();
  await passCutoff();
  startWorkers(1);
  await untilDone();
  const counts = await Promise.all(
    [manager, packer].map(async ({ id }) => (await notificationsOf(id)).length),
  );
  expect(counts).toEqual([1, 0]);
});

it('meets an answer of the farm and a cancellation at the same moment without breaking any', async () => {
  await saveSchedule({ atCutoff: 'reject' });
  const orders = await Promise.all(Array.from({ length: 12 }, () => place()));
  await passCutoff();
  startWorkers(2);
  const answers = await Promise.all(
    orders.map(({ _id }, index) =>
      index % 2
        ? fixture.changeStatus(_id, 'accepted', fixture.farmer)
        : fixture.changeStatus(_id, 'cancelled', fixture.consumer),
    ),
  );
  await untilDone();
  const after = await Promise.all(orders.map(read));
  for (const [index, order] of after.entries()) {
    const wanted = index % 2 ? 'accepted' : 'cancelled';
    expect(order.status).toBe(answers[index]?.status === 200 ? wanted : 'rejected');
    expect(order.timeline).toHaveLength(2);
  }
  const sold = after.filter(({ status }) => status === 'accepted').length * 2;
  expect(await fixture.stockOf(product)).toBe(1000 - sold);
});

describe('an order whose customer is asked about a change is passed over, and when that ends', () => {
  /** An order with an open proposal, which the cut-off has skipped. */
  async function askedAtCutoff(): Promise<Order> {
    const order = await place();
    const { body, status } = await fixture.call('POST', `/orders/${order._id}/changes`, {
      as: fixture.farmer,
      body: {
        items: [
          { lineId: order.items[0]?._id, action: 'reduce', newQuantity: 1, reason: 'damaged' },
        ],
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    await fixture.platform.pool.query('DELETE FROM timers WHERE key <> $1', [key()]);
    await passCutoff();
    startWorkers(2);
    await untilDone();
    expect(await read(order)).toMatchObject({ status: 'pending', openChange: expect.anything() });
    return body.data;
  }
  const expire = async ({ openChange }: Order) => {
    await fixture.platform.pool.query(
      `UPDATE order_proposals SET answer_by = now() - interval '1 second' WHERE id = $1`,
      [openChange?._id],
    );
    await fixture.platform.db.$transaction((tx) => expireProposal(tx, openChange?._id ?? ''));
  };
  const withdraw = async ({ _id, openChange }: Order) => {
    const path = `/orders/${_id}/changes/${openChange?._id}`;
    expect((await fixture.call('DELETE', path, { as: fixture.farmer })).status).toBe(200);
  };
  /** Runs the timer that was set, without the minute in which it waits for others. */
  const followUp = async () => {
    await fixture.platform.pool.query('UPDATE timers SET due_at = now() WHERE done_at IS NULL');
    await untilDone();
  };

  it.each([
    ['expires', expire],
    ['is withdrawn', withdraw],
  ])('the farm is reminded of it, also if it %s', async (_, end) => {
    const other = await place();
    const order = await askedAtCutoff();
    const titles = async () => (await notificationsOf()).map(({ title }) => title);
    const one = expect.stringMatching(/^1 order for .* is waiting for your answer$/);
    const two = expect.stringMatching(/^2 orders for .* are waiting for your answer$/);
    expect(await titles()).toEqual([one]);
    await end(order);
    await followUp();
    expect(await statuses([order, other])).toEqual(['pending', 'pending']);
    expect(await titles()).toEqual([one, two]);
  });

  it.each([
    ['expires', expire],
    ['is withdrawn', withdraw],
  ])('it is accepted, if it %s', async (_, end) => {
    await saveSchedule({ atCutoff: 'accept' });
    const order = await askedAtCutoff();
    expect(await notificationsOf()).toEqual([]);
    await end(order);
    await followUp();
    const after = await read(order);
    expect(after).toMatchObject({ status: 'accepted', openChange: null });
    expect(after.timeline.at(-1)).toMatchObject({
      by: { _id: fixture.farmer.id },
      cause: 'accepted_after_cutoff',
    });
    expect((await notificationsOf()).map(({ title }) => title)).toEqual([
      expect.stringMatching(/^1 order for .* was accepted$/),
    ]);
  });

  it.each([
    ['expires', expire, 999],
    ['is withdrawn', withdraw, 1000],
  ])('it is rejected, and what is there goes back, if it %s', async (_, end, stock) => {
    await saveSchedule({ atCutoff: 'reject' });
    const order = await askedAtCutoff();
    await end(order);
    await followUp();
    expect((await read(order)).timeline.at(-1)).toMatchObject({
      status: 'rejected',
      cause: 'rejected_after_cutoff',
    });
    // What was damaged does not come back.
    expect(await fixture.stockOf(product)).toBe(stock);
  });

  it('nothing more happens to it if the customer said yes or no', async () => {
    await saveSchedule({ atCutoff: 'reject' });
    for (const [answer, status] of [
      [{ items: 'accept' }, 'accepted'],
      [{ cancelOrder: true }, 'cancelled'],
    ] as const) {
      await saveSchedule({ cutoff: { daysBefore: 1, time: '18:00' } });
      const order = await askedAtCutoff();
      const items = order.openChange?.items.map(({ lineId }) => ({ lineId, answer: 'accept' }));
      const given = await fixture.call(
        'PUT',
        `/orders/${order._id}/changes/${order.openChange?._id}/answer`,
        { as: fixture.consumer, body: 'items' in answer ? { items } : answer },
      );
      expect(given.status, JSON.stringify(given.body)).toBe(200);
      await followUp();
      expect((await read(order)).status).toBe(status);
      await stopWorkers();
    }
  });

  it('a proposal that ends before the cut-off leaves the cut-off where it is', async () => {
    await saveSchedule({ atCutoff: 'reject' });
    const order = await place();
    const { body } = await fixture.call('POST', `/orders/${order._id}/changes`, {
      as: fixture.farmer,
      body: { items: [{ lineId: order.items[0]?._id, action: 'remove', reason: 'quality' }] },
    });
    const readTimer = () => fixture.platform.db.timer.findUniqueOrThrow({ where: { key: key() } });
    const { dueAt } = await readTimer();
    await withdraw(body.data);
    await fixture.platform.pool.query('UPDATE timers SET due_at = now() WHERE key = $1', [key()]);
    startWorkers(1);
    await until(async () => {
      const timer = await readTimer();
      return timer.dueAt.getTime() === dueAt.getTime() && timer.doneAt === null;
    });
    expect(await statuses([order])).toEqual(['pending']);
  });
});
