import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startTimers } from '../../../workers/delivery/timers.ts';
import { timerDefinitions } from '../../../workers/timers.ts';
import { transact } from '../../platform/stores/postgres.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  sellProduct,
  startTestMarket,
} from '../../testing/market.ts';
import { makePlace } from '../../testing/slots.ts';
import { hire } from '../../testing/staff.ts';
import { pauseByItself } from './service.ts';

const market = closeAfter(await startTestMarket());
const { db, pool } = market.platform;
let farmer: Caller;
beforeEach(async () => {
  farmer = await market.join('farmer');
});

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const pause = (body: unknown = {}, as = farmer) => market.post('/farm/pause', as, body);
const resume = (as = farmer) => market.delete('/farm/pause', as);
const read = async (as = farmer) => (await market.get('/farm/pause', as)).body.data;
const shown = async () => (await market.get(`/users/farmers/${farmer.id}`)).body.data;
const row = () => db.farmerProfile.findUniqueOrThrow({ where: { userId: farmer.id } });
const updatesAfter = async (head: number) => {
  await market.platform.eventLog.sequence();
  const events = await market.platform.eventLog.read(head, 1000);
  return events
    .filter(({ data }) => '_id' in data && data._id === farmer.id)
    .map(({ name }) => name);
};
const head = () => market.platform.eventLog.head();
const NOT_PAUSED = {
  pausedUntil: null,
  pauseNote: null,
  pausedAt: null,
  pausedBy: null,
  timeZone: 'UTC',
};

