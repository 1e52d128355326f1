import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { type Answer, formatSeconds, maxMs, percentile, printFigure, sized } from './helpers.ts';
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

it('serves requests and live events without Redis', async () => {
  await redis.stop();
  const load = market.load();
  // So long Redis is away.
  await sleep(AWAY_MS);
  const state = await until('the server to notice', async () => {
    const now = await fetch(`${market.urls[0]}/readyz`).then((answer) => answer.json());
    return now.redis === 'degraded' ? now : undefined;
  });
  expect(state.status).toBe('ready');
  await load.stop();
  await market.untilAllReceived('order.created', market.acceptedIds(load.orders));
  await market.untilAllReceived('message.created', market.acceptedIds(load.messages));
  const delays = [
    ...load.orders
      .filter(({ status }) => status === 201)
      .map((answer) => market.deliveryDelay('order.created', answer)),
    ...load.messages
      .filter(({ status }) => status === 201)
      .map((answer) => market.deliveryDelay('message.created', answer)),
  ];

  await redis.start();
  const resumedAfter = await market.untilMailed();
  const counts = await market.untilAllDelivered();

  const writes = [...load.orders, ...load.messages];
  const success = { reads: share(load.reads, 200), writes: share(writes, 201) };
  printFigure(
    `Redis away for ${formatSeconds(AWAY_MS)}`,
    `${percent(success.reads)} of ${load.reads.length} reads and ${percent(success.writes)} of ${writes.length} orders and messages succeeded; clients at both servers received each (${market.disconnectedCount()} of them disconnected) after ${formatSeconds(percentile(delays, 0.5))} in the median, ${formatSeconds(Math.max(...delays))} at most; a mail went out ${formatSeconds(resumedAfter)} after its return, and all ${counts.sent} were sent`,
  );
  expect(success.reads).toBeGreaterThanOrEqual(0.99);
  expect(success.writes).toBeGreaterThanOrEqual(0.99);
  expect(Math.max(...delays)).toBeLessThan(maxMs(15_000));
  expect(resumedAfter).toBeLessThan(maxMs(10_000));
  expect(counts.failed ?? 0).toBe(0);
  expect(market.exitedPrograms()).toEqual([]);
  for (const { duplicates, resyncs } of market.followers)
    expect([duplicates, resyncs]).toEqual([0, 0]);
});
