// @long It starts programs.

import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import type { EscalationPlan } from '#contract/ordering/attention/constants';
import { acknowledgementToken } from '../server/ordering/attention/token.ts';
import { startTestMarket } from '../server/testing/market.ts';
import { scaled, until, WAIT_MS } from '../testing/until.ts';
import { letRepeatsCome } from './testing/ledger.ts';
import { openMailbox } from './testing/mailbox.ts';
import { startWorkerProcess } from './testing/process.ts';
import { startOwnRedis } from './testing/redis.ts';

const IS_LONG = process.env.FAULTS === 'full';
/** Alerts that are due in the same second, and how many of them are answered meanwhile. */
const ALERTS = IS_LONG ? 10_000 : 400;
const ANSWERED = IS_LONG ? 4000 : 200;
const PROCESSES = 4;
/** How often a worker process is killed in the middle of it. */
const KILLS = IS_LONG ? 12 : 1;
const WITHIN_MS = IS_LONG ? scaled(1_800_000) : 2 * WAIT_MS;

const redis = await startOwnRedis();
const mailbox = await openMailbox();
const market = await startTestMarket({ REDIS_URL: redis.url });
const { db, eventLog } = market.platform;
const running = new Set<Awaited<ReturnType<typeof startWorkerProcess>>>();
afterAll(async () => {
  await Promise.all([...running].map(({ kill }) => kill('SIGKILL')));
  await market.close();
  await mailbox.close();
  await redis.remove();
});

async function startWorker() {
  const worker = await startWorkerProcess(market.env, {
    SMTP_URL: mailbox.url,
    JOB_BACKOFF_MS: '100',
    LOG_LEVEL: 'info',
  });
  running.add(worker);
  return worker;
}

/** One step, to two people: what was late would be left out of several. */
const planOf = (manager: string): EscalationPlan => ({
  steps: [
    { afterSeconds: 0, to: 'owner', channels: ['email'] },
    { afterSeconds: 0, to: 'user', user: manager, channels: ['email'] },
  ],
  rounds: 1,
  quietHours: null,
  ackMinutes: 30,
  pauseAfter: null,
});

interface Alert {
  id: string;
  owner: string;
  manager: string;
}

/** Makes so many farms of two people, each with an order that nobody has answered. */
async function makeAlerts(consumerId: string): Promise<Alert[]> {
  const alerts = Array.from({ length: ALERTS }, () => ({
    id: randomUUID(),
    owner: randomUUID(),
    manager: randomUUID(),
    order: randomUUID(),
  }));
  const now = new Date();
  const person = (id: string) => ({
    ...{ id, name: 'Ada Farmer', email: mailOf(id), passwordHash: 'x', role: 'farmer' as const },
    ...{ emailVerifiedAt: now },
  });
  for (let start = 0; start < alerts.length; start += 500) {
    const some = alerts.slice(start, start + 500);
    await db.user.createMany({
      data: some.flatMap(({ owner, manager }) => [person(owner), person(manager)]),
    });
    await db.farmerProfile.createMany({ data: some.map(({ owner }) => ({ userId: owner })) });
    await db.farmMember.createMany({
      data: some.flatMap(({ owner, manager }) => [
        { farmId: owner, userId: owner, role: 'owner' as const },
        { farmId: owner, userId: manager, role: 'manager' as const },
      ]),
    });
    await db.order.createMany({
      data: some.map(({ order, owner }) => ({
        ...{ id: order, consumerId, farmerId: owner, totalMinor: 100, isPickup: true },
        ...{ pickupLocation: 'Farm gate', date: new Date('2030-05-01'), time: '10:00' },
      })),
    });
    await db.attention.createMany({
      data: some.map(({ id, owner, manager, order }) => ({
        ...{ id, farmId: owner, kind: 'order.placed', orderId: order, subjectId: order },
        ...{ createdAt: now, roundAt: now, nextAt: now, link: `/orders/${order}` },
        key: `order.placed:${order}`,
        plan: planOf(manager) as object,
        params: {
          order,
          customer: { _id: consumerId },
          count: 1,
          cost: { minor: 100 },
          handover: { date: '2030-05-01', time: '10:00', isDelivery: false, orderedAt: now },
        },
      })),
    });
  }
  return alerts;
}

const mailOf = (id: string) => `${id}@farmgate.test`;

/**
 * Lets the database refuse what must never happen: a step that runs a second time, and a message that is claimed once
 * somebody is on it.
 */