describe('a pause', () => {
  it('is read by everyone until the farm resumes, and everyone connected hears of both', async () => {
    const productId = await sellProduct(market, farmer, await makeCategory(market.platform));
    const socket = await market.connect();
    const changed: string[] = [];
    socket.on('farmer.updated', ({ data }) => changed.push(data._id));
    const { version } = (await shown()).profile;
    const end = inHours(3);
    const { status, body } = await pause({ until: end, note: '  At the fair.  ' });
    expect([status, body.data]).toEqual([
      200,
      {
        pausedUntil: end,
        pauseNote: 'At the fair.',
        pausedAt: expect.any(String),
        pausedBy: { _id: farmer.id, name: farmer.name },
        timeZone: 'UTC',
      },
    ]);
    expect(await read()).toEqual(body.data);
    const detail = await shown();
    const paused = { pausedUntil: end, pauseNote: 'At the fair.' };
    expect(detail.profile).toMatchObject({ ...paused, version: version + 1 });
    expect(detail.handoff).toMatchObject(paused);
    const card = (await market.get('/users/farmers?limit=200')).body.data.find(
      ({ _id }: { _id: string }) => _id === farmer.id,
    );
    expect(card.handoff).toMatchObject(paused);
    const product = (await market.get(`/products/${productId}`)).body.data;
    expect(product.farmer.handoff).toMatchObject(paused);
    const [listed] = (await market.get(`/products?farmer=${farmer.id}`)).body.data;
    expect(listed.farmer.handoff).toMatchObject(paused);

    const resumed = await resume();
    expect([resumed.status, resumed.body.data]).toEqual([200, NOT_PAUSED]);
    expect((await shown()).profile).toMatchObject({
      ...{ pausedUntil: null, pauseNote: null },
      version: version + 2,
    });
    expect((await shown()).handoff).not.toHaveProperty('pausedUntil');
    const [again] = (await market.get(`/products?farmer=${farmer.id}`)).body.data;
    expect(again.farmer.handoff).not.toHaveProperty('pausedUntil');
    await until(() => changed.filter((id) => id === farmer.id).length === 2);
  });

  it('gets a new end and note when the farm is paused again, by anyone whose role says so', async () => {
    const manager = await hire(market, farmer, 'manager');
    const first = (await pause({ until: inHours(1), note: 'Back soon.' })).body.data;
    const end = inHours(48);
    const { body } = await pause({ until: end }, manager);
    expect(body.data).toEqual({
      pausedUntil: end,
      pauseNote: null,
      pausedAt: first.pausedAt,
      pausedBy: { _id: manager.id, name: manager.name },
      timeZone: 'UTC',
    });
    const timer = await db.timer.findUniqueOrThrow({ where: { key: `farm.resume:${farmer.id}` } });
    expect(timer.dueAt.toISOString()).toBe(end);
    // Later pauses have their own beginning.
    await resume();
    expect((await pause()).body.data.pausedAt > first.pausedAt).toBe(true);
  });

  it('asked for twice, also at once, is one; so is its end', async () => {
    const before = await head();
    const body = { until: inHours(2) };
    const answers = await Promise.all([pause(body), pause(body), pause(body)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await updatesAfter(before)).toEqual(['farmer.updated']);
    const ends = await Promise.all([resume(), resume()]);
    expect(ends.map(({ status, body: { data } }) => [status, data])).toEqual([
      [200, NOT_PAUSED],
      [200, NOT_PAUSED],
    ]);
    expect(await updatesAfter(before)).toEqual(['farmer.updated', 'farmer.updated']);
  });

  it('ends at the next opening of the farm, or of its places, and after 24 hours without hours', async () => {
    const lasts = async () =>
      Math.round((Date.parse((await pause()).body.data.pausedUntil) - Date.now()) / HOUR_MS);
    expect(await lasts()).toBe(24);
    await resume();
    // Open at one time of a single day of the week, the one after tomorrow's.
    const at = new Date(Date.now() + 48 * HOUR_MS);
    const day = at.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
    await market.put('/users/farmers/profile', farmer, {
      farmName: 'Green Valley',
      description: 'Soil.',
      timeZone: 'UTC',
      businessHours: { [day]: { open: '09:00', close: '12:00' } },
    });
    expect((await pause()).body.data.pausedUntil).toBe(
      `${at.toISOString().slice(0, 10)}T09:00:00.000Z`,
    );
    const next = new Date(at.getTime() + 24 * HOUR_MS);
    const nextDay = next
      .toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
      .toLowerCase();
    const hours = { weekday: nextDay, from: '15:00', to: '17:00', slotMinutes: 60, capacity: 4 };
    await makePlace(market, farmer, { hours: [hours] });
    expect((await pause()).body.data.pausedUntil).toBe(
      `${next.toISOString().slice(0, 10)}T15:00:00.000Z`,
    );
  });

  it.each([
    ['an end that is over', { until: '2001-01-01T00:00:00.000Z' }, 'until'],
    ['more than 31 days', { until: inHours(24 * 31 + 1) }, 'until'],
    ['no time', { until: 'tomorrow' }, 'until'],
    ['no day', { until: { date: '2026-02-30', time: '10:00' } }, 'until'],
    ['a long note', { note: 'x'.repeat(201) }, 'note'],
  ])('refuses %s, saying what to do', async (_, body, path) => {
    const answer = await pause(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0].path).toMatch(new RegExp(`^${path}`));
    expect(answer.body.errors[0].message).toMatch(/^[A-Z].*\.$/);
    expect(await read()).toEqual(NOT_PAUSED);
  });

  it('keeps the end and note that a deleted member gave it, without their name', async () => {
    const manager = await hire(market, farmer, 'manager');
    const end = inHours(5);
    await pause({ until: end, note: 'Back soon.' }, manager);
    const admin = await market.join('admin');
    expect((await market.delete(`/users/${manager.id}`, admin)).status).toBe(200);
    expect(await read()).toMatchObject({
      pausedUntil: end,
      pauseNote: 'Back soon.',
      pausedBy: { name: 'Deleted user' },
    });
  });
});

