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
  printFigure,
  sized,
  startLoad,
  whenServed,
} from './helpers.ts';

const CLIENTS = 100;
const EVENTS = sized(300, 1000);

let stack: Stack;
let database: pg.Pool;
let farmer: TestUser;
let category: string;
let followers: Follower[] = [];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openDatabase(stack.databaseUrl);
  [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  await createProducts(stack.databaseUrl, [farmer], 1);
  const { rows } = await database.query<{ id: string }>('SELECT id FROM categories LIMIT 1');
  category = rows[0]?.id ?? '';
});
afterAll(async () => {
  for (const follower of followers) follower.close();
  await database?.end();
  await stack?.close();
});

it('loses no event when clients move from a killed gateway to the other one', async () => {
  const urls = stack.servers.map(({ url }) => url) as [string, string];
  const people = await createUsers(stack.databaseUrl, 'consumer', CLIENTS);
  // Half of the clients start at each server, with the other one as the second address.
  followers = people.map(({ token }, index) => follow(index % 2 ? urls : urls.toReversed(), token));
  await until('all to follow', () => followers.every(({ syncedAt }) => syncedAt > 0));

  const created: string[] = [];
  const create = async () => {
    const key = randomUUID();
    const { status, body } = await whenServed(() =>
      callApi(urls[0], 'POST', '/products', {
        token: farmer.token,
        key,
        body: {
          name: 'Carrots',
          description: 'Sweet.',
          category,
          price: 2.5,
          unit: 'bunch',
          quantityAvailable: 10,
        },
      }),
    );
    expect(status).toBe(201);
    created.push(body.data._id);
  };
  const writing = startLoad(4, 15, async () => {
    if (created.length < EVENTS) await create();
  });
  await until('half of the products to be created', () => created.length >= EVENTS / 2);
  const moved = followers.filter(({ url }) => url === urls[1]);
  expect(moved.length).toBeGreaterThan(0);
  const killedAt = Date.now();
  await stack.servers[1]?.end('SIGKILL');
  await until('all to be reconnected', () => moved.every(({ syncedAt }) => syncedAt > killedAt));
  const backAfter = Math.max(...moved.map(({ syncedAt }) => syncedAt)) - killedAt;
  await until('all products to be created', () => created.length >= EVENTS);
  await writing.stop();
  // Whatever came twice has come again when everybody has one more event, made after all others had arrived.
  const everybodyHas = (count: number) =>
    followers.every(({ ids }) => ids('product.created').length >= count);
  await until('all to have received everything', () => everybodyHas(created.length));
  await create();
  await until('all to have received the last', () => everybodyHas(created.length));

  const { rows } = await database.query<{ id: string }>(
    `SELECT data->>'_id' AS id FROM event_log WHERE name = 'product.created' ORDER BY seq`,
  );
  const logged = rows.map(({ id }) => id);
  expect([...logged].sort()).toEqual([...created].sort());
  for (const { ids, duplicates, resyncs } of followers) {
    expect(ids('product.created')).toEqual(logged);
    expect([duplicates, resyncs]).toEqual([0, 0]);
  }
  expect(moved.every(({ disconnects }) => disconnects.length >= 1)).toBe(true);
  printFigure(
    'one of two gateways killed',
    `${CLIENTS} clients, ${logged.length} events: none lost, none out of order, none twice; the ${moved.length} of the killed one were up to date at the other after ${formatSeconds(backAfter)}`,
  );
  expect(backAfter).toBeLessThan(maxMs(10_000));
});
