// @long It waits for limits to pass.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isDatabaseAway } from '../server/platform/stores/postgres.ts';
import { createTestDatabase, openTestDatabase } from '../server/testing/database.ts';
import { scaled, until } from '../testing/until.ts';
import { DatabaseHangsError, type OpenDatabase, openDatabase } from './client.ts';
import { createDatabaseState, knownMigrations } from './database-state.ts';
import { startFreezableProxy } from './testing/freezable-proxy.ts';
import { LATER_MIGRATION } from './testing/later-build.ts';

/** What a busy machine may need for what takes 2 s at most. */
const BOUND_MS = scaled(10_000);
/** More than any statement here takes. */
const STATEMENT_MAX_MS = scaled(60_000);
const POOL_SIZE = 4;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: Awaited<ReturnType<typeof startFreezableProxy>>;
let open: OpenDatabase;
const changes: boolean[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFreezableProxy(database.url);
  open = openDatabase({
    connectionString: proxy.url,
    poolSize: POOL_SIZE,
    statementMaxMs: STATEMENT_MAX_MS,
    onHang: (isHanging) => changes.push(isHanging),
  });
});
afterAll(async () => {
  proxy.thaw();
  await open.close();
  await proxy.close();
  await database.drop();
});
beforeEach(() => {
  changes.length = 0;
});

/** Opens the database anew, with a longer silence than the default. */
const openWith = (silenceMaxMs: number) =>
  openDatabase({
    connectionString: proxy.url,
    poolSize: POOL_SIZE,
    statementMaxMs: STATEMENT_MAX_MS,
    silenceMaxMs,
    onHang: (isHanging) => changes.push(isHanging),
  });

/** The database's state once it is known: a busy machine may not answer within the time of one look. */
const stateOf = ({ state }: Pick<OpenDatabase, 'state'>) =>
  until(async () => {
    const found = await state();
    return found === 'away' ? undefined : found;
  });

const outcomeOf = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now();
  const error: unknown = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, ms: performance.now() - startedAt };
};

const databaseState = (pool: OpenDatabase['pool'], listMigrations = knownMigrations) =>
  createDatabaseState({ pool, isHanging: () => false, onReadOnly: () => {}, listMigrations });

const used = () => open.pool.totalCount - open.pool.idleCount;

