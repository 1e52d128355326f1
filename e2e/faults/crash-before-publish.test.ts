import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import { ask, bound, figure, openBackDoor, order, seconds, sized } from './ground.ts';

const KILLS = sized(5, 50);

let stack: Stack;
let database: pg.Pool;
let product: { id: string; farmer: string };
let consumer: Someone;
const followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0 });
  database = openBackDoor(stack.databaseUrl);
  const [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  [consumer] = (await makePeople(stack.databaseUrl, 'consumer', 1)) as [Someone];
  [product] = (await makeProducts(stack.databaseUrl, [farmer], 1)) as [typeof product];
  followers.push(follow([stack.url], farmer.token), follow([stack.url], consumer.token));
  await until('both to follow', () => followers.every(({ syncedAt }) => syncedAt > 0));
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

/** Keeps every event from getting its number until the promise it gives is called. */
async function holdNumbering(): Promise<() => Promise<void>> {
  const client = await database.connect();
  await client.query('BEGIN');
  await client.query('SELECT seq FROM event_log_head FOR UPDATE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** Postgres finishes what a killed server had asked for, unless that is ended too. */
const endWaiting = () =>
  database.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'sequence_events'`,
  );

it(
  'a server killed between commit and publication loses no event and doubles none',
  async () => {
    const orders: string[] = [];
    const delays: number[] = [];
    let server = stack.servers[0];
    const port = Number(new URL(stack.url).port);
    for (let kill = 0; kill < KILLS; kill++) {
      const release = await holdNumbering();
      const key = randomUUID();
      const answered = order(stack.url, { token: consumer.token, product, key });
      const id = await until('the order to be committed', async () => {
        const { rows } = await database.query<{ id: string }>(
          `SELECT order_id AS id FROM idempotency_keys
           WHERE key = $1 AND EXISTS (SELECT FROM event_outbox)`,
          [key],
        );
        return rows[0]?.id;
      });
      await server?.end('SIGKILL');
      expect((await answered).status).toBe(0);
      // In turn: the event has no number yet, or it gets one that nobody is told of.
      if (kill % 2 === 0) await endWaiting();
      await release();

      server = await stack.startServer(port);
      const readyAt = Date.now();
      const came = await until(
        'both to hear of the order',
        () => {
          const times = followers.map(({ cameAt }) => cameAt('order.created', id));
          return times.every((time) => time !== undefined) ? (times as number[]) : undefined;
        },
        30_000,
      );
      orders.push(id);
      delays.push(Math.max(0, Math.max(...came) - readyAt));

      // The buyer, who never got an answer, asks again and has ordered once.
      const again = await order(stack.url, { token: consumer.token, product, key });
      expect([again.status, again.body.data._id]).toEqual([201, id]);
    }

    const { body } = await ask(stack.url, 'GET', '/orders/consumer', { token: consumer.token });
    expect(body.data.map(({ _id }: { _id: string }) => _id).reverse()).toEqual(orders);
    for (const { ids, repeats, restarts } of followers) {
      expect(ids('order.created')).toEqual(orders);
      expect([repeats, restarts]).toEqual([0, 0]);
    }
    const slowest = Math.max(...delays);
    figure(
      'server killed between commit and publication',
      `${KILLS} kills, ${orders.length} of ${KILLS} events arrived once and in order at both parties, the slowest ${seconds(slowest)} after a server was up; no order doubled by asking again`,
    );
    expect(slowest).toBeLessThan(bound(5000));
  },
  60_000 + KILLS * 15_000,
);
