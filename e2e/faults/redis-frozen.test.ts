import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until, WAIT_MS } from '../../testing/until.ts';
import { startOwnRedis } from '../../workers/testing/redis.ts';
import { freePort } from '../stack.ts';
import {
  type Answer,
  callApi,
  formatSeconds,
  maxMs,
  order,
  percentile,
  printFigure,
  sized,
} from './helpers.ts';
import { type Market, openMarket } from './market.ts';

const FROZEN_MS = sized(6000, 30_000);
const METRICS_TOKEN = 'a token for the metrics in this test';

let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let market: Market;

beforeAll(async () => {
  redis = await startOwnRedis();
  market = await openMarket({
    redisUrl: redis.url,
    env: { UNREAD_EMAIL_AFTER_SECONDS: '0', SHUTDOWN_GRACE_MS: '20000', METRICS_TOKEN },
  });
});
// A test that failed while Redis was frozen must not fail the next one too.
afterEach(() => redis?.thaw());
afterAll(async () => {
  redis?.thaw();
  await market?.close();
  await redis?.remove();
});

const readiness = async (url: string) => {
  const askedAt = Date.now();
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(WAIT_MS) });
  return { status: answer.status, body: await answer.json(), ms: Date.now() - askedAt };
};

const failed = (answers: readonly Answer[], wanted: number) =>
  answers.filter(({ status }) => status !== wanted).map(({ status, error }) => error ?? status);

it('serves requests and live events while Redis is frozen, and loses nothing', async () => {
  redis.freeze();
  const frozenAt = Date.now();
  const [url] = market.urls;
  // The first request that runs into the timeout.
  const signIn = await callApi(url, 'POST', '/auth/login', {
    body: { email: 'nobody@farm.test', password: 'password123' },
  });
  expect(signIn.status).toBe(401);
  expect(signIn.ms).toBeLessThan(maxMs(1500));

  const load = market.load();
  const states = await Promise.all(market.urls.map(readiness));
  for (const { status, body, ms } of states) {
    expect([status, body]).toEqual([
      200,
      { status: 'ready', postgres: 'ready', redis: 'degraded' },
    ]);
    expect(ms).toBeLessThan(maxMs(2000));
  }
  const metrics = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    signal: AbortSignal.timeout(maxMs(3000)),
  });
  expect(metrics.status).toBe(200);
  // So long Redis is frozen in all.
  await sleep(Math.max(0, FROZEN_MS - (Date.now() - frozenAt)));
  await load.stop();
  await market.untilAllReceived('order.created', market.acceptedIds(load.orders));
  await market.untilAllReceived('message.created', market.acceptedIds(load.messages));

  redis.thaw();
  const thawedAt = Date.now();
  await until('Redis to be ready at both servers', async () =>
    (await Promise.all(market.urls.map(readiness))).every((s) => s.body.redis === 'ready'),
  );
  const readyAfter = Date.now() - thawedAt;
  const resumedAfter = await market.untilMailed();
  const counts = await market.untilAllDelivered();

  const all = [...load.reads, ...load.orders, ...load.messages];
  const times = all.map(({ ms }) => ms);
  const delays = load.orders
    .filter(({ status }) => status === 201)
    .map((answer) => market.deliveryDelay('order.created', answer));
  printFigure(
    `Redis frozen for ${formatSeconds(FROZEN_MS)}`,
    `${all.length} reads, orders and messages, all answered, in ${percentile(times, 0.5)} ms in the median, ${formatSeconds(Math.max(...times))} at most; orders received at both servers after ${formatSeconds(percentile(delays, 0.5))} in the median, ${formatSeconds(Math.max(...delays))} at most; after the thaw ready again in ${formatSeconds(readyAfter)}, a mail sent in ${formatSeconds(resumedAfter)}, and all ${counts.sent} sent`,
  );
  expect(failed(load.reads, 200)).toEqual([]);
  expect(failed([...load.orders, ...load.messages], 201)).toEqual([]);
  expect(Math.max(...times)).toBeLessThan(maxMs(2500));
  expect(counts.failed ?? 0).toBe(0);
  expect(market.exitedPrograms()).toEqual([]);
  for (const { disconnects, duplicates, resyncs } of market.followers) {
    expect([disconnects, duplicates, resyncs]).toEqual([[], 0, 0]);
  }
});

it('starts and shuts down cleanly while Redis is frozen', async () => {
  redis.freeze();
  const startedAt = Date.now();
  const server = await market.stack.startServer(await freePort());
  const startedAfter = Date.now() - startedAt;
  const worker = market.stack.startWorkers();
  expect((await readiness(server.url)).body).toMatchObject({ status: 'ready', redis: 'degraded' });
  const [consumer] = market.consumers;
  const [product] = market.products;
  if (!consumer || !product) throw new Error('The market is empty.');
  expect((await order(server.url, { token: consumer.token, product })).status).toBe(201);

  const signalledAt = Date.now();
  expect(await server.end('SIGTERM')).toBe(0);
  const endedAfter = Date.now() - signalledAt;
  expect(endedAfter).toBeLessThan(maxMs(5000));

  // Redis frozen, then stopped, then restarted: a server that started without it connects.
  const starting = market.stack.startServer(await freePort());
  await redis.stop();
  const late = await starting;
  expect((await readiness(late.url)).body).toMatchObject({ status: 'ready', redis: 'degraded' });
  await redis.start();
  await until(
    'the late server to connect to Redis',
    async () => (await readiness(late.url)).body.redis === 'ready',
  );
  expect((await order(late.url, { token: consumer.token, product })).status).toBe(201);
  await market.untilMailed();
  await market.untilAllDelivered();
  expect(worker.isRunning()).toBe(true);
  // A signal ends a process that is still starting, and the other worker may have sent everything.
  await until('the new worker to be at work', async () => {
    const { rowCount } = await market.database.query('SELECT FROM processes WHERE pid = $1', [
      worker.pid,
    ]);
    return rowCount;
  });

  redis.freeze();
  const workerSignalledAt = Date.now();
  const code = await worker.end('SIGTERM');
  printFigure(
    'Started and stopped beside a frozen Redis',
    `a server ready after ${formatSeconds(startedAfter)}, exited with 0 after ${formatSeconds(endedAfter)}; a worker exited with ${code} after ${formatSeconds(Date.now() - workerSignalledAt)}`,
  );
  expect(code).toBe(0);
  expect(Date.now() - workerSignalledAt).toBeLessThan(maxMs(8000));
  redis.thaw();
  for (const program of [...market.stack.servers, ...market.stack.workers]) {
    expect(program.output()).not.toMatch(/UnhandledPromise|triggerUncaught|Uncaught/);
  }
  expect(market.exitedPrograms()).toEqual([]);
});