it('fails what is in flight, in a queue and in a transaction, and gives every connection back', async () => {
  let goOn = () => {};
  const frozen = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const inTransaction = (ready: () => void) =>
    open.db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1`;
      ready();
      await frozen;
      await tx.$queryRaw`SELECT 2`;
    });
  let begun = 0;
  const transactions = [1, 2].map(() => outcomeOf(() => inTransaction(() => begun++)));
  await until(() => begun === 2);
  proxy.freeze();
  goOn();
  const queries = Array.from({ length: POOL_SIZE * 3 }, () =>
    outcomeOf(() => open.pool.query('SELECT 1')),
  );
  for (const { error, ms } of await Promise.all([...transactions, ...queries])) {
    expect(isDatabaseAway(error), String(error)).toBe(true);
    expect(ms).toBeLessThan(BOUND_MS);
  }
  expect(changes).toEqual([true]);
  expect(await open.state()).toBe('away');

  const late = await outcomeOf(() => open.pool.query('SELECT 1'));
  expect(late.error).toBeInstanceOf(DatabaseHangsError);
  expect(late.ms).toBeLessThan(BOUND_MS);
  await until(() => open.pool.totalCount === 0);

  proxy.thaw();
  await until(() => changes.length === 2);
  expect(changes).toEqual([true, false]);
  await Promise.all(
    Array.from({ length: POOL_SIZE * 3 }, () =>
      open.db.$transaction((tx) => tx.$queryRaw`SELECT 1`),
    ),
  );
  await until(() => used() === 0);
  expect(await stateOf(open)).toBe('ready');
});

it('gives a connection back whose commit or rollback is never answered', async () => {
  const refusal = new Error('refused');
  let begun = 0;
  const [committing, rollingBack] = [undefined, refusal].map((thrown) =>
    outcomeOf(() =>
      open.db.$transaction(async (tx) => {
        await tx.$queryRaw`SELECT 1`;
        begun++;
        await until(() => begun === 2);
        proxy.freeze();
        if (thrown) throw thrown;
      }),
    ),
  );
  expect(isDatabaseAway((await committing)?.error)).toBe(true);
  await rollingBack;
  proxy.thaw();
  await until(() => changes.length === 2);
  await until(() => used() === 0);
});

it('takes a long statement and a wait for a lock for no outage', async () => {
  // Much longer than a running Postgres leaves a new connection unanswered, also on a busy machine.
  const silenceMaxMs = scaled(5000);
  const busy = openWith(silenceMaxMs);
  try {
    const holder = await busy.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(7)');
    const waiting = outcomeOf(() => busy.db.$queryRaw`SELECT pg_advisory_xact_lock(7)::text`);
    const long = await outcomeOf(() =>
      busy.pool.query(`SELECT pg_sleep(${(silenceMaxMs * 1.6) / 1000})`),
    );
    expect(long.error).toBeUndefined();
    await holder.query('ROLLBACK');
    holder.release();
    expect((await waiting).error).toBeUndefined();
    expect(changes).toEqual([]);
  } finally {
    await busy.close();
  }
});

it('takes a slow handshake for no outage', async () => {
  // As in a process that gets little of a busy machine: each of the handshake's three answers comes late.
  // The silence is longer than the product's, since this machine may be busy too. The delays are not scaled: a
  // connection is given up after 15 s.
  const slow = openWith(scaled(4000));
  proxy.slow(1200);
  try {
    const outcomes = await Promise.all(
      Array.from({ length: POOL_SIZE }, () => outcomeOf(() => slow.pool.query('SELECT 1'))),
    );
    expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => undefined));
    expect(changes).toEqual([]);
  } finally {
    proxy.slow(0);
    await slow.close();
  }
});

it('waits longer where the settings say so', async () => {
  const slowDatabase = openWith(60_000);
  try {
    await slowDatabase.pool.query('SELECT 1');
    proxy.freeze();
    const waiting = outcomeOf(() => slowDatabase.pool.query('SELECT 1'));
    // Longer than the default silence.
    await sleep(3000);
    proxy.thaw();
    expect((await waiting).error).toBeUndefined();
    expect(changes).toEqual([]);
  } finally {
    await slowDatabase.close();
  }
});

it('sends nothing from a process without queries', async () => {
  await open.pool.query('SELECT 1');
  proxy.freeze();
  // Longer than the default silence.
  await sleep(3000);
  proxy.thaw();
  await open.pool.query('SELECT 1');
  expect(changes).toEqual([]);
});

it('gives a connection back that is lost within a transaction', async () => {
  const lost = await outcomeOf(() =>
    open.db.$transaction(async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx.$queryRaw<{ pid: number }[]>`
        SELECT pg_backend_pid() AS pid`;
      await open.pool.query('SELECT pg_terminate_backend($1)', [pid]);
      await tx.$queryRaw`SELECT 1`;
    }),
  );
  expect(isDatabaseAway(lost.error)).toBe(true);
  await until(() => used() === 0);
});

it('recognizes a database without all migrations and functions of this build', async () => {
  const names = knownMigrations().map((name) => `'${name}'`);
  const bare = await createTestDatabase();
  const other = openTestDatabase(bare.url, 2);
  expect(await stateOf(other)).toBe('ready');
  // A later build, which needs one migration more, does not serve it before it has that one too.
  const { read: stateForLater } = databaseState(other.pool, () => [
    ...knownMigrations(),
    LATER_MIGRATION,
  ]);
  await until(async () => (await stateForLater()) === 'not migrated');
  await other.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('later', '', '${LATER_MIGRATION}', now())`,
  );
  await until(async () => (await stateForLater()) === 'ready');
  expect(await other.state()).toBe('ready');
  await other.pool.query('DELETE FROM _prisma_migrations');
  await until(async () => (await other.state()) === 'not migrated');
  const states: string[] = [];
  for (const sql of [
    // Of a newer build, which has this one's as well.
    `DELETE FROM _prisma_migrations;
     INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       SELECT name, '', name, now() FROM unnest(ARRAY[${names}, '${LATER_MIGRATION}']) AS name`,
    'DELETE FROM sql_sources',
    'DROP TABLE sql_sources',
    'DROP TABLE _prisma_migrations',
  ]) {
    await other.pool.query(sql);
    // A new one each time, since one keeps its answer for a while.
    states.push(await stateOf({ state: databaseState(other.pool).read }));
  }
  expect(states).toEqual(['ready', 'not migrated', 'not migrated', 'not migrated']);
  await other.close();

  const wrong = new URL(bare.url);
  wrong.password = 'wrong';
  const refused = openTestDatabase(wrong.toString(), 2);
  expect(['refused', 'ready']).toContain(await stateOf(refused));
  await refused.close();
  wrong.pathname = '/nowhere';
  wrong.password = new URL(bare.url).password;
  const nowhere = openTestDatabase(wrong.toString(), 2);
  expect(await stateOf(nowhere)).toBe('refused');
  await nowhere.close();
  await bare.drop();
});

