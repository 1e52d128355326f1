// @long It starts programs.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, OpenDatabase } from '../../../prisma/client.ts';
import { until } from '../../../testing/until.ts';
import { createTestDatabase, openTestDatabase } from '../../testing/database.ts';
import { connectRedis, type Redis } from '../stores/redis.ts';
import { createEventLog, type EventLog, type LoggedEvent, record } from './event-log.ts';

const log = pino({ level: 'silent' });

const closers: (() => Promise<void>)[] = [];

const database = await createTestDatabase();
const open: OpenDatabase = openTestDatabase(database.url, 30);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await open.close();
  await database.drop();
});

/** Creates an event log with its own Redis connection, like another process. */
async function newLog(prefix: string, redisUrl = process.env.REDIS_URL ?? '') {
  const redis = await connectRedis(redisUrl, log);
  const eventLog = createEventLog({ pool: open.pool, redis, log, prefix });
  await eventLog.start();
  closers.push(async () => {
    await eventLog.close();
    if (redis.isOpen) redis.destroy();
  });
  return { eventLog, redis };
}

const newPrefix = () => `test-${randomBytes(6).toString('hex')}`;

/** Returns the events that a follower receives, in order of arrival. */
function collect(eventLog: EventLog, after: number) {
  const events: LoggedEvent[] = [];
  const following = eventLog.follow(after, (event) => {
    events.push(event);
  });
  closers.push(() => following.close());
  return events;
}

const changed = (_id: string) => ({
  name: 'category.changed' as const,
  data: { _id },
  rooms: ['public'] as const,
});

const idsOf = (events: readonly LoggedEvent[]) =>
  events.map((event) => (event.data as { _id: string })._id);

function expectGapless(events: readonly LoggedEvent[]): void {
  const first = events[0]?.seq ?? 0;
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => first + index));
}

