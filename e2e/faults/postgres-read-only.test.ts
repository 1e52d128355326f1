import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFreezableProxy } from '../../prisma/testing/freezable-proxy.ts';
import { until } from '../../testing/until.ts';
import { createUsers } from '../fill.ts';
import { formatSeconds, maxMs, printFigure } from './helpers.ts';
import { type Load, type Market, openMarket } from './market.ts';
import { type OwnPostgres, startOwnPostgres, startStandby } from './own-postgres.ts';

// A server that reads and takes no writes: told so, or left behind by a failover to another behind the same address.

let primary: OwnPostgres;
let standby: OwnPostgres;
let address: Awaited<ReturnType<typeof startFreezableProxy>>;
let market: Market;
let adminId: string;

beforeAll(async () => {
  primary = await startOwnPostgres();
  standby = await startStandby(primary);
  address = await startFreezableProxy(primary.url);
  market = await openMarket({ databaseUrl: address.url });
  const [admin] = await createUsers(market.stack.databaseUrl, 'admin', 1);
  adminId = admin?.id ?? '';
});
afterAll(async () => {
  await market?.close();
  await address?.close();
  await standby?.remove();
  await primary?.remove();
});

/** Asks one server, past the address. */
async function ask<Row extends pg.QueryResultRow>(
  { url }: OwnPostgres,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await ask(
    primary,
    `ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
  await ask(primary, 'SELECT pg_reload_conf()');
}

const readiness = (url: string) =>
  fetch(`${url}/readyz`).then(async (answer) => ({
    status: answer.status,
    body: (await answer.json()) as Record<string, unknown>,
  }));

/** Waits until every server says that it is not ready, and why. @returns how long the slowest answer took */
async function untilUnready(): Promise<number> {
  let slowest = 0;
  await until('both servers to say that they cannot write', async () => {
    const answers = await Promise.all(
      market.urls.map(async (url) => {
        const since = performance.now();
        const answer = await readiness(url);
        slowest = Math.max(slowest, performance.now() - since);
        return answer;
      }),
    );
    return answers.every(({ status, body }) => status === 503 && body.postgres === 'no writes');
  });
  for (const url of market.urls) {
    expect((await readiness(url)).body).toMatchObject({ reason: 'it is read-only' });
  }
  return slowest;
}

const refusalsOf = (load: Load) =>
  [...load.orders, ...load.messages].filter(({ status }) => status === 503).length;
const acceptedOf = (load: Load) => market.acceptedIds(load.orders).length;

/** Returns what admins were notified of. */
const outages = (of: OwnPostgres) =>
  ask<{ params: { store: string; reason: string } }>(
    of,
    `SELECT params FROM notifications WHERE user_id = $1 AND kind = 'store.outage'`,
    [adminId],
  );

it('answers 503 to what writes while Postgres is read-only, and finds the new primary', async () => {
  const load = market.load();
  await until('orders to be accepted', () => acceptedOf(load) > 20);

  await setReadOnly(true);
  await until('writes to be refused', () => refusalsOf(load) > 10);
  const slowest = await untilUnready();
  await setReadOnly(false);
  await market.untilRecovered();
  await until('admins to be notified', async () => (await outages(primary)).length === 1);

  // The old primary stays, and every connection to it: it only writes no more.
  const refusedBefore = refusalsOf(load);
  await setReadOnly(true);
  await until('writes to be refused', () => refusalsOf(load) > refusedBefore + 10);
  await untilUnready();
  await until('the standby to have everything', async () => {
    const [sent] = await ask<{ at: string }>(primary, 'SELECT pg_current_wal_lsn() AS at');
    const [replayed] = await ask<{ isDone: boolean }>(
      standby,
      'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isDone"',
      [sent?.at],
    );
    return replayed?.isDone;
  });
  await ask(standby, 'SELECT pg_promote()');
  address.pointTo(standby.url);
  const recovered = await market.untilRecovered();
  const acceptedBefore = acceptedOf(load);
  await until('orders to be accepted again', () => acceptedOf(load) > acceptedBefore + 20);
  await load.stop();

  const answers = [...load.reads, ...load.orders, ...load.messages];
  const others = answers.filter(({ status }) => ![200, 201, 503].includes(status));
  expect(others.map(({ status, error, body }) => ({ status, error, body }))).toEqual([]);
  for (const { status, retryAfter } of answers) {
    if (status === 503) expect(retryAfter).toBeGreaterThan(0);
  }
  const accepted = market.acceptedIds(load.orders);
  const stored = await ask(standby, 'SELECT FROM orders WHERE id = ANY ($1)', [accepted]);
  expect(stored.length).toBe(accepted.length);
  await market.untilAllReceived('order.created', accepted);
  await market.untilAllReceived('message.created', market.acceptedIds(load.messages));
  for (const { duplicates, resyncs } of market.followers) {
    expect([duplicates, resyncs]).toEqual([0, 0]);
  }
  expect(market.exitedPrograms()).toEqual([]);

  // Once for each outage, though three processes saw it.
  await until('admins to be notified again', async () => (await outages(standby)).length === 2);
  const [first] = await outages(standby);
  expect(first?.params.store).toBe('postgres');
  expect(first?.params.reason).toContain('it is read-only');
  printFigure(
    'Postgres became read-only under load, then a standby was promoted behind the same address',
    `${accepted.length} orders accepted, all stored; meanwhile ${refusalsOf(load)} × 503, 0 × 500; readiness said why within ${formatSeconds(slowest)}; orders accepted again at both servers ${formatSeconds(recovered)} after the promotion`,
  );
  expect(slowest).toBeLessThan(maxMs(2000));
  expect(recovered).toBeLessThan(maxMs(5000));
});