async function guard(): Promise<void> {
  for (const statement of [
    'CREATE TABLE ran (attention_id uuid, round int, step int, PRIMARY KEY (attention_id, round, step))',
    'CREATE TABLE broken (what text)',
    `CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF (NEW.round, NEW.step) <> (OLD.round, OLD.step) THEN
         INSERT INTO ran VALUES (NEW.id, NEW.round, NEW.step) ON CONFLICT DO NOTHING;
         IF NOT FOUND THEN INSERT INTO broken VALUES ('a step ran twice'); END IF;
         IF OLD.state = 'acknowledged' THEN INSERT INTO broken VALUES ('a step ran once answered'); END IF;
       END IF;
       RETURN NULL;
     END $$`,
    'CREATE TRIGGER note_step AFTER UPDATE ON attentions FOR EACH ROW EXECUTE FUNCTION note_step()',
    `CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF NEW.status = 'sending' AND OLD.status = 'pending' AND NEW.attention_id IS NOT NULL AND EXISTS (
         SELECT FROM attentions WHERE id = NEW.attention_id AND state NOT IN ('waiting', 'exhausted')
       ) THEN INSERT INTO broken VALUES ('claimed once answered'); END IF;
       RETURN NULL;
     END $$`,
    'CREATE TRIGGER note_claim AFTER UPDATE ON notification_deliveries FOR EACH ROW EXECUTE FUNCTION note_claim()',
  ]) {
    await db.$executeRawUnsafe(statement);
  }
}

it(
  'each step of many alerts runs once, and none is claimed once it was answered, whichever worker is killed',
  async () => {
    const consumer = await market.join('consumer', 'Cora Buyer');
    const alerts = await makeAlerts(consumer.id);
    await guard();
    await Promise.all(Array.from({ length: PROCESSES }, startWorker));
    // All in the same second.
    await db.$executeRaw`
      INSERT INTO timers (key, kind, due_at) SELECT 'attention:' || id, 'attention', now() FROM attentions`;
    const answering = alerts.slice(0, ANSWERED);
    const answer = async ({ id, owner }: Alert) => {
      const now = new Date();
      const attentions = [{ id, round: 1 }];
      const token = acknowledgementToken(market.env, { userId: owner, attentions, now });
      const { status } = await market.post('/attention/acknowledgements', undefined, { token });
      expect(status).toBe(200);
    };
    const killSome = async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        const done = (ALERTS * (kill + 1)) / (KILLS + 2);
        await until(
          'some of the steps',
          async () => (await db.attention.count({ where: { step: { gt: 0 } } })) >= done,
          WITHIN_MS,
        );
        const [worker] = running;
        if (!worker) throw new Error('No worker runs');
        running.delete(worker);
        await worker.kill('SIGKILL');
        await startWorker();
      }
    };
    const answerAll = async () => {
      const lanes = Array.from({ length: 4 }, async () => {
        for (let each = answering.shift(); each; each = answering.shift()) await answer(each);
      });
      await Promise.all(lanes);
    };
    await Promise.all([killSome(), answerAll()]);
    await until(
      'everything to be over',
      async () =>
        (await letRepeatsCome(market.platform)) &&
        (await db.attention.count({ where: { state: 'waiting' } })) === 0 &&
        (await db.notificationDelivery.count({
          where: { attentionId: { not: null }, status: { in: ['pending', 'sending'] } },
        })) === 0,
      WITHIN_MS,
    );
    const broken = await db.$queryRaw`SELECT DISTINCT what FROM broken`;
    expect(broken).toEqual([]);
    const states = await db.attention.groupBy({ by: ['state'], _count: true });
    expect(Object.fromEntries(states.map(({ state, _count }) => [state, _count]))).toEqual({
      acknowledged: ANSWERED,
      exhausted: ALERTS - ANSWERED,
    });
    const perStep = await db.notificationDelivery.groupBy({
      by: ['attentionId', 'userId', 'channel'],
      where: { attentionId: { not: null } },
      _count: true,
    });
    expect(perStep.filter(({ _count }) => _count > 1)).toEqual([]);
    // Who has not answered was told once each, and their messages count the same.
    const sent = await db.notificationDelivery.count({
      where: { attention: { state: 'exhausted' }, status: 'sent' },
    });
    expect(sent).toBe(2 * (ALERTS - ANSWERED));
    for (const { owner, manager } of alerts.slice(-50)) {
      expect(mailbox.mailsTo(mailOf(owner)).length).toBe(1);
      expect(mailbox.mailsTo(mailOf(manager)).length).toBe(1);
    }
    await eventLog.sequence();
  },
  WITHIN_MS + 60_000,
);
