// @long It waits for workers and timers.

import { beforeEach, describe, expect, it } from 'vitest';
import { presentProduct, productInclude } from '../../server/catalogue/products/present.ts';
import { record } from '../../server/platform/events/event-log.ts';
import { AT_ONCE, keepAwake } from '../../server/testing/awake.ts';
import { proveEmails } from '../../server/testing/mailed-links.ts';
import { type Caller, makeCategory, startTestMarket } from '../../server/testing/market.ts';
import { scaled, until } from '../../testing/until.ts';
import { startWithMailbox } from '../testing/mailbox.ts';
import { changeStatus, placeOrder } from '../testing/orders.ts';
import { worded } from '../testing/words.ts';

const MAIL_AFTER_SECONDS = Math.ceil(scaled(2000) / 1000);
const UNANSWERED_AFTER_SECONDS = Math.ceil(scaled(6000) / 1000);

/** When orders are handed over that {@link placeOrder} places. */
const WHEN = 'Wed, May 1, 2030 at 10:00 AM';

let consumer: Caller;
let farmer: Caller;

// Two at once, like two processes: everything below must still happen once.
const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  {
    // What is read or answered at once is not mailed, and a mail comes before the reminder that replaces it, also on a
    // busy machine.
    UNREAD_EMAIL_AFTER_SECONDS: String(MAIL_AFTER_SECONDS),
    UNANSWERED_AFTER_SECONDS: String(UNANSWERED_AFTER_SECONDS),
    // Three attempts of a mail.
    MAIL_RETRY_HOURS: String(144 / 3_600_000),
    JOB_BACKOFF_MS: '50',
  },
  2,
);
await keepAwake(market.platform, AT_ONCE);
beforeEach(async () => {
  [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
});

const notificationsOf = async (as: Caller) =>
  worded((await market.call('GET', '/notifications', { as })).body.data);

/** Waits until no reminder waits for its time but those of handovers and what asks, and no delivery to the person is pending. */
const settled = (person: Caller) =>
  until(
    async () =>
      (await market.platform.db.timer.count({
        where: { doneAt: null, kind: { notIn: ['order.reminder', 'attention'] } },
      })) === 0 &&
      (await market.platform.db.notificationDelivery.count({
        where: { userId: person.id, status: { in: ['pending', 'sending'] } },
      })) === 0,
  );

const kindsOf = <T extends { kind: string }>(list: T[], kind: string): T[] =>
  list.filter((each) => each.kind === kind);

describe('a new order', () => {
  it('notifies its farmer once, live, and mails them a link', async () => {
    const socket = await market.connect({ token: farmer.token });
    const received: unknown[] = [];
    socket.on('notification.created', ({ data }) => received.push(data));
    const order = await placeOrder(market.platform, { consumer, farmer });
    // Its reminder may come before it.
    const mail = await until(() =>
      mailbox
        .mailsTo(farmer.email)
        .find(({ subject }) => subject === `You have a new order: ${WHEN}`),
    );
    expect(mail.text).toContain(`${market.env.PUBLIC_URL}/orders/${order._id}`);
    expect(mail.text).toContain('1 item, ₨12.50, pickup on Wed, May 1, 2030 at 10:00 AM');
    const shown = kindsOf(await notificationsOf(farmer), 'order.placed');
    expect(shown).toHaveLength(1);
    // Its reminder may have taken its place meanwhile.
    await until(() => received.length > 0);
    expect(worded(received)[0]).toEqual({ ...shown[0], isRead: false });
    expect(await notificationsOf(consumer)).toEqual([]);
  });

  it('is mailed to a farmer who has only read the notification, and to none who wants no mail', async () => {
    const quiet = await market.join('farmer');
    const choice = { 'order.placed': { email: false, push: true } };
    await market.call('PUT', '/notifications/preferences', { as: quiet, body: choice });
    await placeOrder(market.platform, { consumer, farmer: quiet });
    await placeOrder(market.platform, { consumer, farmer });
    await until(async () => (await notificationsOf(farmer)).length > 0);
    await market.call('PUT', '/notifications/read', { as: farmer, body: {} });
    await settled(farmer);
    await until(async () => kindsOf(await notificationsOf(quiet), 'order.placed').length === 1);
    const rows = await market.platform.db.notificationDelivery.findMany({
      where: { kind: 'order.placed', userId: { in: [farmer.id, quiet.id] } },
    });
    expect(rows.map(({ userId, status }) => [userId, status])).toEqual([[farmer.id, 'sent']]);
  });

  it('plans when its reminder is due', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
    const { db } = market.platform;
    const reminder = await until(() =>
      db.timer.findUnique({ where: { key: `order.unanswered:${order._id}` } }),
    );
    const { createdAt } = await db.notification.findFirstOrThrow({
      where: { userId: farmer.id, key: `order.placed:${order._id}` },
    });
    const waited = Number(reminder.dueAt) - Number(createdAt);
    expect(waited).toBeLessThanOrEqual(UNANSWERED_AFTER_SECONDS * 1000);
    expect(waited).toBeGreaterThan((UNANSWERED_AFTER_SECONDS - 1) * 1000);
  });

  it('notifies its farmer again and admins live when it stays unanswered', async () => {
    const admin = await market.join('admin');
    const socket = await market.connect({ token: admin.token });
    const unanswered: string[] = [];
    socket.on('order.unanswered', ({ data }) => unanswered.push(data._id));
    const [waiting, answered] = await Promise.all([
      placeOrder(market.platform, { consumer, farmer }),
      placeOrder(market.platform, { consumer, farmer }),
    ]);
    await changeStatus(market.platform, answered, { status: 'accepted', by: farmer });
    await until(async () => kindsOf(await notificationsOf(farmer), 'order.unanswered').length > 0);
    await settled(farmer);
    const shown = kindsOf(await notificationsOf(farmer), 'order.unanswered');
    expect(shown.map(({ link }) => link)).toEqual([`/orders/${waiting._id}`]);
    await until(() => unanswered.length > 0);
    expect(unanswered).toEqual([waiting._id]);
  });
});

