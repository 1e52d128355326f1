import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { type Answer, bound, figure, percentile, seconds, sized } from './ground.ts';
import { type Market, openMarket } from './market.ts';

const AWAY_MS = sized(8000, 60_000);

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

const share = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status === wanted).length / answers.length;
const percent = (value: number) => `${(value * 100).toFixed(2)} %`;

it('without Redis the market goes on, and live', async () => {
  await redis.stop();
  const load = market.load();
  await sleep(AWAY_MS);
  const state = await fetch(`${market.urls[0]}/readyz`).then((answer) => answer.json());
  expect(state).toMatchObject({ status: 'ready', redis: 'degraded' });
  await load.stop();
  await market.untilAllKnow('order.created', market.accepted(load.orders));
  await market.untilAllKnow('message.created', market.accepted(load.messages));
  const delays = [
    ...load.orders
      .filter(({ status }) => status === 201)
      .map((answer) => market.delayOf('order.created', answer)),
    ...load.messages
      .filter(({ status }) => status === 201)
      .map((answer) => market.delayOf('message.created', answer)),
  ];

  await redis.start();
  const resumedAfter = await market.untilMailed();
  const counts = await market.untilSettled();

  const writes = [...load.orders, ...load.messages];
  const success = { reads: share(load.reads, 200), writes: share(writes, 201) };
  figure(
    `Redis away for ${seconds(AWAY_MS)}`,
    `${percent(success.reads)} of ${load.reads.length} reads and ${percent(success.writes)} of ${writes.length} orders and messages succeeded; clients at both servers heard of each (${market.broken()} of their sockets broke) after ${seconds(percentile(delays, 0.5))} in the middle, ${seconds(Math.max(...delays))} at most; a mail went out ${seconds(resumedAfter)} after its return, and all ${counts.sent} in the end`,
  );
  expect(success.reads).toBeGreaterThanOrEqual(0.99);
  expect(success.writes).toBeGreaterThanOrEqual(0.99);
  expect(Math.max(...delays)).toBeLessThan(bound(15_000));
  expect(resumedAfter).toBeLessThan(bound(10_000));
  expect(counts.failed ?? 0).toBe(0);
  expect(market.ended()).toEqual([]);
  for (const { repeats, restarts } of market.followers) expect([repeats, restarts]).toEqual([0, 0]);
}, 300_000);
