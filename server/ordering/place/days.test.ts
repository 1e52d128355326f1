import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '#contract/platform/time/constants/days';
import { dayIn, wallClockIn } from '#contract/platform/time/constants/time';
import { until } from '../../../testing/until.ts';
import { instantOf } from '../../platform/time/clock.ts';
import type { Answer } from '../../testing/market.ts';
import { startUncached } from '../../testing/samples/uncached.ts';
import { createOrderFixture, type OrderFixture } from '../testing/fixture.ts';

// Placing orders for the days of a farm: what is refused and how, and what holds when the schedule changes
// or the cut-off comes in the same moment.

const BERLIN = 'Europe/Berlin';
const ALL_DAY = { open: '00:00', close: '00:00' };
const ALWAYS = Object.fromEntries(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
    day,
    ALL_DAY,
  ]),
);

let fixture: OrderFixture;
let product: string;

beforeAll(async () => {
  fixture = await createOrderFixture({
    MARKET_TIME_ZONE: 'Asia/Karachi',
    DATABASE_POOL_SIZE: '20',
  });
  product = await fixture.createProduct(100_000);
});
beforeEach(async () => {
  await saveFarm({ timeZone: BERLIN, businessHours: ALWAYS, acceptsDelivery: true });
  await saveSchedule({ cutoff: null, exceptions: [], atCutoff: 'remind' });
});
afterAll(() => fixture.close());

