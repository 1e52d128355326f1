// @long It waits until a job's lock is renewed.

import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeVerificationLink } from '../../server/testing/mailed-links.ts';
import { type Caller, startTestMarket } from '../../server/testing/market.ts';
import { heldReply, openSmtpServer } from '../../server/testing/smtp-server.ts';
import { until } from '../../testing/until.ts';
import { startWorkers } from '../start.ts';
import { letMailWaitPass } from '../testing/ledger.ts';
import { startWorkerProcess } from '../testing/process.ts';
import { REPEAT_AFTER_MS, retryDelayMs } from './engine/mail-outcome.ts';

const server = await openSmtpServer();
const market = await startTestMarket({
  SMTP_URL: server.url,
  UNREAD_EMAIL_AFTER_SECONDS: '0',
  JOB_BACKOFF_MS: '3600000',
  SHUTDOWN_GRACE_MS: '1000',
});
const { platform } = market;
const { db } = platform;
let workers = await startWorkers(platform);
afterAll(async () => {
  await workers.close();
  await market.close();
  await server.close();
});

let me: Caller;
beforeEach(async () => {
  me = await market.join('consumer');
  await until(() => server.mailsTo(me.email).length === 1);
});
afterEach(() => server.reset());

/** The mails to somebody, without the first one, which asks to confirm the address. */
const mailsTo = ({ email }: Caller) => server.mailsTo(email).slice(1);

const askForReset = ({ email }: Caller) =>
  market.call('POST', '/auth/forgot-password', { body: { email } });

const deliveryTo = ({ id: userId }: Caller, kind = 'password.reset') =>
  db.notificationDelivery.findFirstOrThrow({
    where: { userId, kind },
    orderBy: { createdAt: 'desc' },
  });

/** Asks for a reset and waits until its delivery is as it should be. */
async function untilDelivery(person: Caller, what: Record<string, unknown>) {
  return until(async () => {
    const row = await db.notificationDelivery.findFirst({
      where: { userId: person.id, kind: 'password.reset', ...what },
    });
    return row;
  });
}

/** Has another mail sent, to somebody else: what was due before it has had its chance. */
async function untilAnotherIsSent(): Promise<void> {
  const other = await market.join('consumer');
  await until(() => server.mailsTo(other.email).length === 1);
}

describe('a mail server that scans a mail for longer than the lock of its job', () => {
  it('gets it once, from a worker that renews the lock', async () => {
    const { reply, give } = heldReply();
    server.behaviour.content = ({ to }) => (to === me.email ? reply : '250 OK');
    await askForReset(me);
    await until(() => mailsTo(me).length === 1);
    const { id } = await deliveryTo(me);
    const lock = `${platform.env.REDIS_PREFIX}:email:${id}:lock`;
    const lockLeftMs = () => platform.redis.pTTL(lock);
    let leastMs = await lockLeftMs();
    await until('the lock to be renewed twice', async () => {
      const leftMs = await lockLeftMs();
      const isRenewed = leftMs > leastMs + 2000;
      leastMs = isRenewed ? leftMs : Math.min(leastMs, leftMs);
      return isRenewed;
    });
    // Others are not held back meanwhile.
    await untilAnotherIsSent();
    give('250 OK');
    await untilDelivery(me, { status: 'sent', outcomeUnknownAt: null });
    expect(mailsTo(me)).toHaveLength(1);
  });
});

describe('a mail whose answer after the last dot is lost', () => {
  it('is repeated once, later than 15 minutes, and no more', async () => {
    server.behaviour.content = ({ to }) => (to === me.email ? null : '250 OK');
    await askForReset(me);
    const row = await untilDelivery(me, { outcomeUnknownAt: { not: null }, attempts: 1 });
    expect(row).toMatchObject({ status: 'sending', isRepeat: false });
    expect(REPEAT_AFTER_MS).toBeGreaterThan(15 * 60_000);
    expect(row.retryAt?.getTime()).toBeGreaterThan(Date.now() + 15 * 60_000);

    // A job that comes too early, as after Redis was lost, leaves it alone.
    await letMailWaitPass(platform, row.id, 14 * 60_000);
    await untilAnotherIsSent();
    expect(mailsTo(me)).toHaveLength(1);

    await letMailWaitPass(platform, row.id, 3 * 60_000);
    await until(() => mailsTo(me).length === 2);
    expect(new Set(mailsTo(me).map(({ id }) => id)).size).toBe(1);
    const failed = await untilDelivery(me, { status: 'failed' });
    expect(failed).toMatchObject({ isRepeat: true, outcomeUnknownAt: null });
    expect(failed.error).toMatch(/did not say whether it took the mail/);
    await untilAnotherIsSent();
    expect(mailsTo(me)).toHaveLength(2);
  });

  it('counts as sent when the repeat is answered', async () => {
    server.behaviour.content = ({ to }) => (to === me.email ? null : '250 OK');
    await askForReset(me);
    const { id } = await untilDelivery(me, { outcomeUnknownAt: { not: null }, attempts: 1 });
    server.reset();
    await letMailWaitPass(platform, id, REPEAT_AFTER_MS);
    await untilDelivery(me, { status: 'sent', error: null, outcomeUnknownAt: null });
    expect(mailsTo(me)).toHaveLength(2);
  });
});

