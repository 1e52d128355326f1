// @long It waits for workers and timers.

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createOrderFixture } from '../../server/ordering/testing/fixture.ts';
import { UNPROVEN_PER_DAY } from '../../server/people/notifications/limited-mails.ts';
import { makeVerificationLink, proveEmails } from '../../server/testing/mailed-links.ts';
import type { Caller } from '../../server/testing/market.ts';
import { makePlace, slotsAhead } from '../../server/testing/slots.ts';
import { until } from '../../testing/until.ts';
import { createExclusive } from '../delivery/exclusive.ts';
import { createPersonLimit } from '../delivery/postpone.ts';
import { letMinutesPass, runHeld } from '../testing/ledger.ts';
import { startWithMailbox } from '../testing/mailbox.ts';
import { deliverPush } from './engine/push.ts';
import type { PushClient } from './engine/push-client.ts';
import { claimAlert } from './ordering/attention/messages.ts';
import { RESETS_PER_HOUR } from './people/account-mails.ts';

// Anyone who causes mails is limited, and what is about one order goes together.

// Two at once, like two processes.
const { mailbox, market: fixture } = await startWithMailbox(
  createOrderFixture,
  { UNREAD_EMAIL_AFTER_SECONDS: '0', UNANSWERED_AFTER_SECONDS: '3600', JOB_BACKOFF_MS: '50' },
  2,
);

const mailsTo = ({ email }: { email: string }) => mailbox.mailsTo(email);
const bellOf = async (as: Caller, kind: string) =>
  (await fixture.call('GET', '/notifications?limit=200', { as })).body.data.filter(
    (each: { kind: string }) => each.kind === kind,
  );

/** Waits until everything was handled, and nothing but what is held waits to be sent. */
async function settled(): Promise<void> {
  const { db, eventLog } = fixture.platform;
  await eventLog.sequence();
  const head = await eventLog.head();
  await until(async () => {
    const follower = await db.follower.findUnique({ where: { name: 'notifications' } });
    const waiting = await db.timer.count({ where: { doneAt: null, kind: 'message.unread' } });
    const unsent = await db.notificationDelivery.count({
      where: { status: { in: ['pending', 'sending'] }, isHeld: false },
    });
    return Number(follower?.seq) >= head && waiting === 0 && unsent === 0;
  });
}

it('forty moves of an order are one mail at once, and one when five minutes are over', async () => {
  const [farmer, consumer] = [await fixture.join('farmer'), await fixture.join('consumer')];
  const product = await fixture.createProduct(100, { farmerId: farmer.id });
  const [one, two] = await slotsAhead(fixture, farmer, await makePlace(fixture, farmer));
  const placed = await fixture.order([{ product, quantity: 1 }], {
    as: consumer,
    over: { farmer: farmer.id, pickupDetails: { slotId: one?._id } },
  });
  const order = placed.body.data;
  let version: number = order.version;
  for (let move = 0; move < 40; move++) {
    const slotId = move % 2 === 0 ? two?._id : one?._id;
    const { status, body } = await fixture.call('PUT', `/orders/${order._id}/slot`, {
      as: farmer,
      body: { slotId, expectedVersion: version },
    });
    expect(status).toBe(200);
    version = body.data.version;
  }
  await until(async () => (await bellOf(consumer, 'order.slotMoved')).length === 40);
  await settled();
  expect(mailsTo(consumer).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your pickup on .+ was moved from .+ to /),
  ]);
  const { db } = fixture.platform;
  const where = { userId: consumer.id, kind: 'order.slotMoved', isHeld: true };
  const times = (await db.notificationDelivery.findMany({ where })).map(({ dueAt }) => +dueAt);
  expect([times.length, new Set(times).size]).toEqual([39, 1]);

  await letMinutesPass(fixture.platform, 6);
  await runHeld(fixture.platform);
  await until(() => mailsTo(consumer).length === 2);
  await until(
    async () =>
      (await db.notificationDelivery.count({ where: { ...where, status: 'sent' } })) === 39,
  );
  const [, joined] = mailsTo(consumer);
  expect(joined?.subject).toMatch(/^Your pickup on .+ was moved from .+ to /);
  expect(joined?.text.match(/View order: /g)).toHaveLength(10);
  expect(joined?.text).toContain('29 earlier notifications of the last hour are on Farmgate.');

  // Another order is not held up, nor is another kind.
  await fixture.changeStatus(order._id, 'accepted', farmer);
  await until(() => mailsTo(consumer).at(-1)?.subject.startsWith('Your order was accepted: '));
  expect(mailsTo(consumer)).toHaveLength(3);
});

