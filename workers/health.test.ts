// @long It starts programs.

import { afterAll, expect, it } from 'vitest';
import { freePort } from '../e2e/stack.ts';
import { startTestMarket } from '../server/testing/market.ts';
import { until } from '../testing/until.ts';
import { placeOrder } from './testing/orders.ts';
import { startWorkerProcess } from './testing/process.ts';

const market = await startTestMarket();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const metricsPort = await freePort();
const metricsUrl = `http://127.0.0.1:${metricsPort}`;
const worker = await startWorkerProcess(market.env, {
  WORKER_PORT: String(port),
  METRICS_PORT: String(metricsPort),
});
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await market?.close();
});

it('a worker reports its health and readiness', async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // A store that a busy machine lets answer late counts as away for that moment.
  const ready = await until(async () => {
    const response = await fetch(`${url}/readyz`);
    const state = (await response.json()) as { postgres: string; redis: string };
    const isLate = state.postgres === 'away' || state.redis === 'degraded';
    return isLate ? undefined : [response.status, state];
  });
  expect(ready).toEqual([200, { status: 'ready', postgres: 'ready', redis: 'ready' }]);
  expect((await fetch(`${url}/api/products`)).status).toBe(404);
  // Metrics are served only on their own port.
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  expect((await fetch(`${metricsUrl}/readyz`)).status).toBe(404);
});

it('a worker reports how late it handles events', async () => {
  const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
  await placeOrder(market.platform, { consumer, farmer });
  await until(async () => {
    const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
    return /^farmgate_event_lag_seconds_count\{follower="notifications"\} [1-9]/m.test(metrics);
  });
});

it('a worker is shown to admins as running, until it stops', async () => {
  const other = await startWorkerProcess(market.env);
  const rows = () =>
    market.platform.db.runningProcess.findMany({ where: { pid: other.program.pid ?? 0 } });
  await until(async () => (await rows()).length === 1);
  expect(await rows()).toMatchObject([{ service: 'workers', version: '1.0.0' }]);
  expect(await other.kill('SIGTERM')).toBe(0);
  await until(async () => (await rows()).length === 0);
});
