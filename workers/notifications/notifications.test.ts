import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record } from '../../server/platform/event-log.ts';
import { presentProduct, productInclude } from '../../server/products/present.ts';
import {
  type Caller,
  eventually,
  makeCategory,
  startTestMarket,
  type TestMarket,
} from '../../server/testing/market.ts';
import { startWorkers, type Workers } from '../start.ts';
import { openMailbox } from '../testing/mailbox.ts';
import { changeStatus, placeOrder } from '../testing/orders.ts';

let mailbox: Awaited<ReturnType<typeof openMailbox>>;
let market: TestMarket;
let workers: Workers[];
let consumer: Caller;
let farmer: Caller;

beforeAll(async () => {
  mailbox = await openMailbox();
  market = await startTestMarket({
    SMTP_URL: mailbox.url,
    UNREAD_EMAIL_AFTER_SECONDS: '1',
    UNANSWERED_AFTER_SECONDS: '2',
    JOB_ATTEMPTS: '3',
    JOB_BACKOFF_MS: '50',
  });
  // Two at once, as two processes would be: everything below must still happen once.
  workers = [await startWorkers(market.platform), await startWorkers(market.platform)];
});
beforeEach(async () => {
  [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
});
afterAll(async () => {
  await Promise.all(workers.map((each) => each.close()));
  await market.close();
  await mailbox.close();
});

const bellOf = async (as: Caller) =>
  (await market.call('GET', '/notifications', { as })).body.data as {
    kind: string;
    title: string;
    body: string;
    link: string;
  }[];

/** Waits until nothing of the person's ledger is open. */
const settled = (person: Caller) =>
  eventually(
    async () =>
      (await market.platform.db.notificationDelivery.count({
        where: { userId: person.id, status: { in: ['pending', 'sending'] } },
      })) === 0,
    15_000,
  );

const kindsOf = <T extends { kind: string }>(list: T[], kind: string): T[] =>
  list.filter((each) => each.kind === kind);

describe('a new order', () => {
  it('rings its farmer once, live, and mails them a link', async () => {
    const socket = await market.connect({ token: farmer.token });
    const heard: unknown[] = [];
    socket.on('notification.created', ({ data }) => heard.push(data));
    const order = await placeOrder(market.platform, { consumer, farmer });
    const [mail] = (await eventually(
      () => mailbox.mailsTo(farmer.email).length > 0 && mailbox.mailsTo(farmer.email),
      15_000,
    )) as ReturnType<typeof mailbox.mailsTo>;
    expect(mail?.subject).toBe(`New order from ${consumer.name}`);
    expect(mail?.text).toContain(`${market.env.PUBLIC_URL}/orders/${order._id}`);
    expect(mail?.text).toContain('1 item, ₨12.50, pickup on 2030-05-01');
    const bell = kindsOf(await bellOf(farmer), 'order.placed');
    expect(bell).toHaveLength(1);
    expect(heard[0]).toEqual(bell[0]);
    expect(await bellOf(consumer)).toEqual([]);
  });

  it('is not mailed to a farmer who read of it, nor to one who wants no mail', async () => {
    const quiet = await market.join('farmer');
    const choice = { 'order.placed': { email: false, push: true } };
    await market.call('PUT', '/notifications/preferences', { as: quiet, body: choice });
    await placeOrder(market.platform, { consumer, farmer });
    await placeOrder(market.platform, { consumer, farmer: quiet });
    await eventually(async () => (await bellOf(farmer)).length > 0);
    await market.call('PUT', '/notifications/read', { as: farmer, body: {} });
    await settled(farmer);
    await eventually(async () => kindsOf(await bellOf(quiet), 'order.placed').length === 1);
    const rows = await market.platform.db.notificationDelivery.findMany({
      where: { kind: 'order.placed', userId: { in: [farmer.id, quiet.id] } },
    });
    expect(rows.map(({ userId, status }) => [userId, status])).toEqual([[farmer.id, 'skipped']]);
  });

  it('stands in the ledger with when its mail and the second look are due', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
    const written = () =>
      market.platform.db.notificationDelivery.findMany({
        where: { userId: farmer.id, kind: { in: ['order.placed', 'order.unanswered'] } },
        orderBy: { kind: 'asc' },
      });
    await eventually(async () => (await written()).length === 2);
    const waits = (await written()).map(
      ({ createdAt, dueAt }) => Number(dueAt) - Number(createdAt),
    );
    expect(waits).toEqual([1000, 2000]);
  });

  it('that stays unanswered rings again, and admins hear of it', async () => {
    const admin = await market.join('admin');
    const socket = await market.connect({ token: admin.token });
    const unanswered: string[] = [];
    socket.on('order.unanswered', ({ data }) => unanswered.push(data._id));
    const [waiting, answered] = await Promise.all([
      placeOrder(market.platform, { consumer, farmer }),
      placeOrder(market.platform, { consumer, farmer }),
    ]);
    await changeStatus(market.platform, answered, { status: 'accepted', by: farmer });
    await eventually(
      async () => kindsOf(await bellOf(farmer), 'order.unanswered').length > 0,
      15_000,
    );
    await settled(farmer);
    const bell = kindsOf(await bellOf(farmer), 'order.unanswered');
    expect(bell.map(({ link }) => link)).toEqual([`/orders/${waiting._id}`]);
    await eventually(() => unanswered.length > 0);
    expect(unanswered).toEqual([waiting._id]);
  });
});

