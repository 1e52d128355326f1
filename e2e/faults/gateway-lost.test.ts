import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack, until } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import { ask, bound, figure, keepBusy, openBackDoor, seconds, sized } from './ground.ts';

const CLIENTS = 100;
const EVENTS = sized(300, 1000);

let stack: Stack;
let database: pg.Pool;
let farmer: Someone;
let category: string;
let followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openBackDoor(stack.databaseUrl);
  [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  await makeProducts(stack.databaseUrl, [farmer], 1);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM categories LIMIT 1');
  category = rows[0]?.id ?? '';
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

it('clients of a gateway that is killed miss nothing at the other one', async () => {
  const urls = stack.servers.map(({ url }) => url) as [string, string];
  const people = await makePeople(stack.databaseUrl, 'consumer', CLIENTS);
  // Half of them at either server, each with the other one to go to.
  followers = people.map(({ token }, index) => follow(index % 2 ? urls : urls.toReversed(), token));
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0), 60_000);

  const created: string[] = [];
  const writing = keepBusy(4, 15, async () => {
    if (created.length >= EVENTS) return;
    const { status, body } = await ask(urls[0], 'POST', '/products', {
      token: farmer.token,
      body: {
        name: 'Carrots',
        description: 'Sweet.',
        category,
        price: 2.5,
        unit: 'bunch',
        quantityAvailable: 10,
      },
    });
    expect(status).toBe(201);
    created.push(body.data._id);
  });
  await until('half of it to be written', () => created.length >= EVENTS / 2, 120_000);
  const moved = followers.filter(({ url }) => url === urls[1]);
  expect(moved.length).toBeGreaterThan(0);
  const killedAt = Date.now();
  await stack.servers[1]?.end('SIGKILL');
  await until('all to be back', () => moved.every(({ syncedAt }) => syncedAt > killedAt), 60_000);
  const backAfter = Math.max(...moved.map(({ syncedAt }) => syncedAt)) - killedAt;
  await until('all to be written', () => created.length >= EVENTS, 120_000);
  await writing.stop();

  const { rows } = await database.query<{ id: string }>(
    `SELECT data->>'_id' AS id FROM event_log WHERE name = 'product.created' ORDER BY seq`,
  );
  const logged = rows.map(({ id }) => id);
  expect([...logged].sort()).toEqual([...created].sort());
  await until(
    'all to have heard everything',
    () => followers.every(({ heard }) => heard.length >= logged.length),
    60_000,
  );
  // Whoever is told twice would be told in this moment.
  await sleep(500);
  for (const { ids, repeats, restarts } of followers) {
    expect(ids('product.created')).toEqual(logged);
    expect([repeats, restarts]).toEqual([0, 0]);
  }
  expect(moved.every(({ breaks }) => breaks.length >= 1)).toBe(true);
  figure(
    'one of two gateways killed',
    `${CLIENTS} clients, ${logged.length} events: none lost, none out of order, none twice; the ${moved.length} of the killed one were complete at the other after ${seconds(backAfter)}`,
  );
  expect(backAfter).toBeLessThan(bound(10_000));
}, 300_000);