describe('what is settled', () => {
  const unreadOf = async (as: Caller) =>
    (await market.call('GET', '/notifications', { as })).body.data
      .filter((each: { isRead: boolean }) => !each.isRead)
      .map((each: { kind: string; link: string }) => `${each.kind} ${each.link}`);

  it('is read: an order that was answered or cancelled, and no other one', async () => {
    const [answered, cancelled, waiting] = await Promise.all(
      [1, 2, 3].map(() => placeOrder(market.platform, { consumer, farmer })),
    );
    if (!answered || !cancelled || !waiting) throw new Error('Three orders are needed.');
    await changeStatus(market.platform, answered, { status: 'accepted', by: farmer });
    await changeStatus(market.platform, cancelled, { status: 'cancelled', by: consumer });
    await until(async () =>
      (await unreadOf(farmer)).some((each: string) => each.startsWith('order.cancelledByConsumer')),
    );
    await until(async () => {
      const unread = await unreadOf(farmer);
      return (
        unread.some((each: string) => each.endsWith(waiting._id)) &&
        !unread.some((each: string) => each.endsWith(answered._id)) &&
        !unread.includes(`order.placed /orders/${cancelled._id}`)
      );
    });
    const left = (await unreadOf(farmer)).filter((each: string) => !each.includes('cancelled'));
    expect(left).toEqual([expect.stringMatching(`^order\\.\\w+ /orders/${waiting._id}$`)]);
    // The reminder takes the place of the order's own notification.
    await until(async () =>
      (await unreadOf(farmer)).includes(`order.unanswered /orders/${waiting._id}`),
    );
    expect(await unreadOf(farmer)).not.toContain(`order.placed /orders/${waiting._id}`);
    await changeStatus(market.platform, waiting, { status: 'rejected', by: farmer });
    await until(
      async () => !(await unreadOf(farmer)).includes(`order.unanswered /orders/${waiting._id}`),
    );
    await settled(farmer);
  });

  it('is read: a conversation that was opened', async () => {
    const body = { receiver: farmer.id, content: 'Are there beets?' };
    await market.call('POST', '/messages', { as: consumer, body });
    const about = `message.unread /messages/${consumer.id}`;
    await until(async () => (await unreadOf(farmer)).includes(about));
    await market.call('PUT', `/messages/read/${consumer.id}`, { as: farmer, body: {} });
    await until(async () => !(await unreadOf(farmer)).includes(about));
  });
});

describe('a change of an order', () => {
  it('is mailed to its consumer with the reason, at once when they are offline', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, {
      status: 'rejected',
      by: farmer,
      reason: 'Frost took <the> carrots',
    });
    await until(() => mailbox.mailsTo(consumer.email).length > 0);
    const [mail] = mailbox.mailsTo(consumer.email);
    expect(mail?.subject).toBe(`Your order was rejected: ${WHEN}`);
    expect(mail?.text).toContain('Reason: Frost took <the> carrots');
    expect(mail?.text).toContain('Reason: Frost took &lt;the&gt; carrots');
    expect((await notificationsOf(consumer)).map(({ kind }) => kind)).toEqual([
      'order.statusChanged',
    ]);
  });

  it('does not notify the consumer who made it, but the farmer', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'cancelled', by: consumer });
    await until(
      async () => kindsOf(await notificationsOf(farmer), 'order.cancelledByConsumer').length === 1,
    );
    expect(await notificationsOf(consumer)).toEqual([]);
  });
});

