import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { until } from '../stack.ts';
import { bound, figure, seconds, sized } from './ground.ts';
import { type Market, openMarket } from './market.ts';

const PART_MS = sized(3000, 10_000);

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

/** Waits until the servers and the worker hear each other again. */
async function untilHeard(): Promise<void> {
  const client = createClient({ url: redis.url });
  client.on('error', () => {});
  await client.connect();
  const channel = `${market.stack.prefix}:events`;
  await until(
    'all three to listen',
    async () => ((await client.pubSubNumSub([channel]))[channel] ?? 0) === 3,
    60_000,
  );
  client.destroy();
}

it('a Redis killed under load that comes back empty takes nothing with it', async () => {
  const load = market.load();
  await sleep(PART_MS);
  await redis.stop();
  await sleep(PART_MS);
  await redis.start();
  const backAt = Date.now();
  await untilHeard();
  await market.untilMailed();
  const liveAfter = Date.now() - backAt;
  await sleep(PART_MS);
  await load.stop();

  const orders = market.accepted(load.orders);
  const messages = market.accepted(load.messages);
  const refused = [...load.orders, ...load.messages].filter(({ status }) => status !== 201);
  await market.untilAllKnow('order.created', orders);
  await market.untilAllKnow('message.created', messages);
  const { database, farmer } = market;
  const kept = async (table: 'orders' | 'messages', ids: string[]) => {
    const { rows } = await database.query(`SELECT FROM ${table} WHERE id = ANY ($1)`, [ids]);
    return rows.length;
  };
  expect(await kept('orders', orders)).toBe(orders.length);
  expect(await kept('messages', messages)).toBe(messages.length);
  const counts = await market.untilSettled();
  expect(counts.failed ?? 0).toBe(0);

  // One bell for each order that there is, and for each bell one mail.
  const { rows } = await database.query<{ orders: number; bells: number; mails: number }>(
    `SELECT (SELECT count(*)::int FROM orders) AS orders,
            (SELECT count(*)::int FROM notifications
             WHERE user_id = $1 AND kind = 'order.placed') AS bells,
            (SELECT count(*)::int FROM notification_deliveries
             WHERE user_id = $1 AND kind = 'order.placed' AND channel = 'email') AS mails`,
    [farmer.id],
  );
  expect(rows[0]?.bells).toBe(rows[0]?.orders);
  expect(rows[0]?.mails).toBe(rows[0]?.orders);
  for (const { repeats, restarts } of market.followers) expect([repeats, restarts]).toEqual([0, 0]);
  expect(market.ended()).toEqual([]);
  figure(
    'Redis killed under load, its data lost',
    `${orders.length} orders, ${messages.length} messages and ${rows[0]?.bells} notifications, none lost, ${refused.length} refused; no process ended, ${market.broken()} of ${market.followers.length} sockets broke; live again ${seconds(liveAfter)} after its return`,
  );
  expect(liveAfter).toBeLessThan(bound(15_000));
}, 300_000);
