import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Caller,
  eventually,
  startTestMarket,
  type TestMarket,
} from '../../server/testing/market.ts';
import { changeStatus, placeOrder } from '../testing/orders.ts';
import { startWorkerProcess } from '../testing/process.ts';
import { type Misbehaviour, openPushService } from '../testing/push-service.ts';

/** Covers the deadline of a push and the takeover of a killed process's jobs, on a busy machine. */
const PATIENCE_MS = 90_000;

let service: Awaited<ReturnType<typeof openPushService>>;
let market: TestMarket;
let farmer: Caller;
let settings: Record<string, string>;
const running = new Set<Awaited<ReturnType<typeof startWorkerProcess>>>();

beforeAll(async () => {
  service = await openPushService();
  market = await startTestMarket();
  farmer = await market.join('farmer');
  const { body } = await market.call('GET', '/notifications/push-key', { as: farmer });
  service.expectSender(body.data.publicKey);
  const certificate = path.join(market.env.DATA_DIR, 'push.pem');
  writeFileSync(certificate, service.cert);
  settings = {
    NODE_EXTRA_CA_CERTS: certificate,
    UNREAD_EMAIL_AFTER_SECONDS: '1',
    JOB_BACKOFF_MS: '100',
  };
});
afterEach(async () => {
  await Promise.all([...running].map(({ kill }) => kill('SIGKILL')));
  running.clear();
});
afterAll(async () => {
  await market.close();
  await service.close();
});

async function startWorker() {
  const worker = await startWorkerProcess(market.env, settings);
  running.add(worker);
  return worker;
}

/** A consumer with browsers that all behave in the given way. */
async function joinWithBrowsers(count: number, way?: Misbehaviour) {
  const consumer = await market.join('consumer');
  const browsers = Array.from({ length: count }, () => randomBytes(8).toString('hex'));
  for (const browser of browsers) {
    const { status } = await market.call('POST', '/notifications/push-subscriptions', {
      as: consumer,
      body: service.subscribe(browser, way),
    });
    expect(status).toBe(201);
  }
  return { consumer, browsers };
}

async function notifyOf(consumer: Caller): Promise<void> {
  const order = await placeOrder(market.platform, { consumer, farmer });
  await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
}

const countOf = (browser: string) =>
  service.received.filter((each) => each.browser === browser).length;

describe('a person whose push endpoints all hang', () => {
  it.each(['no-answer', 'no-tls', 'trickles'] as const)(
    'does not keep the push of others waiting (%s)',
    async (way) => {
      await startWorker();
      const hanging = await joinWithBrowsers(20, way);
      await notifyOf(hanging.consumer);
      await notifyOf(hanging.consumer);
      if (way !== 'no-tls') await eventually(() => service.attempts.length > 0, PATIENCE_MS);
      const other = await joinWithBrowsers(1);
      await notifyOf(other.consumer);
      const [browser = ''] = other.browsers;
      await eventually(() => countOf(browser) === 1, PATIENCE_MS);
    },
    2 * PATIENCE_MS,
  );

  it(
    'gets every message once they answer again, each once',
    async () => {
      await startWorker();
      const { consumer, browsers } = await joinWithBrowsers(6, 'no-answer');
      await notifyOf(consumer);
      const where = { userId: consumer.id, channel: 'push', error: { not: null } } as const;
      await eventually(
        () => market.platform.db.notificationDelivery.findFirst({ where }),
        PATIENCE_MS,
      );
      for (const browser of browsers) service.behave(browser);
      await eventually(() => browsers.every((browser) => countOf(browser) === 1), PATIENCE_MS);
      await eventually(
        async () =>
          (await market.platform.db.notificationDelivery.count({
            where: { userId: consumer.id, channel: 'push', status: 'sent', error: null },
          })) === browsers.length,
        PATIENCE_MS,
      );
    },
    2 * PATIENCE_MS,
  );
});

describe('a worker that ends while a push endpoint hangs', () => {
  it.each([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)(
    'after %s leaves the message to the next one',
    async (signal, expectedCode) => {
      const worker = await startWorker();
      const { consumer, browsers } = await joinWithBrowsers(1, 'no-answer');
      const [browser = ''] = browsers;
      await notifyOf(consumer);
      await eventually(() => service.attempts.includes(browser), PATIENCE_MS);
      expect(await worker.kill(signal)).toBe(expectedCode);
      service.behave(browser);
      await startWorker();
      await eventually(() => countOf(browser) === 1, PATIENCE_MS);
    },
    2 * PATIENCE_MS,
  );
});
