import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShortageResult } from '#contract/ordering/changes/order-changes';
import { scaled, until } from '../../testing/until.ts';
import { createOrders, createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Follower, follow } from './follower.ts';
import {
  type Answer,
  callApi,
  formatSeconds,
  openDatabase,
  printFigure,
  sized,
} from './helpers.ts';

const ORDERS = sized(300, 2000);
/** After so many orders are asked about the server dies, each time it goes on. */
const KILLS_AFTER = sized([6, 150], [1, 100, 700, 1500, 1999]);
/** What each order has, and all of them get together, of a product in whole units. */
const ORDERED_EACH = 2;
const AVAILABLE = ORDERS + 1;

let stack: Stack;
let database: pg.Pool;
let farmer: TestUser;
let consumer: TestUser;
let product: { id: string; farmer: string };
let ids: string[];
let follower: Follower;

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0 });
  database = openDatabase(stack.databaseUrl);
  [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
  [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [typeof product];
  ids = await createOrders(stack.databaseUrl, consumer, product, ORDERS);
  follower = follow([stack.url], consumer.token);
  await until('the customer to follow', () => follower.syncedAt > 0);
});
afterAll(async () => {
  follower?.close();
  await database?.end();
  await stack?.close();
});

const numberOf = async (sql: string, ...values: unknown[]): Promise<number> => {
  const { rows } = await database.query<{ count: number }>(sql, values);
  return rows[0]?.count ?? 0;
};

/** Checks that each order is as it was, or has one whole proposal with its timers and its version. */
async function expectWhole(batchId: string): Promise<number> {
  const { rows } = await database.query<{ isWhole: boolean; proposals: number }>(
    `SELECT count(p.id)::int AS proposals, CASE count(p.id)
         WHEN 0 THEN o.version = 1 AND NOT EXISTS (SELECT FROM order_timeline t WHERE t.order_id = o.id AND t.sequence > 1)
         ELSE count(p.id) = 1 AND o.version = 2 AND bool_and(p.status = 'open' AND p.batch_id = $1)
           AND (SELECT count(*) = 1 FROM order_timeline t WHERE t.order_id = o.id AND t.kind = 'proposal')
           AND (SELECT count(*) = 1 FROM timers WHERE key = 'order.change:' || min(p.id::text))
         END AS "isWhole"
     FROM orders o LEFT JOIN order_proposals p ON p.order_id = o.id GROUP BY o.id`,
    [batchId],
  );
  expect(rows).toHaveLength(ORDERS);
  expect(rows.filter(({ isWhole }) => !isWhole)).toEqual([]);
  return rows.reduce((sum, { proposals }) => sum + proposals, 0);
}

it('asks each customer once when the server is killed in the middle of a shortage of the farm', async () => {
  const batchId = randomUUID();
  const { rows: days } = await database.query<{ day: string }>(
    'SELECT DISTINCT date::text AS day FROM orders',
  );
  const day = days[0]?.day;
  const share = (query = ''): Promise<Answer> =>
    callApi(stack.url, 'POST', `/farm/shortages${query}`, {
      token: farmer.token,
      body: {
        productId: product.id,
        from: day,
        to: day,
        available: AVAILABLE,
        rule: 'fair',
        batchId,
        emptiesShelf: true,
      },
      withinMs: scaled(300_000),
    });
  const port = Number(new URL(stack.url).port);
  const previewed = await share('?preview=true');
  expect([previewed.status, await expectWhole(batchId)]).toEqual([200, 0]);

  let server = stack.servers[0];
  const asked: number[] = [];
  for (const after of KILLS_AFTER) {
    const answer = share();
    await until(
      `${after} orders to be asked about`,
      async () => (await numberOf('SELECT count(*)::int AS count FROM order_proposals')) >= after,
      scaled(120_000),
    );
    await server?.end('SIGKILL');
    await answer;
    // Postgres finishes or drops what the killed server had under way.
    await until(
      'the connections of the killed server to end',
      async () =>
        (await numberOf(
          `SELECT count(*)::int AS count FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
               AND backend_type = 'client backend'`,
        )) === 0,
    );
    asked.push(await expectWhole(batchId));
    server = await stack.startServer(port);
  }

  const startedAt = Date.now();
  const { status, body } = await share();
  const seconds = formatSeconds(Date.now() - startedAt);
  expect(status, JSON.stringify(body).slice(0, 500)).toBe(200);
  const { outcomes, ordered } = body.data as ShortageResult;
  expect(ordered).toBe(ORDERS * ORDERED_EACH);
  expect(outcomes.map(({ orderId }) => orderId).sort()).toEqual([...ids].sort());
  // As it was shared at first, though the orders that were asked by then had none of it left to share.
  const first = (previewed.body.data as ShortageResult).outcomes;
  expect(outcomes).toEqual(first);
  expect(outcomes.reduce((sum, each) => sum + each.share, 0)).toBe(AVAILABLE);
  const proposed = outcomes.filter(({ outcome }) => outcome === 'proposed').length;
  expect(await expectWhole(batchId)).toBe(proposed);
  // The server did die in the middle, at least the first time.
  expect(asked[0]).toBeLessThan(proposed);
  const stock = await numberOf(
    'SELECT stock_milli::int AS count FROM products WHERE id = $1',
    product.id,
  );
  expect(stock).toBe(0);

  // The consumer receives each once, through all the servers that died.
  await until(
    'the customer to receive every proposal',
    () => follower.ids('order.updated').length >= proposed,
    scaled(120_000),
  );
  const receivedIds = follower.ids('order.updated');
  expect(new Set(receivedIds).size).toBe(receivedIds.length);
  expect([receivedIds.length, follower.duplicates, follower.resyncs]).toEqual([proposed, 0, 0]);
  printFigure(
    'server killed in the middle of a shortage',
    `${ORDERS} orders, killed after ${asked.join(', ')} were asked about: each customer asked once, none twice; the last part took ${seconds}`,
  );
});
