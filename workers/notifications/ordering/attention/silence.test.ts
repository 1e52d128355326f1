import { beforeEach, describe, expect, it } from 'vitest';
import type { Attention } from '#contract/ordering/attention/attention';
import { wallClockIn } from '#contract/platform/time/constants';
import { answerAtCutoff } from '../../../../server/ordering/status/at-cutoff.ts';
import { createOrderFixture } from '../../../../server/ordering/testing/fixture.ts';
import { OUTDATED } from '../../../../server/platform/stores/timers.ts';
import { type Caller, closeAfter } from '../../../../server/testing/market.ts';
import { browserOf, createAlerts, planFor } from '../../../testing/alerts.ts';
import { timerDefinitions } from '../../../timers.ts';
import { applyEffects } from '../../apply.ts';
import { picklistChanged } from '../picklist-changed.ts';

// When nobody is told, and what follows when nobody answers.

const market = closeAfter(await createOrderFixture());
const { db, env } = market.platform;
const alerts = createAlerts(market);
let farmer = {} as Caller;
let admin = {} as Caller;
let product = '';
beforeEach(async () => {
  await db.attention.deleteMany();
  [farmer, admin] = await Promise.all([market.join('farmer'), market.join('admin')]);
  product = await market.createProduct(1000, { farmerId: farmer.id });
  await planFor(market, farmer);
  const body = browserOf(`phone ${farmer.id}`);
  await market.call('POST', '/notifications/push-subscriptions', { as: farmer, body });
});

const place = async (): Promise<string> =>
  (await market.order([{ product, quantity: 1 }], { over: { farmer: farmer.id } })).body.data._id;
const list = async (): Promise<Attention[]> =>
  (await market.call('GET', '/attention', { as: farmer })).body.data;
const kindsOf = async (as: Caller): Promise<string[]> =>
  (await market.call('GET', '/notifications', { as })).body.data.map(
    ({ kind }: { kind: string }) => kind,
  );

/** Quiet hours of the farm's clock that have just begun, or are to end in two hours. */
function quietNow() {
  const at = (hours: number) => wallClockIn('UTC', new Date(Date.now() + hours * 3_600_000)).time;
  return { from: at(-1), to: at(2) };
}