const saveFarm = async (over: Record<string, unknown>) => {
  const body = { farmName: 'Green Valley', description: 'Good soil.', ...over };
  const answer = await fixture.call('PUT', '/users/farmers/profile', { as: fixture.farmer, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const saveSchedule = async (body: Record<string, unknown>) => {
  const answer = await fixture.call('PUT', '/farm/schedule', { as: fixture.farmer, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
const today = () => dayIn(BERLIN);
const pickupOn = (date: string, time = '10:00') => ({
  pickupDetails: { date, time, location: 'Farm gate' },
});
const deliveryOn = (date: string, time = '10:00') => ({
  pickupDetails: undefined,
  deliveryDetails: {
    address: { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' },
    date,
    time,
  },
});
const place = (over: Record<string, unknown>): Promise<Answer> =>
  fixture.order([{ product, quantity: 1 }], { over });
const timers = () =>
  fixture.platform.db.timer.findMany({
    where: { kind: 'order.cutoff', doneAt: null },
    orderBy: { key: 'asc' },
  });

describe('an order', () => {
  it.each([
    ['pickup', pickupOn, 'pickupDetails.date'],
    ['delivery', deliveryOn, 'deliveryDetails.date'],
  ])('for a closed day is refused with the next day: %s', async (_, on, path) => {
    const date = addDays(today(), 3);
    await saveSchedule({ exceptions: [{ date, skip: true }] });
    const { status, body } = await place(on(date));
    expect([status, body.code, body.errors[0].path]).toEqual([409, 'DAY_CLOSED', path]);
    expect(body.data.next).toEqual({
      date: addDays(date, 1),
      ...ALL_DAY,
      ordersUntil: instantOf({ date: addDays(date, 2) }, BERLIN).toISOString(),
    });
    expect((await place(on(addDays(date, 1)))).status).toBe(201);
  });

  it('outside the hours of its day is refused at its time', async () => {
    const hours = { open: '08:00', close: '14:00' };
    await saveFarm({
      businessHours: Object.fromEntries(Object.keys(ALWAYS).map((day) => [day, hours])),
    });
    const date = addDays(today(), 3);
    for (const [time, code] of [
      ['07:59', 'DAY_CLOSED'],
      ['08:00', undefined],
      ['14:00', undefined],
      ['14:01', 'DAY_CLOSED'],
    ] as const) {
      for (const over of [pickupOn(date, time), deliveryOn(date, time)]) {
        const { body } = await place(over);
        expect([time, body.code]).toEqual([time, code]);
      }
    }
  });

  it("after its cut-off is refused, by the farm's clock", async () => {
    // Orders for the day after tomorrow closed when today began in Berlin.
    await saveSchedule({ cutoff: { daysBefore: 2, time: '00:00' } });
    const late = addDays(today(), 2);
    const { status, body } = await place(pickupOn(late));
    expect([status, body.code, body.data.next.date]).toEqual([
      409,
      'CUTOFF_PASSED',
      addDays(late, 1),
    ]);
    expect((await place(pickupOn(addDays(late, 1)))).status).toBe(201);
  });

  it('for a time of today that has passed is refused where hours are listed, and taken where none are', async () => {
    // In the first minute of a day nothing has passed.
    await until(() => wallClockIn(BERLIN).time > '00:00');
    const over = pickupOn(today(), '00:00');
    const refused = await place(over);
    expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([
      409,
      'CUTOFF_PASSED',
      'pickupDetails.time',
    ]);
    const none = Object.fromEntries(
      Object.keys(ALWAYS).map((day) => [day, { open: '', close: '' }]),
    );
    await saveFarm({ businessHours: none });
    expect((await place(over)).status).toBe(201);
    await saveSchedule({ exceptions: [{ date: today(), skip: true }] });
    expect((await place(over)).body.code).toBe('DAY_CLOSED');
  });

  it('beyond the last day of a product is a problem of its line', async () => {
    const until = addDays(today(), 2);
    const leeks = await fixture.createProduct(5, {
      name: 'Leeks',
      availableUntil: new Date(until),
    });
    const order = (date: string) =>
      fixture.order(
        [
          { product, quantity: 1 },
          { product: leeks, quantity: 1 },
        ],
        { over: pickupOn(date) },
      );
    const { status, body } = await order(addDays(until, 1));
    expect([status, body.code]).toEqual([409, 'NOT_AVAILABLE_THEN']);
    expect(body.problems).toEqual([{ line: 1, code: 'NOT_AVAILABLE_THEN', until }]);
    expect(body.message).toMatch(
      /^Leeks can be had until \w{3}, \w{3} \d+\. Choose an earlier day/,
    );
    expect((await order(until)).status).toBe(201);
  });
});

/** Starts `act` while a transaction holds the farm's row, and makes a change once `act` waits for it. */
async function whileFarmIsHeld(act: () => Promise<Answer>, change: string): Promise<Answer> {
  const holder = await fixture.platform.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM farmer_profiles WHERE user_id = $1 FOR UPDATE', [
    fixture.farmer.id,
  ]);
  const answer = act();
  await until(async () => {
    const { rows } = await fixture.platform.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  await holder.query(change, [fixture.farmer.id]);
  await holder.query('COMMIT');
  holder.release();
  return answer;
}

describe('a schedule that changes between reading and writing', () => {
  it.each([
    [
      'closes the day',
      `closed_days = ARRAY(SELECT generate_series(current_date - 2, current_date + 9, '1 day')::date), schedule_version = schedule_version + 1`,
      'DAY_CLOSED',
    ],
    [
      'ends orders for it',
      `cutoff_days_before = 14, cutoff_time = '00:00', schedule_version = schedule_version + 1`,
      'CUTOFF_PASSED',
    ],
    [
      'closes its weekday',
      `business_hours = '{"monday": {"open": "", "close": ""}}', closed_days = ARRAY(SELECT generate_series(current_date - 2, current_date + 9, '1 day')::date), version = version + 1`,
      'DAY_CLOSED',
    ],
  ])('refuses the order where it %s', async (_, set, code) => {
    const orders = await fixture.platform.db.order.count();
    const answer = await whileFarmIsHeld(
      () => place(pickupOn(addDays(today(), 3))),
      `UPDATE farmer_profiles SET ${set} WHERE user_id = $1`,
    );
    expect([answer.status, answer.body.code]).toEqual([409, code]);
    expect(await fixture.platform.db.order.count()).toBe(orders);
  });

  it('takes the order where it still may be, and sets its timer by the new cut-off', async () => {
    const date = addDays(today(), 5);
    const answer = await whileFarmIsHeld(
      () => place(pickupOn(date)),
      `UPDATE farmer_profiles SET cutoff_days_before = 2, cutoff_time = '12:30',
         schedule_version = schedule_version + 1 WHERE user_id = $1`,
    );
    expect(answer.status).toBe(201);
    expect((await timers()).find(({ key }) => key.endsWith(date))?.dueAt).toEqual(
      instantOf({ date: addDays(date, -2), time: '12:30' }, BERLIN),
    );
  });
});

describe('the timer of a cut-off', () => {
  const dueOf = async (date: string) =>
    (await timers()).find(({ key }) => key === `order.cutoff:${fixture.farmer.id}:${date}`)?.dueAt;

  it('is set once for many orders of a day at once', async () => {
    await saveSchedule({ cutoff: { daysBefore: 1, time: '18:00' } });
    const date = addDays(today(), 20);
    const answers = await Promise.all(Array.from({ length: 30 }, () => place(pickupOn(date))));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(await dueOf(date)).toEqual(
      instantOf({ date: addDays(date, -1), time: '18:00' }, BERLIN),
    );
  });

  it("moves with the cut-off and with the farm's clock, and comes for orders from before", async () => {
    const date = addDays(today(), 21);
    await place(pickupOn(date));
    expect(await dueOf(date)).toBeUndefined();
    const cutoffAt = (time: string, zone: string) =>
      instantOf({ date: addDays(date, -1), time }, zone);
    await saveSchedule({ cutoff: { daysBefore: 1, time: '18:00' } });
    expect(await dueOf(date)).toEqual(cutoffAt('18:00', BERLIN));
    await saveSchedule({ cutoff: { daysBefore: 1, time: '12:00' } });
    expect(await dueOf(date)).toEqual(cutoffAt('12:00', BERLIN));
    await saveFarm({ timeZone: 'Pacific/Kiritimati' });
    expect(await dueOf(date)).toEqual(cutoffAt('12:00', 'Pacific/Kiritimati'));
  });

  it('that has run comes again for an order behind it, and for another time alone', async () => {
    await saveSchedule({ cutoff: { daysBefore: 1, time: '18:00' } });
    const date = addDays(today(), 22);
    const where = { key: `order.cutoff:${fixture.farmer.id}:${date}` };
    await place(pickupOn(date));
    const finish = () => fixture.platform.db.timer.update({ where, data: { doneAt: new Date() } });
    await finish();
    await saveSchedule({ atCutoff: 'reject' });
    expect(await dueOf(date)).toBeUndefined();
    await place(pickupOn(date));
    expect(await dueOf(date)).toBeDefined();
    await finish();
    await saveSchedule({ cutoff: { daysBefore: 1, time: '18:30' } });
    expect(await dueOf(date)).toBeDefined();
  });
});

it('takes or refuses each order around the very moment of the cut-off, on two servers at once', async () => {
  const { pool } = fixture.platform;
  // A clock of the database that tests can set: its schema stands before the catalogue's.
  await pool.query(`CREATE SCHEMA set_clock;
    CREATE TABLE set_clock.ahead (by interval NOT NULL);
    INSERT INTO set_clock.ahead VALUES ('0');
    CREATE FUNCTION set_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() + (SELECT by FROM set_clock.ahead)';
    CREATE FUNCTION set_clock.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.statement_timestamp() + (SELECT by FROM set_clock.ahead)'`);
  const url = new URL(fixture.env.DATABASE_URL);
  url.searchParams.set('options', '-c search_path=set_clock,pg_catalog,public');
  const env = { ...fixture.env, DATABASE_URL: url.toString() };
  const servers = await Promise.all([startUncached(env), startUncached(env)]);

  const date = addDays(today(), 1);
  // The next minute but one, by the farm's clock: until then the real clock cannot interfere.
  const minute = wallClockIn(BERLIN, Date.now() + 120_000);
  const daysBefore = minute.date === date ? 0 : 1;
  await saveSchedule({ cutoff: { daysBefore, time: minute.time } });
  const cutoffAt = instantOf(minute, BERLIN);
  const stock = await fixture.stockOf(product);
  const count = () => fixture.platform.db.order.count({ where: { date: new Date(date) } });
  const before = await count();
  await pool.query(
    'UPDATE set_clock.ahead SET by = $1::timestamptz - pg_catalog.clock_timestamp()',
    [new Date(cutoffAt.getTime() - 1500)],
  );

  const answers: { status: number; code: string | undefined; createdAt?: string }[] = [];
  const lane = async (number: number) => {
    const { url: server } = servers[number % 2] as (typeof servers)[number];
    for (;;) {
      const response = await fetch(`${server}/api/orders`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${fixture.consumer.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          farmer: fixture.farmer.id,
          items: [{ product, quantity: 1 }],
          ...pickupOn(date, '23:59'),
        }),
      });
      const body = (await response.json()) as { code?: string; data?: { createdAt: string } };
      const { status } = response;
      const createdAt = body.data?.createdAt;
      answers.push({ status, code: body.code, ...(createdAt ? { createdAt } : {}) });
      if (status !== 201 && status !== 503) return;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => lane(number)));

  const taken = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(8);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CUTOFF_PASSED']));
  expect(taken.every(({ createdAt = '' }) => createdAt < cutoffAt.toISOString())).toBe(true);
  expect((await count()) - before).toBe(taken.length);
  expect(stock - (await fixture.stockOf(product))).toBe(taken.length);
  await Promise.all(servers.map((server) => server.close()));
});
