import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import {
  callApi,
  formatSeconds,
  maxMs,
  openDatabase,
  order,
  printFigure,
  sized,
} from './helpers.ts';

const KILLS = sized(5, 50);

let stack: Stack;
let database: pg.Pool;
let product: { id: string; farmer: string };
let consumer: TestUser;
const followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0 });
  database = openDatabase(stack.databaseUrl);
  const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
  [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [typeof product];
  followers.push(follow([stack.url], farmer.token), follow([stack.url], consumer.token));
  await until('both to follow', () => followers.every(({ syncedAt }) => syncedAt > 0));
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

/** Blocks the numbering of events until the returned function is called. */
async function blockNumbering(): Promise<() => Promise<void>> {
  const client = await database.connect();
  await client.query('BEGIN');
  await client.query('SELECT seq FROM event_log_head FOR UPDATE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** Ends the killed server's waiting statement, which Postgres would finish otherwise. */
const terminateWaiting = () =>
  database.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'sequence_events'`,
  );

it('delivers each event once when a server is killed between commit and publication', async () => {
  const orders: string[] = [];
  const delays: number[] = [];
  let server = stack.servers[0];
  const port = Number(new URL(stack.url).port);
  for (let kill = 0; kill < KILLS; kill++) {
    const release = await blockNumbering();
    const key = randomUUID();
    const answered = order(stack.url, { token: consumer.token, product, key });
    const id = await until('the order to be committed', async () => {
      const { rows } = await database.query<{ id: string }>(
        `SELECT body #>> '{data,_id}' AS id FROM commands
           WHERE key = $1 AND EXISTS (SELECT FROM event_outbox)`,
        [key],
      );
      return rows[0]?.id;
    });
    await server?.end('SIGKILL');
    expect((await answered).status).toBe(0);
    // Alternates between an event without a number and a numbered event that was not published.
    if (kill % 2 === 0) await terminateWaiting();
    await release();

    server = await stack.startServer(port);
    const readyAt = Date.now();
    const came = await until('both to receive the order', () => {
      const times = followers.map(({ receivedAt }) => receivedAt('order.created', id));
      return times.every((time) => time !== undefined) ? (times as number[]) : undefined;
    });
    orders.push(id);
    delays.push(Math.max(0, Math.max(...came) - readyAt));

    // The consumer got no response, repeats the request and has placed one order.
    const again = await order(stack.url, { token: consumer.token, product, key });
    expect([again.status, again.body.data._id]).toEqual([201, id]);
  }

  const { body } = await callApi(stack.url, 'GET', '/orders/consumer', { token: consumer.token });
  expect(body.data.map(({ _id }: { _id: string }) => _id).reverse()).toEqual(orders);
  for (const { ids, duplicates, resyncs } of followers) {
    expect(ids('order.created')).toEqual(orders);
    expect([duplicates, resyncs]).toEqual([0, 0]);
  }
  const slowest = Math.max(...delays);
  printFigure(
    'server killed between commit and publication',
    `${KILLS} kills, ${orders.length} of ${KILLS} events arrived once and in order at both parties, the slowest ${formatSeconds(slowest)} after a server was up; a repeated request placed no second order`,
  );
  expect(slowest).toBeLessThan(maxMs(5000));
});