describe('within quiet hours', () => {
  beforeEach(async () => {
    await db.farmerProfile.update({ where: { userId: farmer.id }, data: { timeZone: 'UTC' } });
    await planFor(market, farmer, { quietHours: quietNow() });
  });

  it('the bell comes at once, and the plan begins at their end', async () => {
    await place();
    expect(await alerts.run()).toEqual({ mails: [], pushes: [] });
    expect(await kindsOf(farmer)).toEqual(['order.placed']);
    const [only] = await list();
    expect(only).toMatchObject({ state: 'waiting', step: 0, rings: [] });
    const end = Date.parse(only?.nextAt ?? '') - Date.now();
    expect(end).toBeGreaterThan(3_600_000);
    expect(end).toBeLessThanOrEqual(2 * 3_600_000 + 60_000);
  });

  it('people are told at once of an order that is handed over before their end', async () => {
    const id = await place();
    await db.$executeRaw`UPDATE orders SET starts_at = now() + interval '1 hour' WHERE id = ${id}::uuid`;
    expect((await alerts.run()).pushes.length).toBe(1);
  });

  it('a farm is reminded at their end, and admins at once', async () => {
    const id = await place();
    await alerts.run();
    const remind = (key: string) =>
      db.$transaction(async (tx) => {
        const planned = await timerDefinitions(market.platform)['order.unanswered'].run(key, tx);
        expect(planned).not.toBe(OUTDATED);
      });
    await remind(`order.unanswered:${id}`);
    expect(await kindsOf(farmer)).toEqual(['order.placed']);
    expect(await kindsOf(admin)).toContain('order.leftUnanswered');
    const key = `order.unanswered:${id}:awake`;
    const { dueAt } = await db.timer.findUniqueOrThrow({ where: { key } });
    expect(dueAt.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
    await remind(key);
    expect(await kindsOf(farmer)).toContain('order.unanswered');
  });
});

it('on holiday nobody is told until its end', async () => {
  const silentUntil = new Date(Date.now() + 6 * 3_600_000).toISOString();
  await planFor(market, farmer, { silentUntil });
  await place();
  expect((await alerts.run()).pushes).toEqual([]);
  expect((await list())[0]).toMatchObject({ step: 0, nextAt: silentUntil });
});

it('a holiday that ends early lets begin what it has put off', async () => {
  const until = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  await planFor(market, farmer, { silentUntil: until(6) });
  await place();
  expect((await alerts.run()).pushes).toEqual([]);
  const sooner = until(2);
  await planFor(market, farmer, { silentUntil: sooner });
  expect((await alerts.run()).pushes).toEqual([]);
  expect((await list())[0]).toMatchObject({ step: 0, nextAt: sooner });
  await planFor(market, farmer, { silentUntil: null });
  expect((await alerts.run()).pushes.length).toBe(1);
  expect((await list())[0]).toMatchObject({ step: 1 });
});

it('nobody is told of an order whose handover is over, as after a week without workers', async () => {
  const id = await place();
  await db.$executeRaw`
    UPDATE orders SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'
    WHERE id = ${id}::uuid`;
  expect(await alerts.run()).toEqual({ mails: [], pushes: [] });
  expect(await list()).toEqual([]);
});

describe('a farm that pauses after two orders that nobody answered', () => {
  beforeEach(() =>
    planFor(market, farmer, {
      steps: [{ afterSeconds: 0, to: 'all', channels: ['push'] }],
      rounds: 1,
      pauseAfter: 2,
    }),
  );
  const isPaused = async () => {
    const { pausedUntil } = await db.farmerProfile.findUniqueOrThrow({
      where: { userId: farmer.id },
    });
    return pausedUntil !== null;
  };

  it('pauses by itself', async () => {
    await place();
    await alerts.run();
    expect(await isPaused()).toBe(false);
    await place();
    await alerts.run();
    expect(await isPaused()).toBe(true);
  });

  it('pauses also where the handover of another was over in between', async () => {
    await place();
    await alerts.run();
    const over = await place();
    await db.$executeRaw`UPDATE orders SET ends_at = now() - interval '1 hour' WHERE id = ${over}::uuid`;
    await alerts.run();
    await place();
    await alerts.run();
    expect(await isPaused()).toBe(true);
  });

  it('pauses also where the market answered another at its cut-off in between', async () => {
    await place();
    await alerts.run();
    const leaves = { rounds: 1, pauseAfter: 2 };
    const channels = ['push' as const];
    await planFor(market, farmer, {
      ...leaves,
      steps: [{ afterSeconds: 3600, to: 'all', channels }],
    });
    const between = await place();
    await alerts.run();
    const closing = { atCutoff: 'reject' as const, cutoffDaysBefore: 14, cutoffTime: '00:00' };
    const where = { userId: farmer.id };
    await db.farmerProfile.update({ where, data: closing });
    const { date } = await db.order.findUniqueOrThrow({ where: { id: between } });
    const key = `order.cutoff:${farmer.id}:${date.toISOString().slice(0, 10)}`;
    await db.$transaction((tx) => answerAtCutoff(tx, key));
    const answered = await db.attention.findFirstOrThrow({ where: { subjectId: between } });
    expect(answered).toMatchObject({ state: 'resolved', resolution: 'rejected_at_cutoff' });
    await db.farmerProfile.update({
      where,
      data: { cutoffDaysBefore: null, cutoffTime: null },
    });
    await planFor(market, farmer, {
      ...leaves,
      steps: [{ afterSeconds: 0, to: 'all', channels }],
    });
    await place();
    await alerts.run();
    expect(await isPaused()).toBe(true);
  });

  it('does not where somebody was on it in between', async () => {
    await place();
    await alerts.run();
    const between = await place();
    await alerts.run();
    const ids = (await list()).flatMap(({ _id, order }) => (order?._id === between ? [_id] : []));
    expect(ids.length).toBe(1);
    // It paused already: that was the second. Its farm takes orders again by hand.
    await market.call('DELETE', '/farm/pause', { as: farmer });
    await market.call('POST', '/attention/ack', { as: farmer, body: { ids } });
    await place();
    await alerts.run();
    expect(await isPaused()).toBe(false);
  });
});

describe('a changed pick list', () => {
  it('asks those who pack until it is seen, or printed again', async () => {
    const accept = async () => {
      const id = await place();
      const { body } = await market.changeStatus(id, 'accepted', farmer);
      return body.data;
    };
    const first = await accept();
    const { date } = first.pickupDetails;
    const print = () =>
      market.call('POST', '/farm/picklist/prints', { as: farmer, body: { date } });
    await print();
    const changed = async () => {
      const order = await accept();
      await db.$transaction(async (tx) => {
        const key = `picklist.changed:${order._id}:${order.version}`;
        const effects = await picklistChanged.remind?.(key, tx, env);
        if (effects && effects !== OUTDATED) await applyEffects(tx, env, effects);
      });
      return order;
    };
    const open = async () => (await list()).filter(({ kind }) => kind === 'picklist.changed');
    const late = await changed();
    expect((await alerts.run()).pushes.map(({ link }) => link)).toContain(
      `/farmer/picklist?date=${date}`,
    );
    expect((await open()).length).toBe(1);
    const changes = [{ orderId: late._id, sequence: late.timeline.length }];
    await market.call('PUT', '/farm/picklist/seen', { as: farmer, body: { date, changes } });
    expect(await open()).toEqual([]);
    await changed();
    await alerts.run();
    expect((await open()).length).toBe(1);
    await print();
    expect(await open()).toEqual([]);
  });
});
