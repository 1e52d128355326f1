import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import {
  type Answer,
  formatSeconds,
  maxMs,
  openDatabase,
  order,
  printFigure,
  sized,
  startLoad,
} from './helpers.ts';

const CLIENTS = sized(20, 100);
const HELD_MS = sized(1500, 5000);

let stack: Stack;
let database: pg.Pool;
let farmer: TestUser;
let followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openDatabase(stack.databaseUrl);
  [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

it('answers running requests and moves clients elsewhere on SIGTERM under load', async () => {
  const [staying, leaving] = stack.servers.map(({ url }) => url) as [string, string];
  const [popular, held] = (await createProducts(stack.databaseUrl, [farmer], 2)) as [
    { id: string; farmer: string },
    { id: string; farmer: string },
  ];
  const consumers = await createUsers(stack.databaseUrl, 'consumer', CLIENTS);
  followers = [farmer, ...consumers].map(({ token }) => follow([leaving, staying], token));
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0));

  // A steady load at the leaving server; clients that cannot connect use the other one.
  const answers: Answer[] = [];
  const accepted = new Set<string>();
  const load = startLoad(8, 5, async (client) => {
    const buying = { token: consumers[client]?.token ?? '', product: popular, key: randomUUID() };
    let answer = await order(leaving, buying);
    answers.push(answer);
    if (answer.status === 0) answer = await order(staying, buying);
    expect(answer.status).toBe(201);
    accepted.add(answer.body.data._id);
  });
  await until('the load to be under way', () => accepted.size >= 50);

  // Ten orders are inside their transaction when the signal arrives.
  const lockHolder = await database.connect();
  await lockHolder.query('BEGIN');
  await lockHolder.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [held.id]);
  const inFlight = consumers
    .slice(0, 10)
    .map(({ token }) => order(leaving, { token, product: held }));
  await until('all ten to wait for the lock', async () => {
    // The lock of this one row: the orders of the load wait for each other at times.
    const { rows } = await database.query(
      `SELECT FROM pg_locks l, products p
       WHERE p.id = $1 AND l.locktype = 'tuple' AND l.relation = 'products'::regclass
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND format('(%s,%s)', l.page, l.tuple) = p.ctid::text`,
      [held.id],
    );
    return rows.length === 10;
  });

  // A speculative connection of a browser, without any request.
  const { hostname, port } = new URL(leaving);
  const idle = connect(Number(port), hostname).on('error', () => {});
  await once(idle, 'connect');

  const moved = followers.filter(({ url }) => url === leaving);
  expect(moved.length).toBeGreaterThan(0);
  const signalledAt = Date.now();
  const ended = stack.servers[1]
    ?.end('SIGTERM')
    .then((code) => ({ code, ms: Date.now() - signalledAt }));
  // So long the requests are held while the server ends.
  await sleep(HELD_MS);
  await lockHolder.query('ROLLBACK');
  lockHolder.release();
  for (const answer of await Promise.all(inFlight)) {
    expect(answer.status, answer.error).toBe(201);
    accepted.add(answer.body.data._id);
  }
  const { code, ms } = (await ended) ?? { code: null, ms: 0 };
  const acceptedBefore = accepted.size;
  await until('orders at the other server', () => accepted.size >= acceptedBefore + 20);
  await load.stop();

  expect(code).toBe(0);
  expect(ms).toBeLessThan(HELD_MS + maxMs(10_000));
  // Every request before the signal was answered; later ones could not connect.
  const before = answers.filter(({ askedAt }) => askedAt < signalledAt);
  expect(before.filter(({ status }) => status !== 201)).toEqual([]);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM orders');
  expect(rows.map(({ id }) => id).sort()).toEqual([...accepted].sort());

  await until('all clients to be at the other server', () =>
    moved.every(({ syncedAt }) => syncedAt > signalledAt),
  );
  const backAfter = Math.max(...moved.map(({ syncedAt }) => syncedAt)) - signalledAt;
  const [farmerFollower] = followers as [Follower];
  await until(
    'the farmer to have received every order',
    () => farmerFollower.ids('order.created').length >= accepted.size,
  );
  expect(farmerFollower.ids('order.created').sort()).toEqual([...accepted].sort());
  for (const { disconnects, duplicates, resyncs } of moved) {
    // Socket.IO reconnects by itself on this reason.
    expect([...new Set(disconnects)]).toEqual(['transport close']);
    expect([duplicates, resyncs]).toEqual([0, 0]);
  }
  printFigure(
    'SIGTERM under load',
    `exited with 0 after ${formatSeconds(ms)} (10 orders held for ${formatSeconds(HELD_MS)} of it, all answered); ${accepted.size} orders accepted around it, none lost or duplicated; ${moved.length} sockets reconnected to the other server after ${formatSeconds(backAfter)}`,
  );
});
