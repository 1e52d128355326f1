import { expect, it } from 'vitest';
import { theMarket } from '#contract/platform/market/constants';
import { presentProduct, productInclude } from '../../../server/catalogue/products/present.ts';
import { record } from '../../../server/platform/events/event-log.ts';
import { keepAwake } from '../../../server/testing/awake.ts';
import { makeCategory, startTestMarket } from '../../../server/testing/market.ts';
import { scaled, until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { changeStatus, placeOrder } from '../../testing/orders.ts';

/** A hostile name: a link, a new header, reordered and hidden text. */
const HOSTILE =
  'You won! https://evil.example\r\nBcc: victim@farmgate.test\r\n\r\n<h1>Pay</h1>\u202e\u200b';
const SHOWN = 'You won! https://evil.example Bcc: victim@farmgate.test <h1…';

const { mailbox, market } = await startWithMailbox(startTestMarket, {
  // Orders that are answered at once are neither mailed as new nor reminded of, also on a busy machine.
  UNREAD_EMAIL_AFTER_SECONDS: String(Math.ceil(scaled(3000) / 1000)),
  UNANSWERED_AFTER_SECONDS: String(Math.ceil(scaled(5000) / 1000)),
});
await keepAwake(market.platform);
const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
const { db } = market.platform;
await db.user.updateMany({
  where: { id: { in: [consumer.id, farmer.id] } },
  data: { name: HOSTILE },
});
await db.farmerProfile.updateMany({ where: { userId: farmer.id }, data: { farmName: HOSTILE } });

async function runLow(): Promise<void> {
  const { platform } = market;
  const row = await platform.db.product.create({
    data: {
      farmerId: farmer.id,
      categoryId: await makeCategory(platform),
      name: HOSTILE,
      description: HOSTILE,
      priceMinor: 200,
      unit: 'bunch',
      stockMilli: 1000,
    },
    include: productInclude,
  });
  await record(platform.db, { name: 'product.updated', data: presentProduct(row), rooms: [] });
  await platform.eventLog.sequence();
}

it('keeps user-written text out of mail headers and escapes it in the body', async () => {
  const { platform } = market;
  const order = await placeOrder(platform, { consumer, farmer });
  const rejected = await placeOrder(platform, { consumer, farmer });
  const change = { status: 'rejected', by: farmer, reason: HOSTILE } as const;
  await changeStatus(platform, rejected, change);
  const cancelled = await placeOrder(platform, { consumer, farmer });
  await changeStatus(platform, cancelled, { status: 'cancelled', by: consumer, reason: HOSTILE });
  await market.call('POST', '/messages', {
    as: consumer,
    body: { receiver: farmer.id, content: HOSTILE },
  });
  await market.call('POST', '/auth/forgot-password', { body: { email: consumer.email } });
  await runLow();

  // The mail of the new order is left out where its reminder came first, which says the same.
  const isOptional = (subject: string) => subject.startsWith('You have a new order');
  const when = 'Wed, May 1, 2030 at 10:00 AM';
  const subjects = [
    'A product needs restocking',
    `An order is waiting for your answer: ${when}`,
    'New message on Farmgate',
    'Set a new password',
    `Your order was rejected: ${when}`,
    `Order #${cancelled._id.slice(0, 8)} was cancelled: ${when}`,
  ];
  await until(() => {
    const sent = new Set(mailbox.mails.map(({ subject }) => subject));
    return subjects.every((subject) => sent.has(subject));
  });
  const mails = [...mailbox.mailsTo(consumer.email), ...mailbox.mailsTo(farmer.email)];
  const sent = mails.map(({ subject }) => subject).filter((subject) => !isOptional(subject));
  expect(sent.sort()).toEqual(subjects.sort());
  for (const { text, to } of mails) {
    const [headers = ''] = text.split('\r\n\r\n');
    expect(headers).toMatch(new RegExp(`^To: <?${to}>?$`, 'm'));
    // The token of the link and all ids are random, and may spell anything.
    const said = headers.replace(/(?<=\/)[\w-]{43}(?=>)|\b[\da-f]{8,}(-[\da-f]{4,})*/g, '');
    expect(said).not.toMatch(/evil|won|bcc|victim/i);
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect(text.split('<!doctype html>')[1]).not.toMatch(/<h1|^Bcc/im);
    expect(text).toContain('Hello,');
  }
  const byFarmer = mails.find(({ subject }) => subject === 'A product needs restocking');
  expect(byFarmer?.text).toContain(SHOWN.replace('<h1…', '&lt;h1…'));
  expect(order.status).toBe('pending');
});

it('comes from the market, in its name and with its contact', async () => {
  const before = theMarket();
  const admin = await market.join('admin');
  const contact = { address: '7 Hill Rd <Barn>', phone: '01 42 68', email: 'hi@hill.test' };
  await market.call('PUT', '/market', { as: admin, body: { name: 'Höhe & Hof', contact } });
  const reader = await market.join('consumer');
  await market.call('POST', '/auth/forgot-password', { body: { email: reader.email } });
  const mail = await until(() => mailbox.mailsTo(reader.email)[0]);
  await market.call('PUT', '/market', {
    as: admin,
    body: { name: before.name, contact: before.contact },
  });
  const [headers = '', ...rest] = mail.text.split('\r\n\r\n');
  const text = rest.join('\n');
  expect(headers).toMatch(/^From: =\?UTF-8\?.+ <hello@farmgate\.test>$/m);
  expect(headers).toMatch(/^Reply-To: hi@hill\.test$/m);
  for (const line of ['for your Höhe & Hof account', '7 Hill Rd <Barn>', '01 42 68']) {
    expect(text).toContain(line);
  }
  expect(text).toContain(
    '<p style="margin:0 0 16px;font-weight:600;color:#2f6b3a">Höhe &amp; Hof</p>',
  );
  expect(text).toContain('7 Hill Rd &lt;Barn&gt;');
});
