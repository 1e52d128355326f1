import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../e2e/stack.ts';
import { eventually, startTestMarket, type TestMarket } from '../server/testing/market.ts';
import { placeOrder } from './testing/orders.ts';
import { startWorkerProcess } from './testing/process.ts';

let market: TestMarket;
let worker: Awaited<ReturnType<typeof startWorkerProcess>>;
let url: string;

beforeAll(async () => {
  market = await startTestMarket();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  worker = await startWorkerProcess(market.env, { WORKER_PORT: String(port) });
});
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await market?.close();
});

it('a worker tells whether it can work', async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ready', postgres: 'ready', redis: 'ready' });
  expect((await fetch(`${url}/api/products`)).status).toBe(404);
});

it('a worker tells how soon it handled what happened', async () => {
  const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
  await placeOrder(market.platform, { consumer, farmer });
  await eventually(async () => {
    const told = await (await fetch(`${url}/metrics`)).text();
    return /^farmgate_event_lag_seconds_count\{follower="notifications"\} [1-9]/m.test(told);
  });
});
