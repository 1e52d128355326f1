import { afterAll, expect, test } from 'vitest';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { until } from '../../../testing/until.ts';
import { FARM_ADDRESS } from '../../testing/market.ts';
import { createOrderFixture } from '../testing/fixture.ts';
import { answerAtCutoff } from './at-cutoff.ts';

// What the cut-off meets at the very moment; `workers/notifications/ordering/order-cutoff.test.ts` has the rest.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());

test.each(['accept', 'reject'] as const)(
  'an order whose customer is asked about a change at that moment is passed over by %s',
  async (atCutoff) => {
    const { farmer, consumer, platform } = fixture;
    const product = await fixture.createProduct(10);
    const date = addDays(dayIn('UTC'), 5);
    await fixture.call('PUT', '/farm/schedule', { as: farmer, body: { cutoff: null, atCutoff } });
    const placed = await fixture.order([{ product, quantity: 2 }], {
      over: { pickupDetails: { date, time: '10:00', location: 'Farm gate' } },
    });
    const { _id, items } = placed.body.data;
    // The cut-off of the day has passed.
    await platform.pool.query(
      `UPDATE farmer_profiles SET cutoff_days_before = 6, cutoff_time = '00:00' WHERE user_id = $1`,
      [farmer.id],
    );

    const holder = await platform.pool.connect();
    const untilWaiting = (count: number) =>
      until(async () => {
        const { rows } = await platform.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length >= count;
      });
    await holder.query('BEGIN');
    await holder.query('SELECT FROM orders WHERE id = $1 FOR UPDATE', [_id]);
    const asking = fixture.call('POST', `/orders/${_id}/changes`, {
      as: farmer,
      body: {
        items: [{ lineId: items[0]._id, action: 'reduce', newQuantity: 1, reason: 'damaged' }],
      },
    });
    await untilWaiting(1);
    const answering = platform.db.$transaction((tx) =>
      answerAtCutoff(tx, `order.cutoff:${farmer.id}:${date}`),
    );
    await untilWaiting(2);
    await holder.query('COMMIT');
    holder.release();

    const asked = await asking;
    expect(asked.status, JSON.stringify(asked.body)).toBe(201);
    expect(await answering).toEqual([]);
    const after = await fixture.call('GET', `/orders/${_id}`, { as: consumer });
    expect(after.body.data).toMatchObject({
      status: 'pending',
      openChange: { _id: asked.body.data.openChange._id },
    });
  },
);

test('an order that the farm has to look at first is reminded of, and never accepted', async () => {
  const { farmer, platform } = fixture;
  const product = await fixture.createProduct(10);
  const date = addDays(dayIn('UTC'), 6);
  const place = async (location: string) => {
    const over = { pickupDetails: { date, time: '10:00', location } };
    return (await fixture.order([{ product, quantity: 1 }], { over })).body.data._id as string;
  };
  await fixture.call('PUT', '/farm/schedule', {
    as: farmer,
    body: { cutoff: null, atCutoff: 'accept' },
  });
  const [own, usual] = [await place('My house please'), await place(FARM_ADDRESS)];
  await platform.pool.query(
    `UPDATE farmer_profiles SET cutoff_days_before = 7, cutoff_time = '00:00' WHERE user_id = $1`,
    [farmer.id],
  );
  const outcomes = await platform.db.$transaction((tx) =>
    answerAtCutoff(tx, `order.cutoff:${farmer.id}:${date}`),
  );
  expect(outcomes).toMatchObject([
    { did: 'accept', count: 1 },
    { did: 'remind', count: 1 },
  ]);
  const statusOf = async (id: string) =>
    (await fixture.call('GET', `/orders/${id}`, { as: farmer })).body.data.status;
  expect([await statusOf(own), await statusOf(usual)]).toEqual(['pending', 'accepted']);
});