describe('a server that only reads', () => {
  const READ_ONLY_OPTION = 'options=-c%20default_transaction_read_only%3Don';
  const NAME = { name: 'changed' };

  it('counts as away whoever writes, and keeps no connection to it', async () => {
    const other = openTestDatabase(`${database.url}?${READ_ONLY_OPTION}`, POOL_SIZE);
    const { db, pool } = other;
    const id = '00000000-0000-4000-8000-000000000001';
    for (const write of [
      () => pool.query('DELETE FROM users'),
      () => pool.query({ name: 'named', text: 'DELETE FROM users WHERE id = $1', values: [id] }),
      () => db.$executeRaw`DELETE FROM users`,
      () => db.$queryRaw`DELETE FROM users RETURNING id`,
      () => db.user.deleteMany({ where: { id } }),
      () => db.user.update({ where: { id }, data: NAME }),
      () =>
        db.$transaction(async (tx) => {
          await tx.user.count();
          await tx.follower.create({ data: { name: 'new', seq: 0 } });
        }),
      () => db.$transaction([db.follower.create({ data: { name: 'new', seq: 0 } })]),
    ]) {
      const { error } = await outcomeOf(write);
      expect(isDatabaseAway(error), `${write}: ${error}`).toBe(true);
      await until(() => pool.totalCount === 0);
    }
    // It reads.
    expect(await db.user.count()).toBe(0);
    expect([await other.state(), other.reason()]).toEqual(['no writes', 'it is read-only']);
    await other.close();
  });

  it('is left by every connection that somebody else has at the time, after what runs on it', async () => {
    const other = openTestDatabase(`${database.url}?${READ_ONLY_OPTION}`, POOL_SIZE);
    const { pool } = other;
    const mine = await pool.connect();
    const [first] = (await mine.query('SELECT pg_backend_pid() AS pid')).rows;
    await outcomeOf(() => pool.query('DELETE FROM users'));
    const [second] = (await mine.query('SELECT pg_backend_pid() AS pid')).rows;
    expect(second).toEqual(first);
    mine.release();
    await until(() => pool.totalCount === 0);
    const [third] = (await pool.query('SELECT pg_backend_pid() AS pid')).rows;
    expect(third).not.toEqual(first);
    await other.close();
  });

  it('cuts off a session beside the pool, whose locks hold for nobody', async () => {
    const other = openTestDatabase(`${database.url}?${READ_ONLY_OPTION}`, POOL_SIZE);
    const client = other.newClient();
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.connect();
    await outcomeOf(() => other.pool.query('DELETE FROM users'));
    await ended;
    await other.close();
  });
});
