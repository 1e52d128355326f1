import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { formatSeconds, maxMs, printFigure, sized } from './helpers.ts';
import { type Market, openMarket } from './market.ts';

/** How long the load runs before, without and after Redis. */
const PHASE_MS = sized(3000, 10_000);

let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let market: Market;

beforeAll(async () => {
  redis = await startOwnRedis();
  market = await openMarket({ redisUrl: redis.url, env: { UNREAD_EMAIL_AFTER_SECONDS: '0' } });
});
afterAll(async () => {
  await market?.close();
  await redis?.remove();
});

/** Waits until the servers and the worker are subscribed again. */
async function untilSubscribed(): Promise<void> {
  const client = createClient({ url: redis.url });
  client.on('error', () => {});
  await client.connect();
  const channel = `${market.stack.prefix}:events`;
  await until(
    'all three to be subscribed',
    async () => ((await client.pubSubNumSub([channel]))[channel] ?? 0) === 3,
  );
  client.destroy();
}

it('loses nothing when Redis is killed under load and restarts empty', async () => {
  const load = market.load();
  await sleep(PHASE_MS);
  await redis.stop();
  await sleep(PHASE_MS);
  await redis.start();
  const backAt = Date.now();
  await untilSubscribed();
  await market.untilMailed();
  const liveAfter = Date.now() - backAt;
  await sleep(PHASE_MS);
  await load.stop();

  const orders = market.acceptedIds(load.orders);
  const messages = market.acceptedIds(load.messages);
  const refused = [...load.orders, ...load.messages].filter(({ status }) => status !== 201);
  await market.untilAllReceived('order.created', orders);
  await market.untilAllReceived('message.created', messages);
  const { database, farmer } = market;
  const countStored = async (table: 'orders' | 'messages', ids: string[]) => {
    const { rows } = await database.query(`SELECT FROM ${table} WHERE id = ANY ($1)`, [ids]);
    return rows.length;
  };
  expect(await countStored('orders', orders)).toBe(orders.length);
  expect(await countStored('messages', messages)).toBe(messages.length);
  const counts = await market.untilAllDelivered();
  expect(counts.failed ?? 0).toBe(0);

  // Each order has one notification, and each notification one mail.
  const { rows } = await database.query<{ orders: number; notifications: number; mails: number }>(
    `SELECT (SELECT count(*)::int FROM orders) AS orders,
            (SELECT count(*)::int FROM notifications
             WHERE user_id = $1 AND kind = 'order.placed') AS notifications,
            (SELECT count(*)::int FROM notification_deliveries
             WHERE user_id = $1 AND kind = 'order.placed' AND channel = 'email') AS mails`,
    [farmer.id],
  );
  expect(rows[0]?.notifications).toBe(rows[0]?.orders);
  expect(rows[0]?.mails).toBe(rows[0]?.orders);
  for (const { duplicates, resyncs } of market.followers)
    expect([duplicates, resyncs]).toEqual([0, 0]);
  expect(market.exitedPrograms()).toEqual([]);
  printFigure(
    'Redis killed under load, its data lost',
    `${orders.length} orders, ${messages.length} messages and ${rows[0]?.notifications} notifications, none lost, ${refused.length} refused; no process exited, ${market.disconnectedCount()} of ${market.followers.length} clients disconnected; live events again ${formatSeconds(liveAfter)} after its return`,
  );
  expect(liveAfter).toBeLessThan(maxMs(15_000));
});
