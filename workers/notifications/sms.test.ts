// @long It waits for workers.

import { randomInt } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { NOTIFICATION_KINDS, TEXTED_KINDS } from '#contract/people/notifications/constants';
import type { DeliveryStatus } from '../../prisma/generated/client.ts';
import { record } from '../../server/platform/events/event-log.ts';
import { type Caller, startTestMarket } from '../../server/testing/market.ts';
import { changeMarket } from '../../server/testing/market-settings.ts';
import { until } from '../../testing/until.ts';
import { startWithMailbox } from '../testing/mailbox.ts';
import { openSmsGateway } from '../testing/sms-gateway.ts';
import { definitionOf } from './definitions.ts';

const gateway = await openSmsGateway();
afterAll(() => gateway.close());
// Two at once, like two processes: everything below must still happen once.
const { market } = await startWithMailbox(
  startTestMarket,
  { SMS_URL: gateway.url, SMS_TOKEN: 'secret', JOB_BACKOFF_MS: '20', JOB_ATTEMPTS: '4' },
  2,
);
const { db, queues } = market.platform;

let me: Caller;
let phone: string;
beforeEach(async () => {
  gateway.behaveAlways(202);
  ({ me, phone } = await somebody());
});

/** Somebody who wants to be texted of what is about their account. */
async function somebody() {
  const who = await market.join('consumer');
  const number = await verifyPhone(who);
  await choose(true, who);
  return { me: who, phone: number };
}

/** Verifies the phone of somebody as by a code. @returns its number */
async function verifyPhone({ id }: Caller): Promise<string> {
  const number = `+92300${randomInt(1_000_000, 10_000_000)}`;
  await db.user.update({ where: { id }, data: { phone: number, phoneVerifiedAt: new Date() } });
  return number;
}
const choose = (sms: boolean, as = me) =>
  market.put('/notifications/preferences', as, {
    'account.security': { email: true, push: false, sms },
  });
/** Has something happen to somebody's account, of which `device` stands in the text. */
async function happen(device = 'Firefox on Linux', { id } = me): Promise<void> {
  const data = { _id: id, change: 'passkeyAdded' as const, device, isAdmin: false };
  await record(db, { name: 'account.securityChanged', data, rooms: [] });
  await market.platform.eventLog.sequence();
}
const rowsOf = ({ id: userId } = me, where: object = {}) =>
  db.notificationDelivery.findMany({
    where: { userId, channel: 'sms', ...where },
    orderBy: { createdAt: 'asc' },
  });
const untilRows = (status: DeliveryStatus, count: number, of = me) =>
  until(async () => (await rowsOf(of, { status })).length === count);
