import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until, WAIT_MS } from '../../testing/until.ts';
import { freePort } from '../stack.ts';
import { callApi, formatSeconds, maxMs, order, printFigure, sized } from './helpers.ts';
import { type Market, openMarket } from './market.ts';
import { startOwnPostgres } from './own-postgres.ts';

const FROZEN_MS = sized(4000, 30_000);
/** Longer than Postgres may be unresponsive before requests fail. */
const LOCKED_MS = 5000;
const STOCK = 1_000_000;

let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
let market: Market;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  market = await openMarket({
    databaseUrl: postgres.url,
    env: { UNREAD_EMAIL_AFTER_SECONDS: '0' },
  });
});
// A test that fails halfway leaves the next one a Postgres that answers.
afterEach(() => postgres.thaw());
afterAll(async () => {
  await market?.close();
  await postgres?.remove();
});

const readiness = async (url: string) => {
  const askedAt = Date.now();
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(WAIT_MS) });
  return { status: answer.status, body: await answer.json(), ms: Date.now() - askedAt };
};

const first = <T>(list: readonly T[]): T => {
  const [item] = list;
  if (item === undefined) throw new Error('The market is empty.');
  return item;
};

it('answers 503 within 2 s while Postgres is frozen, and a repeated order is placed once', async () => {
  const url = first(market.urls);
  const product = first(market.products);
  const load = market.load();
  await until('the load to be under way', () => market.acceptedIds(load.orders).length >= 30);
  postgres.freeze();
  const frozenAt = Date.now();
  const attempts = market.consumers.map(({ token }) => ({ token, product, key: randomUUID() }));
  const answers = await Promise.all(attempts.map((attempt) => order(url, attempt)));
  // A server that stood still meanwhile, as on a busy machine, notices it later.
  const states = await until(
    'both servers to notice',
    async () => {
      const now = await Promise.all(market.urls.map(readiness));
      return now.every(({ status }) => status === 503) ? now : undefined;
    },
    maxMs(2000),
  );
  // Postgres is known to be unavailable now, so later requests fail at once.
  const { token } = first(market.consumers);
  const late = [
    await callApi(url, 'GET', '/orders/consumer?limit=3', { token }),
    // No read of the load, which a server may have kept.
    await callApi(url, 'GET', '/products?limit=33'),
    await order(url, { token, product }),
  ];
  for (const answer of [...answers, ...late]) {
    expect([answer.status, answer.body.code], answer.error).toEqual([503, 'UNAVAILABLE']);
    expect(answer.retryAfter).toBeGreaterThan(0);
  }
  for (const { status, body, ms } of states) {
    expect([status, body.postgres]).toEqual([503, 'away']);
    expect(ms).toBeLessThan(maxMs(2000));
  }
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  const lateSlowest = Math.max(...late.map(({ ms }) => ms));
  // So long Postgres is frozen in all.
  await sleep(Math.max(0, FROZEN_MS - (Date.now() - frozenAt)));
  postgres.thaw();
  const thawedAt = Date.now();
  await until('both servers to be ready', async () =>
    (await Promise.all(market.urls.map(readiness))).every((s) => s.status === 200),
  );
  const readyAfter = Date.now() - thawedAt;
  const placed = await Promise.all(
    attempts.map((attempt) =>
      until('the order to be placed', async () => {
        const answer = await order(url, attempt);
        return answer.status === 201 ? (answer.body.data._id as string) : undefined;
      }),
    ),
  );
  await load.stop();
  expect(new Set(placed).size).toBe(attempts.length);
  const { rows } = await market.database.query<{ orders: number; sold: number; taken: number }>(
    `SELECT (SELECT count(*)::int FROM commands WHERE key = ANY($1)) AS orders,
            (SELECT sum(quantity_milli / 1000)::int FROM order_lines) AS sold,
            (SELECT sum($2 - stock_milli / 1000)::int FROM products) AS taken`,
    [attempts.map(({ key }) => key), STOCK],
  );
  expect(rows[0]?.orders).toBe(attempts.length);
  expect(rows[0]?.taken).toBe(rows[0]?.sold);

  const every = [...load.reads, ...load.orders, ...load.messages];
  const unexpected = every.filter(({ status }) => ![200, 201, 503].includes(status));
  const logged = market.stack.servers.flatMap(({ output }) =>
    output()
      .split('\n')
      .filter((line) => line.includes('"status":500')),
  );
  expect(
    unexpected.map(({ status, error }) => error ?? status),
    logged.join('\n'),
  ).toEqual([]);
  const longest = Math.max(...every.map(({ ms }) => ms));
  printFigure(
    `Postgres frozen for ${formatSeconds(FROZEN_MS)}`,
    `orders in flight answered with 503 after ${formatSeconds(slowest)} at most, later ones after ${formatSeconds(lateSlowest)}; the longest of ${every.length} other requests took ${formatSeconds(longest)}; ready ${formatSeconds(readyAfter)} after the thaw; ${attempts.length} orders repeated under their keys, each placed once`,
  );
  expect(slowest).toBeLessThan(maxMs(2500));
  expect(lateSlowest).toBeLessThan(maxMs(1000));
  expect(longest).toBeLessThan(maxMs(4000));
  // A worker's transaction is idle between two statements, but none stays so.
  await until('no transaction to be left open', async () => {
    const { rows: open } = await market.database.query<{ connections: number }>(
      `SELECT count(*)::int AS connections FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'`,
    );
    return open[0]?.connections === 0;
  });
  expect((await market.untilAllDelivered()).failed ?? 0).toBe(0);
  expect(market.exitedPrograms()).toEqual([]);
});

