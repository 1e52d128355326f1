import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import { type Answer, figure, keepBusy, openBackDoor, order, seconds, sized } from './ground.ts';

const CLIENTS = sized(20, 100);
const HELD_MS = sized(1500, 5000);

let stack: Stack;
let database: pg.Pool;
let farmer: Someone;
let followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openBackDoor(stack.databaseUrl);
  [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

it('a server told to stop under load finishes its answers and sends everybody elsewhere', async () => {
  const [staying, leaving] = stack.servers.map(({ url }) => url) as [string, string];
  const [popular, held] = (await makeProducts(stack.databaseUrl, [farmer], 2)) as [
    { id: string; farmer: string },
    { id: string; farmer: string },
  ];
  const buyers = await makePeople(stack.databaseUrl, 'consumer', CLIENTS);
  followers = [farmer, ...buyers].map(({ token }) => follow([leaving, staying], token));
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0), 60_000);

  // A steady load at the server that will leave; who finds it gone goes to the other one.
  const answers: Answer[] = [];
  const accepted = new Set<string>();
  const load = keepBusy(8, 5, async (hand) => {
    const buying = { token: buyers[hand]?.token ?? '', product: popular, key: randomUUID() };
    let answer = await order(leaving, buying);
    answers.push(answer);
    if (answer.status === 0) answer = await order(staying, buying);
    expect(answer.status).toBe(201);
    accepted.add(answer.body.data._id);
  });
  await sleep(1500);

  // Ten orders that are in the middle of their transaction when the signal comes.
  const shelf = await database.connect();
  await shelf.query('BEGIN');
  await shelf.query('SELECT 1 FROM products WHERE id = $1 FOR UPDATE', [held.id]);
  const inFlight = buyers.slice(0, 10).map(({ token }) => order(leaving, { token, product: held }));
  await until('all ten to wait for the shelf', async () => {
    const { rows } = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database()
       AND wait_event_type = 'Lock' AND query ~ 'place_order'`,
    );
    return rows.length === 10;
  });

  // And a line that a browser opened on suspicion, on which nothing was ever asked.
  const { hostname, port } = new URL(leaving);
  const silent = connect(Number(port), hostname).on('error', () => {});
  await once(silent, 'connect');

  const moved = followers.filter(({ url }) => url === leaving);
  expect(moved.length).toBeGreaterThan(0);
  const toldAt = Date.now();
  const ended = stack.servers[1]
    ?.end('SIGTERM')
    .then((code) => ({ code, ms: Date.now() - toldAt }));
  await sleep(HELD_MS);
  await shelf.query('ROLLBACK');
  shelf.release();
  for (const answer of await Promise.all(inFlight)) {
    expect(answer.status, answer.error).toBe(201);
    accepted.add(answer.body.data._id);
  }
  const { code, ms } = (await ended) ?? { code: null, ms: 0 };
  await sleep(1000);
  await load.stop();

  expect(code).toBe(0);
  expect(ms).toBeLessThan(HELD_MS + 10_000);
  // Whatever was asked before the signal was answered; what came after it found no one there.
  const before = answers.filter(({ askedAt }) => askedAt < toldAt);
  expect(before.filter(({ status }) => status !== 201)).toEqual([]);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM orders');
  expect(rows.map(({ id }) => id).sort()).toEqual([...accepted].sort());

  await until(
    'everybody to be at the other server',
    () => moved.every(({ syncedAt }) => syncedAt > toldAt),
    30_000,
  );
  const backAfter = Math.max(...moved.map(({ syncedAt }) => syncedAt)) - toldAt;
  const [watching] = followers as [Follower];
  await until(
    'the farmer to have heard of every order',
    () => watching.ids('order.created').length >= accepted.size,
    30_000,
  );
  expect(watching.ids('order.created').sort()).toEqual([...accepted].sort());
  for (const { breaks, repeats, restarts } of moved) {
    // The reason on which clients come back by themselves.
    expect([...new Set(breaks)]).toEqual(['transport close']);
    expect([repeats, restarts]).toEqual([0, 0]);
  }
  figure(
    'SIGTERM under load',
    `ended with 0 after ${seconds(ms)} (10 orders held for ${seconds(HELD_MS)} of it, all answered); ${accepted.size} orders accepted around it, none lost or doubled; ${moved.length} sockets back at the other server after ${seconds(backAfter)}`,
  );
}, 180_000);