it('what comes after ten messages of an hour waits for its end, whatever its kind, and is one mail', async () => {
  const [farmer, consumer] = [await fixture.join('farmer'), await fixture.join('consumer')];
  const product = await fixture.createProduct(100, { farmerId: farmer.id });
  const { body } = await fixture.order([{ product, quantity: 1 }], {
    as: consumer,
    over: { farmer: farmer.id },
  });
  const about = `/orders/${body.data._id}`;
  const { db } = fixture.platform;
  await db.notificationDelivery.createMany({
    data: Array.from({ length: 10 }, (_, minute) => ({
      userId: consumer.id,
      key: `order.slotMoved:${body.data._id}:earlier ${minute}`,
      channel: 'email' as const,
      kind: 'order.slotMoved',
      status: 'sent' as const,
      createdAt: new Date(Date.now() - (50 - minute) * 60_000),
      about,
    })),
  });
  await fixture.changeStatus(body.data._id, 'accepted', farmer);
  await fixture.changeStatus(body.data._id, 'completed', farmer);
  await until(async () => (await bellOf(consumer, 'order.statusChanged')).length === 2);
  await settled();
  expect(mailsTo(consumer)).toEqual([]);
  await letMinutesPass(fixture.platform, 11);
  await runHeld(fixture.platform);
  const mail = await until(() => mailsTo(consumer)[0]);
  expect(mail.subject).toMatch(/^Your order is complete: /);
  expect(mail.text).toContain('Your order was accepted');
  await settled();
  expect(mailsTo(consumer)).toHaveLength(1);
});

it('a first message is mailed of verified senders, one a day; what a farm has answered always', async () => {
  const farmer = await fixture.join('farmer');
  const write = (from: Caller, to: Caller) =>
    fixture.call('POST', '/messages', { as: from, body: { receiver: to.id, content: 'Beets?' } });
  const read = (as: Caller, from: Caller) =>
    fixture.call('PUT', `/messages/read/${from.id}`, { as, body: {} });
  const [unproven, proven] = [await fixture.join('consumer'), await fixture.join('consumer')];
  await proveEmails(fixture, proven);

  await write(unproven, farmer);
  await until(async () => (await bellOf(farmer, 'message.unread')).length === 1);
  await settled();
  expect(mailsTo(farmer)).toEqual([]);

  await write(proven, farmer);
  await until(() => mailsTo(farmer).length === 1);
  await read(farmer, proven);
  await write(proven, farmer);
  await until(async () => (await bellOf(farmer, 'message.unread')).length === 3);
  await settled();
  expect(mailsTo(farmer)).toHaveLength(1);

  await write(farmer, unproven);
  await read(farmer, unproven);
  await write(unproven, farmer);
  await until(() => mailsTo(farmer).length === 2);

  // Anyone who has ordered belongs there too.
  const buyer = await fixture.join('consumer');
  const product = await fixture.createProduct(100, { farmerId: farmer.id });
  await fixture.order([{ product, quantity: 1 }], { as: buyer, over: { farmer: farmer.id } });
  await write(buyer, farmer);
  await until(
    () => mailsTo(farmer).filter(({ subject }) => subject.startsWith('New message')).length === 3,
  );
});

it('reports are mailed to admins once a day of a sender who is verified, and are all in the app', async () => {
  const farmer = await fixture.join('farmer');
  const products = [await fixture.createProduct(1), await fixture.createProduct(1)];
  const report = (as: Caller, id?: string) =>
    fixture.call('POST', '/reports', {
      as,
      body: { kind: 'product', id, reason: 'other', text: 'Look at this.' },
    });
  const [unproven, proven] = [await fixture.join('consumer'), farmer];
  await proveEmails(fixture, proven);
  const count = async () => (await bellOf(fixture.admin, 'report.opened')).length;
  const mails = () =>
    mailsTo(fixture.admin).filter(({ subject }) => subject === 'A product was reported').length;

  expect((await report(unproven, products[0])).status).toBe(200);
  await until(async () => (await count()) === 1);
  await settled();
  expect(mails()).toBe(0);
  for (const id of products) expect((await report(proven, id)).status).toBe(200);
  await until(async () => (await count()) === 3);
  await settled();
  expect(mails()).toBe(1);
});