describe('the event log', () => {
  it('numbers without a gap and keeps the order of each of 20 concurrent writers', async () => {
    const prefix = newPrefix();
    const [one, other] = [await newLog(prefix), await newLog(prefix)];
    const head = await one.eventLog.head();
    const received = [collect(one.eventLog, head), collect(other.eventLog, head)];
    const written: string[][] = await Promise.all(
      Array.from({ length: 20 }, async (_, writer) => {
        const mine: string[] = [];
        for (let turn = 0; turn < 25; turn++) {
          const ids = [randomUUID(), randomUUID()];
          await open.db.$transaction((tx) => record(tx, ...ids.map(changed)));
          mine.push(...ids);
          void (writer % 2 ? one : other).eventLog.sequence();
        }
        return mine;
      }),
    );
    for (const events of received) {
      await until(() => events.length >= 1000);
      expectGapless(events);
      expect(events).toHaveLength(1000);
      const ids = idsOf(events);
      expect(new Set(ids).size).toBe(1000);
      for (const mine of written) {
        const wanted = new Set(mine);
        expect(ids.filter((id) => wanted.has(id))).toEqual(mine);
      }
    }
  });

  it('records thousands of events in one statement, in order and unchanged', async () => {
    const { eventLog } = await newLog(newPrefix());
    const events = collect(eventLog, await eventLog.head());
    const texts = ['"{}', 'NULL', 'a,b', '\\', '\u0000', '\u{1F955}', "';--", '\n'];
    const recorded = Array.from({ length: 5000 }, (_, index) => ({
      name: 'category.changed' as const,
      data: { _id: `${index} ${texts[index % texts.length]}` },
      rooms: Array.from(
        { length: index % 4 },
        (_, place) => `room "${place},{}\\' of ${index}` as never,
      ),
    }));
    let statements = 0;
    const counting = {
      $executeRawUnsafe: (...args: Parameters<Database['$executeRawUnsafe']>) => {
        statements++;
        return open.db.$executeRawUnsafe(...args);
      },
    } as unknown as Database;
    await record(counting, ...recorded);
    await record(open.db);
    await eventLog.sequence();
    await until(() => events.length === recorded.length);
    expect(statements).toBe(1);
    expect(events.map(({ name, data, rooms }) => ({ name, data, rooms }))).toEqual(recorded);
    expectGapless(events);
    for (const { at } of events) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
  });

  it('yields to the event loop while it follows a long batch', async () => {
    const { eventLog } = await newLog(newPrefix());
    let followed = 0;
    const following = eventLog.follow(await eventLog.head(), () => {
      followed++;
      const until = performance.now() + 1;
      while (performance.now() < until);
    });
    closers.push(() => following.close());
    await record(open.db, ...Array.from({ length: 1000 }, () => changed(randomUUID())));
    let turns = 0;
    const turn = setInterval(() => {
      if (followed > 0 && followed < 1000) turns++;
    }, 1);
    await eventLog.sequence();
    await until(() => followed === 1000);
    clearInterval(turn);
    // A second of work in steps of about 10 ms.
    expect(turns).toBeGreaterThan(10);
  });

  it('publishes nothing of a transaction that was rolled back', async () => {
    const { eventLog } = await newLog(newPrefix());
    const head = await eventLog.head();
    await expect(
      open.db.$transaction(async (tx) => {
        await record(tx, changed(randomUUID()));
        throw new Error('No.');
      }),
    ).rejects.toThrow('No.');
    await eventLog.sequence();
    expect(await eventLog.head()).toBe(head);
  });

  // Each process loads the database client, which takes a second and more: the long form is 50 of them.
  const killed = process.env.FAULTS === 'full' ? 50 : 6;
  it(`delivers every event of ${killed} processes killed between their commit and the numbering`, async () => {
    const { eventLog } = await newLog(newPrefix());
    const events = collect(eventLog, await eventLog.head());
    const ids = Array.from({ length: killed }, () => randomUUID());
    const waiting = [...ids];
    const killOneAfterTheOther = async () => {
      for (let id = waiting.pop(); id; id = waiting.pop()) {
        const child = spawn(
          process.execPath,
          ['--import', 'tsx', 'server/testing/whole/record-and-die.ts'],
          {
            env: { ...process.env, DATABASE_URL: database.url, EVENT_ABOUT: id },
            stdio: ['ignore', 'ignore', 'inherit'],
          },
        );
        const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
        expect(signal).toBe('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 3 }, killOneAfterTheOther));
    await until(() => events.length >= killed);
    expect(new Set(idsOf(events))).toEqual(new Set(ids));
    expect(events).toHaveLength(killed);
    expectGapless(events);
  });

  it('calls a handler that failed with the same event again, before any later one', async () => {
    const { eventLog } = await newLog(newPrefix());
    const delivered: number[] = [];
    let failures = 0;
    const following = eventLog.follow(await eventLog.head(), (event) => {
      if (failures < 2) {
        failures++;
        throw new Error('Not yet.');
      }
      delivered.push(event.seq);
    });
    closers.push(() => following.close());
    await open.db.$transaction((tx) =>
      record(tx, changed(randomUUID()), changed(randomUUID()), changed(randomUUID())),
    );
    void eventLog.sequence();
    await until(() => delivered.length === 3);
    expect(delivered).toEqual([delivered[0], (delivered[0] ?? 0) + 1, (delivered[0] ?? 0) + 2]);
    expect(failures).toBe(2);
  });

  it('prunes from the start, and reports that it does not reach back there', async () => {
    const { eventLog } = await newLog(newPrefix());
    const head = await eventLog.head();
    await open.db.$transaction((tx) =>
      record(tx, changed(randomUUID()), changed(randomUUID()), changed(randomUUID())),
    );
    await eventLog.sequence();
    expect(await eventLog.readMissed(head, head + 3, ['public'], 10)).toHaveLength(3);
    expect(await eventLog.readMissed(head, head + 3, ['user:nobody'], 10)).toEqual([]);
    await open.pool.query(`UPDATE event_log SET at = now() - interval '8 days' WHERE seq <= $1`, [
      head + 1,
    ]);
    expect(await eventLog.prune(7)).toBeGreaterThan(0);
    expect(await eventLog.readMissed(head, head + 3, ['public'], 10)).toBeUndefined();
    expect(await eventLog.readMissed(head + 1, head + 3, ['public'], 10)).toHaveLength(2);
  });
});

describe('while Redis is away', () => {
  let folder: string;
  let port: number;
  let program: ChildProcess | undefined;

  async function startRedis(): Promise<void> {
    program = spawn('redis-server', ['--port', String(port), '--dir', folder, '--save', ''], {
      stdio: 'ignore',
    });
    await once(program, 'spawn');
  }

  async function stopRedis(): Promise<void> {
    if (!program || program.exitCode !== null) return;
    const ended = once(program, 'exit');
    program.kill('SIGKILL');
    await ended;
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'farmgate-redis-'));
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    port = (probe.address() as { port: number }).port;
    probe.close();
    await startRedis();
  });

  afterAll(async () => {
    await stopRedis();
    await rm(folder, { recursive: true, force: true });
  });

  const write = async (eventLog: EventLog, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => randomUUID());
    for (const id of ids) {
      await open.db.$transaction((tx) => record(tx, changed(id)));
      void eventLog.sequence();
    }
    return ids;
  };

  it('delivers every event to a follower in another process', async () => {
    const prefix = newPrefix();
    const url = `redis://127.0.0.1:${port}`;
    const isUp = async (redis: Redis) => redis.isReady;
    const writer = await newLog(prefix, url);
    const reader = await newLog(prefix, url);
    const events = collect(reader.eventLog, await reader.eventLog.head());

    const before = await write(writer.eventLog, 20);
    await until(() => events.length === 20);
    await stopRedis();
    await until(() => !writer.redis.isReady);
    const during = await write(writer.eventLog, 20);
    await until(() => events.length === 40);
    await startRedis();
    await until(() => isUp(writer.redis));
    const after = await write(writer.eventLog, 20);
    await until(() => events.length === 60);

    expect(idsOf(events)).toEqual([...before, ...during, ...after]);
    expectGapless(events);
  });
});
