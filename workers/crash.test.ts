// @long It starts programs.

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepAwake } from '../server/testing/awake.ts';
import { type Caller, startTestMarket } from '../server/testing/market.ts';
import { changeMarket } from '../server/testing/market-settings.ts';
import { scaled, until } from '../testing/until.ts';
import { letRepeatsCome } from './testing/ledger.ts';
import { openMailbox } from './testing/mailbox.ts';
import { changeStatus, placeOrder } from './testing/orders.ts';
import { startWorkerProcess } from './testing/process.ts';
import { openPushService } from './testing/push-service.ts';
import { startOwnRedis } from './testing/redis.ts';

/** How many times a worker is killed in the middle of a job: more in `npm run test:faults`. */
const KILLS = process.env.FAULTS === 'full' ? 50 : 4;

const running = new Set<Awaited<ReturnType<typeof startWorkerProcess>>>();

const redis = await startOwnRedis();
const push = await openPushService({ answerAfterMs: 5 });
const market = await startTestMarket({ REDIS_URL: redis.url });
await keepAwake(market.platform);
const farmer = await market.join('farmer');
const { body } = await market.get('/notifications/push-key', farmer);
push.expectSender(body.data.publicKey);
const cert = path.join(market.env.DATA_DIR, 'push.pem');
writeFileSync(cert, push.cert);
const settings = {
  NODE_EXTRA_CA_CERTS: cert,
  UNREAD_EMAIL_AFTER_SECONDS: '1',
  JOB_BACKOFF_MS: '100',
};
beforeEach(() => {
  push.received.length = 0;
});
afterEach(async () => {
  await Promise.all([...running].map(({ kill }) => kill('SIGKILL')));
  running.clear();
});
afterAll(async () => {
  await market.close();
  await push.close();
  await redis.remove();
});

async function startWorker(more: Record<string, string> = {}) {
  const worker = await startWorkerProcess(market.env, { ...settings, ...more });
  running.add(worker);
  return worker;
}

/** A consumer with one browser, and an order of theirs. */
async function joinWithOrder() {
  const consumer = await market.join('consumer');
  const browser = randomBytes(8).toString('hex');
  const body = push.subscribe(browser);
  const { status } = await market.post('/notifications/push-subscriptions', consumer, body);
  expect(status).toBe(201);
  const order = await placeOrder(market.platform, { consumer, farmer });
  return { consumer, browser, order };
}

const accept = ({ order }: Awaited<ReturnType<typeof joinWithOrder>>) =>
  changeStatus(market.platform, order, { status: 'accepted', by: farmer });

const untilSettled = (count: number, people: string[]) =>
  until(async () => {
    await letRepeatsCome(market.platform);
    return (
      (await market.platform.db.notificationDelivery.count({
        where: { userId: { in: people }, kind: 'order.statusChanged', status: 'sent' },
      })) === count
    );
  });

const mailFiles = () =>
  readdirSync(path.join(market.env.DATA_DIR, 'mail')).filter((name) => name.endsWith('.eml'));

/** The mails to somebody, without the one that asks to confirm their email. */
const filesTo = ({ email }: Caller) =>
  mailFiles().filter((name) => {
    const text = readFileSync(path.join(market.env.DATA_DIR, 'mail', name), 'utf8');
    return text.includes(email) && !text.includes('Subject: Confirm your email');
  });

describe('a worker that is killed in the middle of a job', () => {
  it.each(['file', 'smtp'] as const)(
    'loses and repeats nothing when another takes over (mail by %s)',
    async (way) => {
      const mailbox = await openMailbox();
      const more: Record<string, string> = way === 'smtp' ? { SMTP_URL: mailbox.url } : {};
      const orders = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const worker = await startWorker(more);
        const order = await joinWithOrder();
        orders.push(order);
        await accept(order);
        // At whatever moment of the job.
        await sleep(Math.random() * 150);
        await worker.kill('SIGKILL');
      }
      await startWorker(more);
      const people = orders.map(({ consumer }) => consumer.id);
      await untilSettled(2 * KILLS, people);

      const notifications = await market.platform.db.notification.findMany({
        where: { userId: { in: people } },
      });
      expect(notifications.map(({ userId }) => userId).sort()).toEqual([...people].sort());
      // A push service keeps one message per topic, a mailbox one mail per Message-ID.
      expect(new Set(push.received.map(({ topic }) => topic)).size).toBe(KILLS);
      expect(new Set(push.received.map(({ browser }) => browser)).size).toBe(KILLS);
      for (const { consumer } of orders) {
        const mails = way === 'smtp' ? mailbox.mailsTo(consumer.email) : filesTo(consumer);
        expect(mails).toHaveLength(1);
      }
      expect(push.refused).toEqual([]);
      await mailbox.close();
      console.log(
        `FIGURE worker killed in the middle of a job (mail by ${way}): ${KILLS} kills, exactly ${KILLS} deliveries each in the bell, by mail and by push`,
      );
    },
  );
});