it('a worker that is killed before the answer leaves the outcome unknown', async () => {
  await workers.close();
  const { reply } = heldReply();
  server.behaviour.content = ({ to }) => (to === me.email ? reply : '250 OK');
  const settings = { SMTP_URL: server.url, UNREAD_EMAIL_AFTER_SECONDS: '0' };
  const process = await startWorkerProcess(market.env, settings);
  await askForReset(me);
  await until(() => mailsTo(me).length === 1);
  await process.kill('SIGKILL');
  server.reset();
  workers = await startWorkers(platform);
  const { id } = await untilDelivery(me, { outcomeUnknownAt: { not: null } });
  const queue = platform.queues().email;
  await until('the job to be taken over and put off', async () =>
    (await queue.getJob(id))?.isDelayed(),
  );
  expect(mailsTo(me)).toHaveLength(1);
  await letMailWaitPass(platform, id, REPEAT_AFTER_MS);
  await untilDelivery(me, { status: 'sent' });
  expect(mailsTo(me)).toHaveLength(2);
});

it('a worker that ends gives up what no server can have taken yet', async () => {
  const { reply } = heldReply();
  server.behaviour.rcptTo = (to) => (to === me.email ? reply : '250 OK');
  await askForReset(me);
  await until(() => server.askedFor(me.email) === 2);
  await workers.close();
  server.reset();
  workers = await startWorkers(platform);
  await untilDelivery(me, { status: 'sent', attempts: 1 });
  expect(mailsTo(me)).toHaveLength(1);
});

it('a worker that ends waits for the answer after the last dot, and then writes that there was none', async () => {
  const { reply } = heldReply();
  server.behaviour.content = ({ to }) => (to === me.email ? reply : '250 OK');
  await askForReset(me);
  await until(() => mailsTo(me).length === 1);
  await workers.close();
  const row = await untilDelivery(me, { outcomeUnknownAt: { not: null } });
  expect(row).toMatchObject({ status: 'sending', attempts: 1, isRepeat: false });
  server.reset();
  workers = await startWorkers(platform);
  await letMailWaitPass(platform, row.id, REPEAT_AFTER_MS);
  await untilDelivery(me, { status: 'sent' });
  expect(mailsTo(me)).toHaveLength(2);
});