it('lets orders wait for a lock longer than Postgres may be unresponsive', async () => {
  const url = first(market.urls);
  const product = first(market.products);
  const lockHolder = await market.database.connect();
  await lockHolder.query('BEGIN');
  await lockHolder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [product.id]);
  const waiting = market.consumers.map(({ token }) => order(url, { token, product }));
  // Longer than an unresponsive Postgres is waited for.
  await sleep(LOCKED_MS);
  expect((await readiness(url)).body).toMatchObject({ status: 'ready', postgres: 'ready' });
  await lockHolder.query('ROLLBACK');
  lockHolder.release();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(201);
});

it('waits for a frozen Postgres while not ready, and still shuts down cleanly', async () => {
  const port = await freePort();
  const waitingUrl = `http://127.0.0.1:${port}`;
  postgres.freeze();
  const starting = market.stack.startServer(port);
  const worker = market.stack.startWorkers();
  // On a busy machine Redis may take its time too.
  const state = await until('the server to listen, connected to Redis', async () => {
    const now = await readiness(waitingUrl).catch(() => undefined);
    return now?.body.redis === 'ready' ? now : undefined;
  });
  expect([state.status, state.body]).toEqual([
    503,
    { status: 'not ready', postgres: 'away', redis: 'ready' },
  ]);
  const refused = await callApi(waitingUrl, 'GET', '/products');
  expect([refused.status, refused.retryAfter]).toEqual([503, 2]);
  await until('the worker to log what it waits for', () =>
    worker.output().includes('Waiting for Postgres'),
  );

  const [leaving] = market.stack.servers;
  const signalledAt = Date.now();
  expect(await leaving?.end('SIGTERM')).toBe(0);
  const endedAfter = Date.now() - signalledAt;
  expect(endedAfter).toBeLessThan(maxMs(6000));
  // A worker that has only waited exits as well.
  expect(await worker.end('SIGTERM')).toBe(0);

  postgres.thaw();
  const server = await starting;
  const { token } = first(market.consumers);
  const placed = await until('an order to be accepted', async () => {
    const answer = await order(server.url, { token, product: first(market.products) });
    return answer.status === 201 ? answer : undefined;
  });
  expect(placed.status).toBe(201);
  printFigure(
    'Started and stopped beside a frozen Postgres',
    `a server exited with 0, after ${formatSeconds(endedAfter)}; one that started meanwhile reported that it was not ready, and accepted orders after the thaw`,
  );
});