it('a worker finishes its running jobs on SIGTERM and exits with 0', async () => {
  const worker = await startWorker();
  const order = await joinWithOrder();
  await accept(order);
  await until(() =>
    market.platform.db.notificationDelivery.findFirst({
      where: { userId: order.consumer.id, kind: 'order.statusChanged' },
    }),
  );
  expect(await worker.kill('SIGTERM')).toBe(0);
  const left = await market.platform.db.notificationDelivery.count({
    where: { userId: order.consumer.id, status: 'sending' },
  });
  expect(left).toBe(0);
});

describe('without Redis', () => {
  it('a worker exits with 0 on SIGTERM', async () => {
    const worker = await startWorker();
    await redis.stop();
    const code = await worker.kill('SIGTERM');
    await redis.start();
    expect(code).toBe(0);
  });

  it('notifies in the app, and delivers by mail and push when Redis is back without its data', async () => {
    const worker = await startWorker();
    const order = await joinWithOrder();
    await redis.stop();
    await accept(order);
    await until(() =>
      market.platform.db.notification.findFirst({
        where: { userId: order.consumer.id, kind: 'order.statusChanged' },
      }),
    );
    await redis.start();
    await untilSettled(2, [order.consumer.id]);
    expect(filesTo(order.consumer)).toHaveLength(1);
    // A worker that was ended may have left the push of an earlier test to this one.
    const received = push.received.filter(({ browser }) => browser === order.browser);
    expect(received.map(({ payload }) => payload)).toMatchObject([
      { title: 'Your order was accepted', link: `/orders/${order.order._id}` },
    ]);
    expect(worker.program.exitCode).toBeNull();
  });

  it('reminds, and adds the jobs of what follows, when Redis loses everything', async () => {
    await startWorker({
      // Redis is emptied before.
      UNREAD_EMAIL_AFTER_SECONDS: String(Math.ceil(scaled(3000) / 1000)),
    });
    const consumer = await market.join('consumer');
    await market.post('/messages', consumer, { receiver: farmer.id, content: 'Hello' });
    await until(() =>
      market.platform.db.timer.findFirst({ where: { kind: 'message.unread', doneAt: null } }),
    );
    await redis.flush();
    await until(() =>
      market.platform.db.notification.findFirst({
        where: { userId: farmer.id, kind: 'message.unread' },
      }),
    );
  });
});

it('workers that are killed while reminders run leave each done once', async () => {
  const own = await market.join('farmer');
  const consumer = await market.join('consumer');
  await changeMarket(market, { unansweredSeconds: 1 });
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await startWorker();
    for (let count = 0; count < 5; count++) {
      await placeOrder(market.platform, { consumer, farmer: own });
    }
    // Around the moment at which the reminders are due.
    await sleep(900 + Math.random() * 300);
    await worker.kill('SIGKILL');
  }
  await Promise.all([startWorker(), startWorker()]);
  const { db } = market.platform;
  const orders = await db.order.findMany({ where: { farmerId: own.id }, select: { id: true } });
  const keys = orders.map(({ id }) => `order.unanswered:${id}`).sort();
  expect(keys).toHaveLength(5 * KILLS);
  await until(
    async () =>
      (await db.timer.count({ where: { key: { in: keys }, doneAt: { not: null } } })) ===
      keys.length,
  );
  const shown = await db.notification.findMany({
    where: { userId: own.id, kind: 'order.unanswered' },
  });
  expect(shown.map(({ key }) => key).sort()).toEqual(keys);
  await market.platform.eventLog.sequence();
  const recorded = await db.eventLog.findMany({ where: { name: 'order.unanswered' } });
  const ids = recorded.map(({ data }) => (data as { _id: string })._id);
  for (const { id } of orders) expect(ids.filter((each) => each === id)).toHaveLength(1);
});

it('removes a push subscription that has ended', async () => {
  await startWorker();
  const order = await joinWithOrder();
  const { endpoint } = await market.platform.db.pushSubscription.findFirstOrThrow({
    where: { userId: order.consumer.id },
  });
  push.unsubscribe(endpoint.split('/').at(-1) ?? '');
  await accept(order);
  await until(
    async () => (await market.platform.db.pushSubscription.count({ where: { endpoint } })) === 0,
  );
  const row = await until(() =>
    market.platform.db.notificationDelivery.findFirst({
      where: { userId: order.consumer.id, channel: 'push', status: 'skipped' },
    }),
  );
  expect(row.error).toBeNull();
});