describe('a message', () => {
  const write = (content: string) =>
    market.call('POST', '/messages', { as: consumer, body: { receiver: farmer.id, content } });

  it('notifies once of several unread messages', async () => {
    await proveEmails(market, consumer);
    await write('Are there beets?');
    await write('And leeks?');
    await until(() => mailbox.mailsTo(farmer.email).length > 0);
    await settled(farmer);
    expect(mailbox.mailsTo(farmer.email)).toHaveLength(1);
    expect(await notificationsOf(farmer)).toMatchObject([
      { kind: 'message.unread', body: 'Are there beets?', link: `/messages/${consumer.id}` },
    ]);
  });

  it('does not notify when it was read in time', async () => {
    const { body } = await write('Hello');
    await market.call('PUT', `/messages/read/${consumer.id}`, { as: farmer, body: {} });
    const key = `message.unread:${body.data._id}`;
    await until(() => market.platform.db.timer.findUnique({ where: { key } }));
    await settled(farmer);
    expect(await notificationsOf(farmer)).toEqual([]);
  });
});

it('notifies a farmer each time a product becomes low, and not while it stays low', async () => {
  const { platform } = market;
  const categoryId = await makeCategory(platform);
  const { id } = await platform.db.product.create({
    data: {
      farmerId: farmer.id,
      categoryId,
      name: 'Leeks',
      description: 'Long ones.',
      priceMinor: 200,
      unit: 'bunch',
      stockMilli: 20_000,
    },
  });
  const setStock = async (quantityAvailable: number) => {
    await platform.db.$transaction(async (tx) => {
      const row = await tx.product.update({
        where: { id },
        data: { stockMilli: quantityAvailable * 1000, version: { increment: 1 } },
        include: productInclude,
      });
      await record(tx, { name: 'product.updated', data: presentProduct(row), rooms: [] });
    });
    await platform.eventLog.sequence();
  };
  for (const stock of [12, 9, 4, 10, 0]) await setStock(stock);
  await until(async () => (await notificationsOf(farmer)).length === 2);
  // The order's notification comes last, so nothing is missing before it.
  await placeOrder(platform, { consumer, farmer });
  await until(async () => kindsOf(await notificationsOf(farmer), 'order.placed').length === 1);
  // The first was settled by the restock.
  expect(
    kindsOf(await notificationsOf(farmer), 'stock.low').map(({ title, isRead }) => [title, isRead]),
  ).toEqual([
    ['Leeks is sold out', false],
    ['Leeks is running low', true],
  ]);
});

it('mails a link to set a new password, and nothing to an unknown address', async () => {
  const ask = (email: string) => market.call('POST', '/auth/forgot-password', { body: { email } });
  expect((await ask('nobody@farmgate.test')).status).toBe(200);
  expect((await ask(consumer.email)).status).toBe(200);
  await until(() => mailbox.mailsTo(consumer.email).length > 0);
  const token = /reset-password\?token=([\w-]+)/.exec(
    mailbox.mailsTo(consumer.email)[0]?.text ?? '',
  )?.[1];
  const reset = () =>
    market.call('POST', '/auth/reset-password', { body: { token, password: 'a new one' } });
  expect((await reset()).status).toBe(200);
  expect((await reset()).status).toBe(400);
  expect(mailbox.mailsTo('nobody@farmgate.test')).toEqual([]);
});

describe('while the mail server is away', () => {
  /** Not the mail that asks to confirm the email, which may fail as well. */
  const mailOfChange = () => ({
    userId: consumer.id,
    kind: 'order.statusChanged',
    channel: 'email' as const,
  });

  it('retries until it is back, and sends once', async () => {
    await mailbox.close();
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
    await until(() =>
      market.platform.db.notificationDelivery.findFirst({
        where: { ...mailOfChange(), error: { not: null } },
      }),
    );
    await mailbox.open();
    // It is still retried, or was given up and is retried by hand.
    const { db } = market.platform;
    const row = await until(async () => {
      const found = await db.notificationDelivery.findFirstOrThrow({
        where: mailOfChange(),
      });
      if (found.status === 'failed') {
        const job = await market.platform.queues().email.getJob(found.id);
        if (await job?.isFailed()) await job?.retry();
      }
      return found.status === 'sent' && found;
    });
    expect(row).toMatchObject({ error: null });
    expect(mailbox.mails.filter(({ to }) => to === consumer.email)).toHaveLength(1);
  });

  it('gives up after the last attempt, and keeps the job for a manual retry', async () => {
    const { db } = market.platform;
    await mailbox.close();
    try {
      const order = await placeOrder(market.platform, { consumer, farmer });
      await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
      const failed = await until(() =>
        db.notificationDelivery.findFirst({
          where: { ...mailOfChange(), status: 'failed' },
        }),
      );
      expect(failed).toMatchObject({ attempts: 3, error: expect.stringContaining('ECONNREFUSED') });
      const job = await until(async () => {
        const found = await market.platform.queues().email.getJob(failed.id);
        return (await found?.isFailed()) ? found : undefined;
      });
      await mailbox.open();
      await job.retry();
      await until(() => mailbox.mailsTo(consumer.email).length === 1);
    } finally {
      await mailbox.close();
      await mailbox.open();
    }
  });
});