describe('the end of a pause', () => {
  const startWorker = () =>
    startTimers(market.platform, { addDelayed: async () => {} }, timerDefinitions(market.platform));
  const setEnd = (end: string) =>
    pool.query(
      `UPDATE farmer_profiles SET paused_at = now() - interval '2 days', paused_until = ${end}
       WHERE user_id = $1`,
      [farmer.id],
    );
  /** Lets a worker take the timer, which is due now. */
  async function runTimer() {
    const key = `farm.resume:${farmer.id}`;
    await db.timer.update({ where: { key }, data: { dueAt: new Date(Date.now() - 1000) } });
    const timers = startWorker();
    await until(async () => (await db.timer.findUniqueOrThrow({ where: { key } })).doneAt);
    await timers.close();
  }

  it('comes by itself, with an event, however late', async () => {
    await pause({ note: 'Back soon.' });
    await setEnd("now() - interval '1 day'");
    // The present time decides, also while no timer has cleared it.
    expect(await read()).toEqual(NOT_PAUSED);
    const before = await head();
    await runTimer();
    expect(await updatesAfter(before)).toEqual(['farmer.updated']);
    expect(await row()).toMatchObject({ pausedUntil: null, pauseNote: null });
  });

  it('does not come by the timer of a shorter pause, and not twice', async () => {
    const end = inHours(24);
    await pause({ until: end });
    const before = await head();
    await runTimer();
    expect(await read()).toMatchObject({ pausedUntil: end });
    await resume();
    await db.timer.update({
      where: { key: `farm.resume:${farmer.id}` },
      data: { doneAt: null },
    });
    await runTimer();
    expect(await updatesAfter(before)).toEqual(['farmer.updated']);
  });

  it('is no matter of a farm that is gone', async () => {
    await pause();
    await db.farmerProfile.deleteMany({ where: { userId: farmer.id } });
    await runTimer();
  });
});

describe('a pause by the market itself', () => {
  const byItself = () => transact(db, (tx) => pauseByItself(tx, farmer.id));

  it('lasts until the next opening, is told to the farm and admins, and stands in the feed', async () => {
    const admin = await market.join('admin');
    const customer = await market.join('consumer');
    const heard = new Map<string, number>();
    for (const person of [farmer, admin, customer]) {
      const socket = await market.connect({ token: person.token });
      socket.on('farm.paused', () => heard.set(person.id, (heard.get(person.id) ?? 0) + 1));
      socket.on('farmer.updated', () => heard.set(`${person.id} updated`, 1));
    }
    expect(await byItself()).toBe(true);
    await market.platform.eventLog.sequence();
    expect(await read()).toMatchObject({ pauseNote: null, pausedBy: null });
    expect((await shown()).profile.pausedUntil).toEqual((await read()).pausedUntil);
    await until(() => heard.get(farmer.id) === 1 && heard.get(admin.id) === 1);
    await until(() => heard.get(`${customer.id} updated`) === 1);
    expect(heard.get(customer.id)).toBeUndefined();

    const feed = async () =>
      (await market.get('/admin/feed', admin)).body.data.filter(
        ({ kind, farm }: { kind: string; farm?: { _id: string } }) =>
          kind === 'farm.paused' && farm?._id === farmer.id,
      );
    const line = { by: null, order: null, farm: { _id: farmer.id, name: farmer.name } };
    expect(await feed()).toMatchObject([line]);
    // It happened, also once the farm has resumed.
    await resume();
    expect(await feed()).toMatchObject([line]);
  });

  it('changes nothing of a farm that is paused, and is one however many ask at once', async () => {
    const end = inHours(2);
    await pause({ until: end, note: 'At the fair.' });
    expect(await byItself()).toBe(false);
    expect(await read()).toMatchObject({ pausedUntil: end, pauseNote: 'At the fair.' });
    await resume();
    const results = await Promise.all([byItself(), byItself(), byItself(), byItself()]);
    expect(results.filter(Boolean)).toHaveLength(1);
    // One that is over is none.
    await pool.query(
      `UPDATE farmer_profiles SET paused_at = now() - interval '2 days',
         paused_until = now() - interval '1 day' WHERE user_id = $1`,
      [farmer.id],
    );
    expect(await byItself()).toBe(true);
  });
});