describe('a change of an order', () => {
  it('reaches its consumer with the reason, at once when they are away', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, {
      status: 'rejected',
      by: farmer,
      reason: 'Frost took <the> carrots',
    });
    await eventually(() => mailbox.mailsTo(consumer.email).length > 0, 15_000);
    const [mail] = mailbox.mailsTo(consumer.email);
    expect(mail?.subject).toBe('Your order was rejected');
    expect(mail?.text).toContain('Reason: Frost took <the> carrots');
    expect(mail?.text).toContain('Reason: Frost took &lt;the&gt; carrots');
    expect((await bellOf(consumer)).map(({ kind }) => kind)).toEqual(['order.statusChanged']);
  });

  it('is no news to the consumer who made it, and reaches the farmer', async () => {
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'cancelled', by: consumer });
    await eventually(
      async () => kindsOf(await bellOf(farmer), 'order.cancelledByConsumer').length === 1,
    );
    expect(await bellOf(consumer)).toEqual([]);
  });
});

describe('a message', () => {
  const write = (content: string) =>
    market.call('POST', '/messages', { as: consumer, body: { receiver: farmer.id, content } });

  it('rings when it stays unread, once for all that lie there', async () => {
    await write('Are there beets?');
    await write('And leeks?');
    await eventually(() => mailbox.mailsTo(farmer.email).length > 0, 15_000);
    await settled(farmer);
    expect(mailbox.mailsTo(farmer.email)).toHaveLength(1);
    expect(await bellOf(farmer)).toMatchObject([
      { kind: 'message.unread', body: 'Are there beets?', link: `/messages/${consumer.id}` },
    ]);
  });

  it('does not ring when it was read in time', async () => {
    await write('Hello');
    await market.call('PUT', `/messages/read/${consumer.id}`, { as: farmer, body: {} });
    await eventually(async () =>
      market.platform.db.notificationDelivery.count({
        where: { userId: farmer.id },
      }),
    );
    await settled(farmer);
    expect(await bellOf(farmer)).toEqual([]);
  });
});

it('tells a farmer each time a product comes to run low, and not while it stays so', async () => {
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
      quantityAvailable: 20,
    },
  });
  const setStock = async (quantityAvailable: number) => {
    await platform.db.$transaction(async (tx) => {
      const row = await tx.product.update({
        where: { id },
        data: { quantityAvailable, version: { increment: 1 } },
        include: productInclude,
      });
      await record(tx, { name: 'product.updated', data: presentProduct(row), rooms: [] });
    });
    await platform.eventLog.sequence();
  };
  for (const stock of [12, 9, 4, 10, 0]) await setStock(stock);
  await eventually(async () => (await bellOf(farmer)).length === 2);
  // What comes last shows that nothing more was to come before it.
  await placeOrder(platform, { consumer, farmer });
  await eventually(async () => kindsOf(await bellOf(farmer), 'order.placed').length === 1);
  expect(kindsOf(await bellOf(farmer), 'stock.low').map(({ title }) => title)).toEqual([
    'Leeks is sold out',
    'Leeks is running low',
  ]);
});

it('mails a link that sets a new password, and nothing to an unknown address', async () => {
  const ask = (email: string) => market.call('POST', '/auth/forgot-password', { body: { email } });
  expect((await ask('nobody@farmgate.test')).status).toBe(200);
  expect((await ask(consumer.email)).status).toBe(200);
  await eventually(() => mailbox.mailsTo(consumer.email).length > 0, 15_000);
  const token = /reset-password\?token=([\w-]+)/.exec(
    mailbox.mailsTo(consumer.email)[0]?.text ?? '',
  )?.[1];
  const reset = () =>
    market.call('POST', '/auth/reset-password', { body: { token, password: 'a new one' } });
  expect((await reset()).status).toBe(200);
  expect((await reset()).status).toBe(400);
  expect(mailbox.mailsTo('nobody@farmgate.test')).toEqual([]);
});

describe('while no mail is taken', () => {
  it('tries again until one is, and sends it once', async () => {
    await mailbox.close();
    const order = await placeOrder(market.platform, { consumer, farmer });
    await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
    await eventually(
      () =>
        market.platform.db.notificationDelivery.findFirst({
          where: { userId: consumer.id, channel: 'email', error: { not: null } },
        }),
      15_000,
    );
    await mailbox.open();
    // Either it is still being tried, or it was given up: then by hand.
    const { db } = market.platform;
    const row = await eventually(async () => {
      const found = await db.notificationDelivery.findFirstOrThrow({
        where: { userId: consumer.id, channel: 'email' },
      });
      if (found.status === 'failed') {
        const job = await market.platform.queues().email.getJob(found.id);
        if (await job?.isFailed()) await job?.retry();
      }
      return found.status === 'sent' && found;
    }, 20_000);
    expect(row).toMatchObject({ error: null });
    expect(mailbox.mails.filter(({ to }) => to === consumer.email)).toHaveLength(1);
  });

  it('gives up after the last try, and keeps the job to be tried by hand', async () => {
    const { db } = market.platform;
    await mailbox.close();
    try {
      const order = await placeOrder(market.platform, { consumer, farmer });
      await changeStatus(market.platform, order, { status: 'accepted', by: farmer });
      const dead = await eventually(
        () =>
          db.notificationDelivery.findFirst({
            where: { userId: consumer.id, channel: 'email', status: 'failed' },
          }),
        20_000,
      );
      expect(dead).toMatchObject({ attempts: 3, error: expect.stringContaining('ECONNREFUSED') });
      const job = await eventually(async () => {
        const found = await market.platform.queues().email.getJob(dead.id);
        return (await found?.isFailed()) ? found : undefined;
      });
      await mailbox.open();
      await job.retry();
      await eventually(() => mailbox.mailsTo(consumer.email).length === 1, 15_000);
    } finally {
      await mailbox.close();
      await mailbox.open();
    }
  });
});
