import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Transaction } from '../../prisma/client.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import { setTimer } from '../../server/platform/stores/timers.ts';
import { closeAfter, startTestMarket } from '../../server/testing/market.ts';
import { until } from '../../testing/until.ts';
import { takeOverReminders } from '../timers.ts';
import { startTimers, type TimerDefinition, type Timers } from './timers.ts';

const running: Timers[] = [];

const market = closeAfter(
  await startTestMarket({ JOB_BACKOFF_MS: '20', DATABASE_POOL_SIZE: '20' }),
);
await market.platform.pool.query('CREATE TABLE ran (key text, state text)');
beforeEach(async () => {
  await market.platform.pool.query('TRUNCATE ran, timers');
});
afterEach(() => closeAll());

const closeAll = () => Promise.all(running.splice(0).map((each) => each.close()));

/** Starts what one worker does for timers; several are like several workers. */
function start(definitions: Record<string, TimerDefinition['run']>): Timers {
  const timers = startTimers(
    market.platform,
    { addDelayed: async () => {} },
    Object.fromEntries(Object.entries(definitions).map(([kind, run]) => [kind, { run }])),
  );
  running.push(timers);
  return timers;
}

const note = async (key: string, tx: Transaction, state = '') => {
  await tx.$executeRaw`INSERT INTO ran VALUES (${key}, ${state})`;
  return [];
};
const ran = async (): Promise<string[]> => {
  const { rows } = await market.platform.pool.query('SELECT key FROM ran ORDER BY key');
  return rows.map(({ key }) => key);
};
const MINUTE_MS = 60_000;
const put = (kind: string, keys: readonly string[], dueInMs = -MINUTE_MS) =>
  market.platform.db.timer.createMany({
    data: keys.map((key) => ({ key, kind, dueAt: new Date(Date.now() + dueInMs) })),
  });
const find = (key: string) => market.platform.db.timer.findUniqueOrThrow({ where: { key } });
const untilDone = (keys: readonly string[]) =>
  until(
    async () =>
      (await market.platform.db.timer.count({
        where: { key: { in: [...keys] }, doneAt: { not: null } },
      })) === keys.length,
  );
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `a:${String(index).padStart(4, '0')}`);

it('one that was due while no worker ran happens once when workers do', async () => {
  await put('a', ['a:1'], -7 * 24 * 60 * MINUTE_MS);
  start({ a: note });
  await untilDone(['a:1']);
  start({ a: note });
  await put('a', ['a:2']);
  await untilDone(['a:2']);
  expect(await ran()).toEqual(['a:1', 'a:2']);
});

it('many happen once each, however many workers look at them', async () => {
  const keys = names(200);
  await put('a', keys);
  for (let worker = 0; worker < 4; worker++) start({ a: note });
  await untilDone(keys);
  await closeAll();
  expect(await ran()).toEqual(keys);
});

it('what is not due yet waits, and what it follows from is as it is by then', async () => {
  await market.platform.pool.query("INSERT INTO ran VALUES ('state', 'before')");
  const timers = start({
    a: async (key, tx) => {
      const [row] = await tx.$queryRaw<{ state: string }[]>`
        SELECT state FROM ran WHERE key = 'state'`;
      return note(key, tx, row?.state);
    },
  });
  await put('a', ['a:late'], 60 * MINUTE_MS);
  // Long enough for the state to change before, also on a busy machine.
  const dueInMs = 3000;
  const dueAt = new Date(Date.now() + dueInMs);
  await put('a', ['a:soon'], dueInMs);
  timers.checkAt(dueAt);
  await market.platform.pool.query("UPDATE ran SET state = 'after' WHERE key = 'state'");
  await untilDone(['a:soon']);
  const { doneAt, dueAt: due } = await find('a:soon');
  expect(Number(doneAt)).toBeGreaterThanOrEqual(Number(due));
  const { rows } = await market.platform.pool.query("SELECT state FROM ran WHERE key = 'a:soon'");
  expect(rows).toEqual([{ state: 'after' }]);
  expect((await find('a:late')).doneAt).toBeNull();
});

describe('one that fails', () => {
  it('leaves nothing behind, waits longer each time, holds up no other, and happens in the end', async () => {
    let isRepaired = false;
    let failures = 0;
    const keys = names(30);
    await put('bad', ['bad:1'], -60 * MINUTE_MS);
    await put('a', keys);
    start({
      a: note,
      bad: async (key, tx) => {
        await note(key, tx);
        if (isRepaired) return [];
        failures += 1;
        throw new Error('Failed on purpose.');
      },
    });
    await untilDone(keys);
    const failing = await until(async () => {
      const timer = await find('bad:1');
      return timer.attempts >= 3 ? timer : undefined;
    });
    expect(failing).toMatchObject({ doneAt: null, error: 'Failed on purpose.' });
    expect(await ran()).toEqual(keys);
    isRepaired = true;
    await untilDone(['bad:1']);
    expect(failures).toBeGreaterThanOrEqual(3);
    expect(await ran()).toEqual([...keys, 'bad:1']);
    expect((await find('bad:1')).error).toBeNull();
  });

  it('is put off by twice the time, up to an hour', async () => {
    const fail = async () => {
      throw new Error('No.');
    };
    const { db } = market.platform;
    await put('bad', ['bad:1', 'bad:2', 'bad:3']);
    for (const [key, attempts] of [
      ['bad:1', 10],
      ['bad:2', 11],
      ['bad:3', 500],
    ] as const) {
      await db.timer.update({ where: { key }, data: { attempts } });
    }
    const before = Date.now();
    start({ bad: fail });
    const waits = async () => {
      const rows = await db.timer.findMany({ orderBy: { key: 'asc' } });
      return rows.map(({ dueAt }) => Number(dueAt) - before);
    };
    await until(async () => (await waits()).every((ms) => ms > 0));
    await closeAll();
    const took = Date.now() - before;
    for (const [index, least] of [20 * 2 ** 10, 20 * 2 ** 11, 60 * MINUTE_MS].entries()) {
      const wait = (await waits())[index] ?? 0;
      expect(wait).toBeGreaterThan(least - 1000);
      expect(wait).toBeLessThan(least + took + 1000);
    }
  });
});

