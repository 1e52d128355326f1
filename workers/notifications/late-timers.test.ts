import { afterAll, afterEach, expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { createOrderFixture } from '../../server/ordering/testing/fixture.ts';
import { until } from '../../testing/until.ts';
import { startTimers, type Timers } from '../delivery/timers.ts';
import { timerDefinitions } from '../timers.ts';

// Workers that stood still for days, or a backup of days ago.

const BERLIN = 'Europe/Berlin';

let workers: Timers[] = [];
const fixture = await createOrderFixture({ MARKET_TIME_ZONE: BERLIN });
afterEach(async () => {
  await Promise.all(workers.map((each) => each.close()));
  workers = [];
});
afterAll(() => fixture.close());

it.each(['accept', 'reject', 'remind'] as const)(
  'leaves orders of a day that is over alone, and notes that it came too late: %s',
  async (atCutoff) => {
    const { call, consumer, farmer, order, platform } = fixture;
    await platform.pool.query('TRUNCATE timers, notifications');
    const product = await fixture.createProduct(1000);
    const body = { cutoff: { daysBefore: 1, time: '18:00' }, atCutoff };
    expect((await call('PUT', '/farm/schedule', { as: farmer, body })).status).toBe(200);
    const date = addDays(dayIn(BERLIN), 5);
    const over = { pickupDetails: { date, time: '10:00', location: 'Farm gate' } };
    const { body: placed } = await order([{ product, quantity: 2 }], { over });
    const past = addDays(dayIn(BERLIN), -2);
    await platform.pool.query(
      `UPDATE orders SET date = $2::date, starts_at = now() - interval '2 days', ends_at = now() - interval '2 days'
       WHERE id = $1`,
      [placed.data._id, past],
    );
    await platform.pool.query(
      `UPDATE timers SET key = $1, due_at = now() - interval '3 days' WHERE kind = 'order.cutoff'`,
      [`order.cutoff:${farmer.id}:${past}`],
    );
    await platform.db.timer.create({
      data: {
        key: `order.unanswered:${placed.data._id}`,
        kind: 'order.unanswered',
        dueAt: new Date(0),
      },
    });
    workers = [1, 2].map(() =>
      startTimers(platform, { addDelayed: async () => {} }, timerDefinitions(platform)),
    );
    await until(async () => (await platform.db.timer.count({ where: { doneAt: null } })) === 0);
    const read = await call('GET', `/orders/${placed.data._id}`, { as: consumer });
    expect(read.body.data.status).toBe('pending');
    expect(await platform.db.notification.findMany({ where: { userId: farmer.id } })).toEqual([]);
    const outdated = await platform.db.timer.findMany({ where: { error: 'Outdated' } });
    expect(outdated.map(({ kind }) => kind).sort()).toEqual(['order.cutoff', 'order.unanswered']);
  },
);