it('an address that nobody has proved gets few mails about its account, however it is spelled', async () => {
  const name = randomUUID();
  const toName = () =>
    [...mailbox.mails, ...mailbox.confirmations].filter(({ to }) => to.startsWith(name));
  const register = async (email: string) => {
    const address = { street: '1 Mill Lane', city: 'Ashford', state: 'VT', zipCode: '05001' };
    const input = { name: 'Ben', email, password: 'password123', role: 'consumer', address };
    const { body } = await fixture.call('POST', '/auth/register', {
      body: { ...input, phone: '555-0100', acceptsTerms: true },
    });
    return { id: body.user._id, token: body.token, role: 'consumer', email, name: 'Ben' } as Caller;
  };
  const first = await register(`${name}@farmgate.test`);
  for (let count = 0; count < UNPROVEN_PER_DAY; count++) {
    await fixture.call('POST', '/auth/verification', { as: first });
    await register(`${name}+${count}@farmgate.test`);
  }
  await settled();
  expect(toName()).toHaveLength(UNPROVEN_PER_DAY);
  // Its owner can still ask for a new password, which proves it.
  await fixture.call('POST', '/auth/forgot-password', { body: { email: first.email } });
  await until(() => mailsTo(first).some(({ subject }) => subject === 'Set a new password'));
  const token = await makeVerificationLink(fixture, first.id);
  await fixture.call('POST', '/auth/verify-email', { body: { token } });
});

it('resets are limited for an account whether or not Redis has counted them', async () => {
  const consumer = await fixture.join('consumer');
  const resets = () =>
    mailsTo(consumer).filter(({ subject }) => subject === 'Set a new password').length;
  for (let count = 0; count < RESETS_PER_HOUR + 3; count++) {
    await fixture.call('POST', '/auth/forgot-password', { body: { email: consumer.email } });
  }
  await settled();
  expect(resets()).toBe(RESETS_PER_HOUR);
});

it('pushes that are held for one time are one message to each browser, of the last with how many', async () => {
  const { id: userId } = await fixture.join('consumer');
  const { db, database, log } = fixture.platform;
  const browsers = ['one', 'two'].map((name) => ({
    id: randomUUID(),
    userId,
    endpoint: `https://push.test/${name}-${userId}`,
    p256dh: 'key',
    auth: 'auth',
  }));
  await db.pushSubscription.createMany({ data: browsers });
  const dueAt = new Date(Date.now() + 300_000);
  const about = `/orders/${randomUUID()}`;
  const keys = ['first', 'second', 'third'].map((name) => `order.slotMoved:${name}`);
  const kind = 'order.slotMoved';
  await db.notification.createMany({
    data: keys.map((key, index) => ({
      userId,
      kind,
      key,
      title: 'Your pickup was moved',
      body: key,
      link: about,
      createdAt: new Date(Date.now() + index),
    })),
  });
  const rows = browsers.flatMap(({ id }) =>
    keys.map((key) => ({ id: randomUUID(), key: `${key}@${id}` })),
  );
  await db.notificationDelivery.createMany({
    data: rows.map((row) => ({
      ...row,
      userId,
      kind,
      channel: 'push',
      about,
      isHeld: true,
      dueAt,
    })),
  });
  const exclusive = createExclusive({ newClient: database.newClient, log });
  const sent: [string, string][] = [];
  const send: PushClient['send'] = async ({ endpoint }, { body }) => {
    sent.push([endpoint, body]);
  };
  const limit = createPersonLimit({ max: 10, delayMs: 1, spacingMs: 1 });
  for (const { id: deliveryId } of rows) {
    const tools = { exclusive, pushClient: { send }, limit, claimAlert };
    await deliverPush(fixture.platform, tools, { deliveryId, isLast: false });
  }
  await exclusive.close();
  expect(sent).toEqual(
    browsers.map(({ endpoint }) => [endpoint, 'order.slotMoved:third (and 2 more)']),
  );
});