it('one that takes long holds up no other', async () => {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await put('slow', ['slow:1'], -60 * MINUTE_MS);
  const keys = names(30);
  await put('a', keys);
  const definitions = {
    a: note,
    slow: async (key: string, tx: Transaction) => {
      await held;
      return note(key, tx);
    },
  };
  start(definitions);
  start(definitions);
  await untilDone(keys);
  release();
  await untilDone(['slow:1']);
  expect(await ran()).toEqual([...keys, 'slow:1']);
});

it('one whose worker dies half-way has done nothing, and happens once at another', async () => {
  let tries = 0;
  let backend = 0;
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await put('a', ['a:1']);
  const run = async (key: string, tx: Transaction) => {
    tries += 1;
    await note(key, tx);
    if (tries > 1) return [];
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    backend = row?.pid ?? 0;
    await held;
    return [];
  };
  start({ a: run });
  await until(() => backend !== 0);
  // As the end of a process ends its connections.
  await market.platform.pool.query('SELECT pg_terminate_backend($1)', [backend]);
  start({ a: run });
  await untilDone(['a:1']);
  release();
  await closeAll();
  expect(tries).toBe(2);
  expect(await ran()).toEqual(['a:1']);
});

it('a kind that only a newer process knows is left to that', async () => {
  await put('new', ['new:1']);
  await put('a', ['a:1']);
  start({ a: note });
  await untilDone(['a:1']);
  expect(await find('new:1')).toMatchObject({ doneAt: null, attempts: 0 });
});

describe('setTimer', () => {
  const set = (dueAt: Date) =>
    transact(market.platform.db, (tx) =>
      setTimer(tx, { kind: 'order.unanswered', key: 'order.unanswered:1', dueAt }),
    );

  it('moves one that waits, and lets one that is done happen again', async () => {
    await set(new Date(Date.now() + 60 * MINUTE_MS));
    await set(new Date(Date.now() - MINUTE_MS));
    start({ 'order.unanswered': note });
    await untilDone(['order.unanswered:1']);
    await set(new Date(Date.now() - MINUTE_MS));
    await untilDone(['order.unanswered:1']);
    await until(async () => (await ran()).length === 2);
  });

  it('sets nothing when its transaction fails', async () => {
    const failing = transact(market.platform.db, async (tx) => {
      await setTimer(tx, { kind: 'message.unread', key: 'message.unread:1', dueAt: new Date() });
      throw new Error('Too late.');
    });
    await expect(failing).rejects.toThrow('Too late.');
    expect(await market.platform.db.timer.count()).toBe(0);
  });

  it('may be called by what the timer itself does', async () => {
    start({
      'order.unanswered': async (key, tx) => {
        await note(key, tx);
        const { rows } = await market.platform.pool.query('SELECT FROM ran');
        const dueAt = new Date(Date.now() + (rows.length === 0 ? -1 : 60 * MINUTE_MS));
        await setTimer(tx, { kind: 'order.unanswered', key: 'order.unanswered:1', dueAt });
        return [];
      },
    });
    await set(new Date());
    await until(async () => (await ran()).length === 2);
    expect((await find('order.unanswered:1')).doneAt).toBeNull();
  });
});

it('reminders that an older process wrote into the ledger become timers', async () => {
  const { db } = market.platform;
  const { id } = await market.join('farmer');
  const dueAt = new Date('2026-01-01T10:00:00Z');
  const old = { userId: id, channel: 'in_app', kind: 'order.unanswered', dueAt } as const;
  await db.notificationDelivery.createMany({
    data: [
      { ...old, key: 'order.unanswered:1' },
      { ...old, key: 'stock.low:1', kind: 'stock.low', status: 'sent' },
    ],
  });
  await takeOverReminders(market.platform);
  await takeOverReminders(market.platform);
  expect(await db.timer.findMany()).toMatchObject([
    { key: 'order.unanswered:1', kind: 'order.unanswered', dueAt, doneAt: null },
  ]);
  const left = await db.notificationDelivery.findMany();
  expect(left.map(({ key }) => key)).toEqual(['stock.low:1']);
});
