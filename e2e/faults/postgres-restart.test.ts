import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { formatSeconds, maxMs, printFigure, sized } from './helpers.ts';
import { type Market, openMarket } from './market.ts';
import { startOwnPostgres } from './own-postgres.ts';

const RESTARTS = sized(
  ['fast', 'immediate'] as const,
  ['fast', 'immediate', 'fast', 'immediate', 'fast', 'immediate'] as const,
);
/** How long Postgres is away each time, and how long the load runs in between. */
const AWAY_MS = sized(1000, 5000);
const BETWEEN_MS = sized(1500, 5000);
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
afterAll(async () => {
  await market?.close();
  await postgres?.remove();
});

it('keeps what was accepted, whole, when Postgres restarts under load', async () => {
  const load = market.load();
  const backAfter: number[] = [];
  for (const how of RESTARTS) {
    await sleep(BETWEEN_MS);
    await postgres.stop(how);
    await sleep(AWAY_MS);
    await until(
      'the server to notice',
      async () => (await fetch(`${market.urls[0]}/readyz`)).status === 503,
    );
    await postgres.start();
    backAfter.push(await market.untilRecovered());
  }
  await sleep(BETWEEN_MS);
  await load.stop();

  const answers = [...load.reads, ...load.orders, ...load.messages];
  const statuses = new Map<number, number>();
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const others = answers.filter(({ status }) => ![200, 201, 503].includes(status));
  expect(others.map(({ status, error, body }) => ({ status, error, body }))).toEqual([]);
  for (const { status, retryAfter } of answers) {
    if (status === 503) expect(retryAfter).toBeGreaterThan(0);
  }

  const { database } = market;
  const orders = market.acceptedIds(load.orders);
  const messages = market.acceptedIds(load.messages);
  const countStored = async (table: 'orders' | 'messages', ids: string[]) =>
    (await database.query(`SELECT FROM ${table} WHERE id = ANY ($1)`, [ids])).rowCount;
  expect(await countStored('orders', orders)).toBe(orders.length);
  expect(await countStored('messages', messages)).toBe(messages.length);
  await market.untilAllReceived('order.created', orders);
  await market.untilAllReceived('message.created', messages);

  // Each order is complete: line, timeline, idempotency key, event and stock.
  const { rows } = await database.query<Record<string, number>>(
    `SELECT count(*)::int AS orders,
       count(*) FILTER (WHERE NOT EXISTS (SELECT FROM order_lines WHERE order_id = o.id))::int AS "withoutLines",
       count(*) FILTER (WHERE NOT EXISTS (SELECT FROM order_timeline WHERE order_id = o.id))::int AS "withoutTimeline",
       count(*) FILTER (WHERE NOT EXISTS (
         SELECT FROM commands WHERE body #>> '{data,_id}' = o.id::text))::int AS "withoutKey",
       count(*) FILTER (WHERE 1 <> (SELECT count(*) FROM event_log
         WHERE name = 'order.created' AND data->>'_id' = o.id::text))::int AS "withoutEvent",
       (SELECT count(*)::int FROM event_log WHERE name = 'order.created') AS events,
       (SELECT count(*)::int FROM commands) AS keys,
       (SELECT sum(quantity_milli / 1000)::int FROM order_lines) AS sold,
       (SELECT sum($1 - stock_milli / 1000)::int FROM products) AS taken,
       (SELECT max(seq) - count(*) FROM event_log)::int AS gaps
     FROM orders o`,
    [STOCK],
  );
  const [sum] = rows;
  expect(sum).toMatchObject({
    withoutLines: 0,
    withoutTimeline: 0,
    withoutKey: 0,
    withoutEvent: 0,
    gaps: 0,
  });
  expect(sum).toMatchObject({ events: sum?.orders, keys: sum?.orders, taken: sum?.sold });
  const counts = await market.untilAllDelivered();
  expect(counts.failed ?? 0).toBe(0);
  expect(market.exitedPrograms()).toEqual([]);
  for (const { duplicates, resyncs } of market.followers)
    expect([duplicates, resyncs]).toEqual([0, 0]);

  const slowest = Math.max(...backAfter);
  printFigure(
    `Postgres restarted ${RESTARTS.length} times under load, every second time without a clean shutdown`,
    `${orders.length} orders and ${messages.length} messages answered with 201, all stored, no partial writes; meanwhile ${statuses.get(503) ?? 0} × 503 with Retry-After, 0 × 500; orders accepted again at both servers at most ${formatSeconds(slowest)} after Postgres was ready`,
  );
  expect(slowest).toBeLessThan(maxMs(10_000));
});
