// @long It starts programs.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { type Caller, startTestMarket } from '../../../server/testing/market.ts';
import { until } from '../../../testing/until.ts';
import { changeStatus, placeOrder } from '../../testing/orders.ts';
import { startWorkerProcess } from '../../testing/process.ts';
import { type Misbehaviour, openPushService } from '../../testing/push-service.ts';

/** All markets sign with the same keys, so that they share the push service. */
const JWT_SECRET = randomBytes(32).toString('base64url');

const service = await openPushService();
const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-push-'));
const certificate = path.join(folder, 'push.pem');
await writeFile(certificate, service.cert);
const settings = {
  NODE_EXTRA_CA_CERTS: certificate,
  UNREAD_EMAIL_AFTER_SECONDS: '1',
  JOB_BACKOFF_MS: '100',
};
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a market for one test: the tests mostly wait for deadlines, so they run at the same time. */
async function openMarket({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const market = await startTestMarket({ JWT_SECRET });
  onTestFinished(() => market.close());
  const farmer = await market.join('farmer');
  const { body } = await market.get('/notifications/push-key', farmer);
  service.expectSender(body.data.publicKey);

  return {
    db: market.platform.db,

    startWorker: async () => {
      const worker = await startWorkerProcess(market.env, settings);
      onTestFinished(async () => {
        await worker.kill('SIGKILL');
      });
      return worker;
    },

    /** Registers a consumer with browsers that all behave in the given way. */
    joinWithBrowsers: async (count: number, way?: Misbehaviour) => {
      const consumer = await market.join('consumer');
      const browsers = Array.from({ length: count }, () => randomBytes(8).toString('hex'));
      for (const browser of browsers) {
        const { status } = await market.post(
          '/notifications/push-subscriptions',
          consumer,
          service.subscribe(browser, way),
        );
        expect(status).toBe(201);
      }
      return { consumer, browsers };
    },

    notify: async (consumer: Caller): Promise<void> => {
      const order = await placeOrder(market.platform, { consumer, farmer });
      await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
    },
  };
}

const countOf = (browser: string) =>
  service.received.filter((each) => each.browser === browser).length;

describe.concurrent('a person whose push endpoints all hang', () => {
  it.for(['no-answer', 'no-tls', 'trickles'] as const)(
    'does not delay the push messages of others (%s)',
    async (way, context) => {
      const market = await openMarket(context);
      await market.startWorker();
      const hanging = await market.joinWithBrowsers(20, way);
      await market.notify(hanging.consumer);
      await market.notify(hanging.consumer);
      if (way !== 'no-tls') {
        await until(() => hanging.browsers.some((browser) => service.attempts.includes(browser)));
      }
      const other = await market.joinWithBrowsers(1);
      await market.notify(other.consumer);
      const [browser = ''] = other.browsers;
      await until(() => countOf(browser) === 1);
    },
  );

  it('gets every message once when they answer again', async (context) => {
    const market = await openMarket(context);
    await market.startWorker();
    const { consumer, browsers } = await market.joinWithBrowsers(6, 'no-answer');
    await market.notify(consumer);
    const where = { userId: consumer.id, channel: 'push', error: { not: null } } as const;
    await until(() => market.db.notificationDelivery.findFirst({ where }));
    for (const browser of browsers) service.behave(browser);
    await until(() => browsers.every((browser) => countOf(browser) === 1));
    await until(
      async () =>
        (await market.db.notificationDelivery.count({
          where: { userId: consumer.id, channel: 'push', status: 'sent', error: null },
        })) === browsers.length,
    );
  });
});

describe.concurrent('a worker that ends while a push endpoint hangs', () => {
  it.for([
    ['SIGTERM', 0],
    ['SIGKILL', null],
  ] as const)(
    'leaves the message to the next worker after %s',
    async ([signal, expectedCode], context) => {
      const market = await openMarket(context);
      const worker = await market.startWorker();
      const { consumer, browsers } = await market.joinWithBrowsers(1, 'no-answer');
      const [browser = ''] = browsers;
      await market.notify(consumer);
      await until(() => service.attempts.includes(browser));
      expect(await worker.kill(signal)).toBe(expectedCode);
      service.behave(browser);
      await market.startWorker();
      await until(() => countOf(browser) === 1);
    },
  );
});