const texts = () => gateway.textsTo(phone);
/** Waits until a text waits for its time, and returns how long it does, in seconds. */
const untilHeld = async (at = 0): Promise<number> => {
  const job = await until(async () => {
    const found = await queues().sms.getJob((await rowsOf())[at]?.id ?? '');
    return (await found?.isDelayed()) && (found?.delay ?? 0) > 5000 ? found : undefined;
  });
  return job.delay / 1000;
};
/** Lets so many seconds pass for the pace of all texts, and has the jobs run that waited for it. */
async function letSecondsPass(seconds: number): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET texted_at = (
      SELECT COALESCE(array_agg(at - make_interval(secs => ${seconds}::int) ORDER BY at), '{}')
      FROM unnest(texted_at) AS at)
    WHERE cardinality(texted_at) > 0`;
  const held = await db.notificationDelivery.findMany({
    where: { channel: 'sms', status: { in: ['pending', 'sending'] } },
  });
  for (const { id } of held) await (await queues().sms.getJob(id))?.promote().catch(() => {});
}

it('may be chosen for what is urgent, and for new orders', () => {
  const urgent = NOTIFICATION_KINDS.filter(
    (kind) => kind === 'order.placed' || definitionOf(kind)?.isUrgent,
  );
  expect([...TEXTED_KINDS].sort()).toEqual([...urgent].sort());
});

describe('a text', () => {
  it('goes at once to a verified phone, where the person wants it', async () => {
    await happen();
    await untilRows('sent', 1);
    expect(texts()).toEqual([
      `A passkey was added to your account\n${texts()[0]?.split('\n')[1]}\n${market.env.PUBLIC_URL}/profile`,
    ]);
    expect(texts()[0]).toContain('Firefox on Linux');
    expect(gateway.attempts.at(-1)?.headers.authorization).toBe('Bearer secret');
  });

  it('goes to nobody who has not asked for it, or has not verified their phone', async () => {
    const other = await market.join('consumer');
    await verifyPhone(other);
    const unverified = await market.join('consumer');
    await choose(true, unverified);
    await Promise.all([happen('A', other), happen('B', unverified)]);
    await happen();
    await untilRows('sent', 1);
    expect(await rowsOf(other)).toEqual([]);
    expect(await rowsOf(unverified)).toEqual([]);
  });

  it('stays chosen where an older client says nothing of it', async () => {
    const old = { 'account.security': { email: true, push: true } };
    const { body } = await market.put('/notifications/preferences', me, old);
    expect(body.data['account.security']).toEqual({ email: true, push: true, sms: true });
    expect(body.data['order.statusChanged']).toEqual({ email: true, push: true });
    const chosen = await market.put('/notifications/preferences', me, {
      'order.statusChanged': { email: true, push: true, sms: true },
    });
    // Of a kind that is never texted.
    expect(chosen.body.data['order.statusChanged']).toEqual({ email: true, push: true });
  });

  it('is in the language of its reader', async () => {
    await changeMarket(market, { languages: ['en', 'de'] });
    await market.put('/users/profile', me, { language: 'de' });
    await happen();
    await untilRows('sent', 1);
    expect(texts()[0]).toContain('Passkey');
    expect(texts()[0]).not.toContain('was added');
  });
});

describe('a gateway', () => {
  it('is asked again after what says nothing of the message, and gets it once', async () => {
    gateway.behave(500, 429, 'redirects', 'late');
    await happen();
    await untilRows('sent', 1);
    expect(texts()).toHaveLength(1);
    expect(gateway.attempts.some(({ path }) => path === '/redirected')).toBe(false);
    expect(await rowsOf()).toMatchObject([{ status: 'sent', attempts: 4, error: null }]);
  });

  it('is not asked again for what it refuses, which counts for nothing', async () => {
    gateway.behave(400);
    await happen();
    await untilRows('failed', 1);
    const [row] = await rowsOf();
    expect(row).toMatchObject({ attempts: 1, error: 'The SMS gateway answered 400.' });
    await until(async () => (await queues().sms.getJob(row?.id ?? ''))?.isFailed());
    await happen('Safari on iOS');
    await untilRows('sent', 1);
    expect(texts()).toHaveLength(1);
    expect(texts()[0]).not.toContain('more');
  });

  it('is given up after the last attempt, and asked again by hand', async () => {
    gateway.behaveAlways(503);
    await happen();
    await untilRows('failed', 1);
    const [row] = await rowsOf();
    expect(row).toMatchObject({ attempts: 4, error: 'The SMS gateway answered 503.' });
    gateway.behaveAlways(202);
    const job = await until(async () => {
      const found = await queues().sms.getJob(row?.id ?? '');
      return (await found?.isFailed()) ? found : undefined;
    });
    await job.retry();
    await untilRows('sent', 1);
    expect(texts()).toHaveLength(1);
  });

  it.each(['answer lost', 'reset'] as const)(
    'is asked again after a minute where nobody knows whether it took the message: %s',
    async (way) => {
      gateway.behave(way);
      await happen();
      expect(await untilHeld()).toBeGreaterThan(30);
      const before = texts().length;
      expect(await rowsOf()).toMatchObject([{ status: 'sending', attempts: 1 }]);
      await letSecondsPass(60);
      await untilRows('sent', 1);
      expect(texts()).toHaveLength(before + 1);
    },
  );
});

describe('the pace of one person', () => {
  it('is one text a minute, in which all that waited are one', async () => {
    await happen('A on Linux');
    await untilRows('sent', 1);
    for (const device of ['B on Linux', 'C on Linux', 'D on Linux']) await happen(device);
    await until(async () => (await rowsOf()).length === 4);
    for (const at of [1, 2, 3]) expect(await untilHeld(at)).toBeLessThanOrEqual(60);
    expect(texts()).toHaveLength(1);
    await letSecondsPass(60);
    await untilRows('sent', 4);
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain('(and 2 more)');
  });

  it('is five texts in fifteen minutes', async () => {
    for (let count = 1; count <= 5; count++) {
      await happen(`Device ${count}`);
      await untilRows('sent', count);
      await letSecondsPass(61);
    }
    expect(texts()).toHaveLength(5);
    await happen('Device 6');
    const waits = await untilHeld(5);
    expect(waits).toBeGreaterThan(500);
    expect(waits).toBeLessThanOrEqual(15 * 60 - 5 * 61);
    await letSecondsPass(15 * 60 - 5 * 61);
    await untilRows('sent', 6);
    expect(texts()).toHaveLength(6);
  });

  it('holds for many at once with several processes, each person for themselves', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, somebody));
    await Promise.all(
      people.flatMap(({ me: of }) => [1, 2, 3, 4].map((at) => happen(`${at}`, of))),
    );
    for (const { me: of } of people) await until(async () => (await rowsOf(of)).length === 4);
    for (const { phone: number } of people) await until(() => gateway.textsTo(number).length === 1);
    await letSecondsPass(60);
    for (const { me: of } of people) await untilRows('sent', 4, of);
    // One at first, and one with the rest; where two of them were due at once, still two.
    for (const { phone: number } of people)
      expect(gateway.textsTo(number).length).toBeLessThanOrEqual(2);
  });
});

describe('what waits', () => {
  beforeEach(async () => {
    await happen('A on Linux');
    await untilRows('sent', 1);
    await happen('B on Linux');
    await untilHeld(1);
  });
  const outcome = async () => {
    await letSecondsPass(60);
    await untilRows('skipped', 1);
    expect(texts()).toHaveLength(1);
  };

  it('is not sent once it was read', async () => {
    await market.put('/notifications/read', me, {});
    await outcome();
  });

  it('is not sent once it is not wanted any more', async () => {
    await choose(false);
    await outcome();
  });

  it('is not sent once the phone is another one', async () => {
    await market.put('/users/profile', me, { phone: '0300 7654321' });
    await outcome();
    expect(gateway.textsTo('0300 7654321')).toEqual([]);
  });

  it('is gone with the account', async () => {
    await market.call('DELETE', '/users/me', { as: me, body: { password: 'password123' } });
    expect(await rowsOf()).toEqual([]);
    await letSecondsPass(60);
    expect(texts()).toHaveLength(1);
  });

  it('waits on for an admin after a restore', async () => {
    const [row] = await rowsOf(me, { status: 'pending' });
    const where = { id: row?.id ?? '' };
    await db.notificationDelivery.update({ where, data: { restoredAt: new Date() } });
    await letSecondsPass(60);
    await happen('C on Linux');
    await untilRows('sent', 2);
    expect(texts()[1]).not.toContain('more');
    expect(await db.notificationDelivery.findUnique({ where })).toMatchObject({
      status: 'pending',
    });
  });
});

it('what a process had claimed that died is sent again, after a minute', async () => {
  await happen('A on Linux');
  await untilRows('sent', 1);
  const [row] = await rowsOf();
  await db.notificationDelivery.updateMany({
    where: { id: row?.id ?? '' },
    data: { status: 'sending', sentAt: null, dueAt: new Date(Date.now() - 60_000) },
  });
  // The sweep finds it.
  expect(await untilHeld()).toBeGreaterThan(5);
  await letSecondsPass(60);
  await untilRows('sent', 1);
  expect(texts()).toHaveLength(2);
});

describe('a code', () => {
  const ask = (number: string) => market.put('/users/me/phone', me, { phone: number });
  const untilCode = (number: string) =>
    until(() => /^(\d{6}) is your code for /.exec(gateway.textsTo(number).at(-1) ?? '')?.[1]);

  it('is texted to the number to verify, at once, and verifies it', async () => {
    await happen();
    await untilRows('sent', 1);
    const number = `+92301${randomInt(1_000_000, 10_000_000)}`;
    expect((await ask(`0${number.slice(3)}`)).status).toBe(200);
    const code = await untilCode(number);
    const { body } = await market.post('/users/me/phone/confirmation', me, { code });
    expect(body.data).toMatchObject({ phone: number, isVerified: true });
    expect(gateway.textsTo(number)).toEqual([
      `${code} is your code for Farmgate. It works for 10 minutes. Tell it to nobody.`,
    ]);
  });

  it('is the same when it is sent again, and is not sent once it has ended', async () => {
    const number = `+92301${randomInt(1_000_000, 10_000_000)}`;
    gateway.behave('answer lost', 500);
    await ask(number);
    await until(() => gateway.textsTo(number).length === 2);
    expect(new Set(gateway.textsTo(number)).size).toBe(1);

    gateway.behaveAlways('reset');
    const before = gateway.attempts.length;
    await db.$executeRaw`UPDATE phone_codes SET created_at = created_at - interval '61 seconds'`;
    await ask(number);
    await until(() => gateway.attempts.length > before);
    await db.$executeRaw`UPDATE phone_codes SET created_at = created_at - interval '10 minutes'`;
    gateway.behaveAlways(202);
    await until(
      async () =>
        (await rowsOf(me, { kind: 'phone.code', status: { in: ['skipped', 'failed'] } })).length ===
        1,
    );
    expect(gateway.textsTo(number)).toHaveLength(2);
  });
});