describe('an address that is refused permanently', () => {
  const UNKNOWN = '550 5.1.1 User unknown';

  async function refuse(person: Caller): Promise<void> {
    server.behaviour.rcptTo = (to) => (to === person.email ? UNKNOWN : '250 OK');
    await askForReset(person);
    await untilDelivery(person, { status: 'failed' });
  }
  const mine = async () => (await market.get('/auth/me', me)).body.user;
  const isReached = async () => !(await mine()).isEmailUnreachable;

  it('is asked once, marked, and gets no more', async () => {
    const socket = await market.connect({ token: me.token });
    const changed = new Promise((resolve) => socket.once('account.changed', resolve));
    await refuse(me);
    await changed;
    expect(server.askedFor(me.email)).toBe(2);
    expect(await mine()).toMatchObject({ isEmailUnreachable: true });
    const { body } = await market.get('/auth/email', me);
    expect(body.data.unreachable).toMatchObject({ reply: expect.stringContaining(UNKNOWN) });
    server.reset();
    await askForReset(me);
    await untilDelivery(me, { status: 'skipped', error: 'The address cannot be reached' });
    expect(server.askedFor(me.email)).toBe(2);

    const admin = await market.join('admin');
    const listed = await market.get('/users?state=unreachable&limit=200', admin);
    expect(listed.body.data.map(({ _id }: { _id: string }) => _id)).toContain(me.id);
    const person = await market.get(`/admin/users/${me.id}`, admin);
    expect(person.body.data.unreachable.reply).toContain(UNKNOWN);
  });

  it('is mailed again once it is changed', async () => {
    await refuse(me);
    const email = `changed-${me.email}`;
    const body = { email, password: 'password123' };
    expect((await market.put('/auth/email', me, body)).status).toBe(200);
    expect(await mine()).toMatchObject({ email });
    expect(await isReached()).toBe(true);
    await until(() => server.mailsTo(email).length === 1);
  });

  it('is mailed again once it is proven, for which a link is mailed on request alone', async () => {
    await refuse(me);
    server.reset();
    expect((await market.post('/auth/verification', me, {})).status).toBe(200);
    await until(() => mailsTo(me).length === 1);
    expect(mailsTo(me)[0]?.subject).toBe('Confirm your email');
    expect(await mine()).toMatchObject({ isEmailUnreachable: true });
    const token = await makeVerificationLink(market, me.id);
    await market.call('POST', '/auth/verify-email', { body: { token } });
    expect(await mine()).toMatchObject({ isEmailVerified: true });
    expect(await isReached()).toBe(true);
    await askForReset(me);
    await until(() => mailsTo(me).length === 2);
  });

  it('is mailed again when an admin says so, which is audited', async () => {
    await refuse(me);
    const admin = await market.join('admin');
    expect((await market.post(`/users/${me.id}/mail-again`, me, {})).status).toBe(403);
    expect((await market.post(`/users/${me.id}/mail-again`, admin, {})).status).toBe(200);
    expect(await isReached()).toBe(true);
    const entries = await db.auditEntry.findMany({ where: { targetId: me.id } });
    expect(entries.map(({ action }) => action)).toEqual(['user.mailedAgain']);
  });

  it('is shown to the farm that invited it, and to the farm of its person', async () => {
    const farmer = await market.join('farmer');
    await db.user.update({ where: { id: farmer.id }, data: { emailVerifiedAt: new Date() } });
    const email = `nobody-${me.email}`;
    server.behaviour.rcptTo = (to) => (to === email ? UNKNOWN : '250 OK');
    await market.post('/farm/members', farmer, { email, role: 'packer' });
    const members = async () => (await market.get('/farm/members', farmer)).body.data;
    await until(async () =>
      (await members()).some(
        (each: { email: string; isUnreachable: boolean }) =>
          each.email === email && each.isUnreachable,
      ),
    );
    await refuse(farmer);
    expect((await members())[0]).toMatchObject({ email: farmer.email, isUnreachable: true });
  });

  it('may be the new one of an account, whose present one stays', async () => {
    await db.user.update({ where: { id: me.id }, data: { emailVerifiedAt: new Date() } });
    const email = `new-${me.email}`;
    server.behaviour.rcptTo = (to) => (to === email ? UNKNOWN : '250 OK');
    await market.put('/auth/email', me, { email, password: 'password123' });
    await until(async () => {
      const { pending } = (await market.get('/auth/email', me)).body.data;
      return pending?.isUnreachable;
    });
    expect(await mine()).toMatchObject({ email: me.email });
    expect(await isReached()).toBe(true);
  });
});

it.each([
  ['mailFrom', '550 5.1.1 no such sender'],
  ['content', '550 5.1.1 this looks like spam'],
  ['rcptTo', '554 5.7.1 Relay access denied'],
] as const)(
  'a mail that is refused to %s by "%s" fails at once and marks nobody',
  async (step, reply) => {
    server.behaviour[step] = () => reply;
    await askForReset(me);
    const row = await untilDelivery(me, { status: 'failed' });
    expect(row).toMatchObject({ attempts: 1, error: expect.stringContaining(reply) });
    await until(async () => (await platform.queues().email.getJob(row.id))?.isFailed());
    const { unreachableAt } = await db.user.findUniqueOrThrow({ where: { id: me.id } });
    expect(unreachableAt).toBeNull();

    // Once the reason is mended, an admin retries it by hand.
    server.reset();
    await (await platform.queues().email.getJob(row.id))?.retry();
    await untilDelivery(me, { status: 'sent', error: null });
  },
);

it('a mail that is not taken for now is tried again', async () => {
  server.behaviour.rcptTo = (to) => (to === me.email ? '451 4.7.1 Greylisted' : '250 OK');
  await askForReset(me);
  const row = await untilDelivery(me, { attempts: 1, retryAt: { not: null } });
  expect(row.error).toContain('Greylisted');
  server.reset();
  await letMailWaitPass(platform, row.id, 3_600_000);
  await untilDelivery(me, { status: 'sent' });
});

it('tries for a day, each time after twice as long and an hour at most', () => {
  const env = { JOB_BACKOFF_MS: 2000, MAIL_RETRY_HOURS: 24 };
  const delays: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const delayMs = retryDelayMs(attempt, env);
    if (delayMs === null) break;
    delays.push(delayMs);
  }
  expect(delays.slice(0, 4)).toEqual([2000, 4000, 8000, 16_000]);
  expect(delays.slice(10, 13)).toEqual([2_048_000, 3_600_000, 3_600_000]);
  expect(delays.reduce((sum, each) => sum + each, 0)).toBe(24 * 3_600_000);
});
