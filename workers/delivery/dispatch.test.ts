// @long It waits for workers and timers.

import { afterEach, expect, it } from 'vitest';
import type { DatabaseState } from '../../prisma/client.ts';
import { record } from '../../server/platform/events/event-log.ts';
import { closeAfter, startTestMarket } from '../../server/testing/market.ts';
import { until } from '../../testing/until.ts';
import { type EventHandler, startDispatch } from './dispatch.ts';

let dispatch: Awaited<ReturnType<typeof startDispatch>> | undefined;

const market = closeAfter(await startTestMarket());
afterEach(() => dispatch?.close());

/**
 * Starts a dispatcher on the market's log whose handler fails so many times for each event, with the database in
 * this state. @returns what it tried and what it handled, as the ids of the events' data
 */
async function start(failures: (id: string) => number, state: () => DatabaseState) {
  const tried: string[] = [];
  const handled: string[] = [];
  const handleEvents: EventHandler['handleEvents'] = async (follower, last, events) => {
    const ids = events.map(({ data }) => (data as { _id: string })._id);
    for (const id of ids) {
      tried.push(id);
      // Nothing that the database's own errors are known by.
      if (tried.filter((each) => each === id).length <= failures(id))
        throw new Error('Failed on purpose.');
    }
    const { rows } = await market.platform.pool.query(
      'UPDATE followers SET seq = $2 WHERE name = $1 RETURNING $2 - 1 AS passed',
      [follower, last],
    );
    handled.push(...ids);
    return { passed: Number(rows[0]?.passed), planned: [], timersDueAt: null };
  };
  const platform = { ...market.platform };
  platform.database = { ...market.platform.database, state: async () => state() };
  await platform.db.follower.upsert({
    where: { name: 'notifications' },
    create: { name: 'notifications', seq: await platform.eventLog.head() },
    update: { seq: await platform.eventLog.head() },
  });
  dispatch = await startDispatch(
    platform,
    { addDelayed: async () => {}, addNow: async () => {} },
    { isOfInterest: (name) => name === 'category.changed', handleEvents },
    { checkAt: () => {} },
  );
  return { tried, handled };
}

async function publishEvents(...ids: string[]): Promise<void> {
  const { db, eventLog } = market.platform;
  await db.$transaction(async (tx) => {
    for (const _id of ids) {
      await record(tx, { name: 'category.changed', data: { _id }, rooms: ['public'] });
    }
  });
  await eventLog.sequence();
}

const ID = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

it('skips an event that cannot be handled, and only that one', async () => {
  const { tried, handled } = await start(
    (id) => (id === ID(2) ? Number.POSITIVE_INFINITY : 0),
    () => 'ready',
  );
  await publishEvents(ID(1), ID(2), ID(3));
  await until(() => handled.includes(ID(3)));
  expect(new Set(handled)).toEqual(new Set([ID(1), ID(3)]));
  expect(tried.filter((id) => id === ID(2)).length).toBeGreaterThan(4);
});

it('skips nothing while the database is away, whatever the errors say', async () => {
  let state: DatabaseState = 'away';
  const { tried, handled } = await start(
    () => (state === 'ready' ? 0 : Number.POSITIVE_INFINITY),
    () => state,
  );
  await publishEvents(ID(4));
  await until(() => tried.length > 7);
  expect(handled).toEqual([]);
  state = 'ready';
  await until(() => handled.includes(ID(4)));
});

it('passes events without effects, so that nobody takes it for late', async () => {
  await start(
    () => 0,
    () => 'ready',
  );
  const { db, eventLog } = market.platform;
  await record(db, { name: 'farmer.updated', data: { _id: ID(9) }, rooms: ['public'] });
  await eventLog.sequence();
  const head = await eventLog.head();
  await until(async () => {
    const { seq } = await db.follower.findUniqueOrThrow({ where: { name: 'notifications' } });
    return Number(seq) === head;
  });
});
