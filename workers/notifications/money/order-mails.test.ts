import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { createOrderFixture } from '../../../server/ordering/testing/fixture.ts';
import { toMessage } from '../../../server/platform/process/smtp.ts';
import { AT_ONCE, keepAwake } from '../../../server/testing/awake.ts';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import type { Caller } from '../../../server/testing/market.ts';
import { changeMarket } from '../../../server/testing/market-settings.ts';
import { makePlace, slotsAhead } from '../../../server/testing/slots.ts';
import { createSender } from '../../testing/sender.ts';

// What mails say of an order beside what happened to it.

const fixture = await createOrderFixture();
afterAll(() => fixture.close());
const { db } = fixture.platform;
const { mailedBy } = createSender(fixture.platform);
await keepAwake(fixture.platform, AT_ONCE);

let farmer: Caller;
let consumer: Caller;
beforeEach(async () => {
  farmer = await fixture.join('farmer');
  consumer = await fixture.join('consumer', 'Cora Buyer');
  await db.farmerProfile.updateMany({
    where: { userId: farmer.id },
    data: { farmName: 'Green Valley' },
  });
  await proveEmails(fixture, farmer, consumer);
});

const DAY = '2027-05-01';
const DELIVERY = {
  pickupDetails: undefined,
  deliveryDetails: {
    address: { street: '1 Mill Rd', city: 'Salem', state: 'OR', zipCode: '97301' },
    date: DAY,
    time: '09:30',
    isAreaConfirmed: true,
  },
};
const PICKUP = { pickupDetails: { date: DAY, time: '09:30', location: 'The red gate' } };

/** Places an order at the farm, far enough ahead. */
async function placed(over: Record<string, unknown> = PICKUP, names = ['Carrots']): Promise<Order> {
  await db.farmerProfile.updateMany({
    where: { userId: farmer.id },
    data: { bookableDays: 366, acceptsDelivery: true, deliveryRadius: 10 },
  });
  const items = await Promise.all(
    names.map(async (name) => ({
      product: await fixture.createProduct(1000, { farmerId: farmer.id, name }),
      quantity: 2,
    })),
  );
  const { status, body } = await fixture.order(items, {
    as: consumer,
    over: { farmer: farmer.id, ...over },
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

const answered = (order: Order, status: string, reason?: string) =>
  mailedBy(() => fixture.changeStatus(order._id, status, farmer, reason));

it('names who accepted, and when it is, and says where, what, how much and how to pay', async () => {
  const order = await placed();
  const [mail, ...others] = await answered(order, 'accepted');
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Green Valley accepted: Sat, May 1, 2027 at 9:30 AM');
  for (const line of [
    'When: Sat, May 1, 2027 at 9:30 AM',
    'Where: The red gate',
    'Goods: 2 lb Carrots',
    'Total: ₨5.00',
    'Payment: Bring ₨5.00 in cash when you pick it up.',
  ]) {
    expect(mail?.text.split('\n')).toContain(line);
  }
  expect(mail?.html).toContain('<bdi>The red gate</bdi>');
  expect(mail?.html).toMatch(/<th scope="row"[^>]*>How to pay|<th scope="row"[^>]*>Payment</);
});

it('brings a delivery to its address, and the account where it is paid by bank transfer', async () => {
  const details = 'First Bank of Putney\nGB33 BUKB 2020 1555 5555 55';
  expect((await fixture.put('/farm/payment', farmer, { details })).status).toBe(200);
  const order = await placed({ ...DELIVERY, paymentMethod: 'bank_transfer' });
  const [mail] = await answered(order, 'accepted');
  expect(mail?.text).toContain('Delivery to: 1 Mill Rd, Salem, OR 97301\n');
  expect(mail?.text).toContain(
    `Payment:\n- Pay ₨5.00 by bank transfer with the reference #${order._id.slice(0, 8)}. Green Valley gives this account:\n- First Bank of Putney\n- GB33 BUKB`,
  );
});

it('tells the farm who ordered what for when, and not how it is paid itself', async () => {
  await fixture.put('/farm/payment', farmer, { details: 'First Bank of Putney' });
  const [mail] = await mailedBy(() => placed({ ...DELIVERY, paymentMethod: 'bank_transfer' }));
  expect(mail?.to).toBe(farmer.email);
  expect(mail?.subject).toBe('New order from Cora Buyer: Sat, May 1, 2027 at 9:30 AM');
  expect(mail?.text).toContain('Payment: Bank transfer\n');
  expect(mail?.text).not.toContain('First Bank');
  expect(mail?.attachments).toEqual([]);
});

it('shortens many goods and says how many more there are', async () => {
  const names = Array.from({ length: 23 }, (_, index) => `Apple ${String(index).padStart(2, '0')}`);
  const [mail] = await answered(await placed(PICKUP, names), 'accepted');
  expect(mail?.text.match(/^- 2 lb Apple/gm)).toHaveLength(9);
  expect(mail?.text).toContain('\n- 14 more\nTotal: ₨115.00');
});

it('says nothing of time, place and payment once an order was called off', async () => {
  const [mail] = await answered(await placed(), 'rejected', 'Frost');
  expect(mail?.subject).toBe(
    'Your order at Green Valley was rejected: Sat, May 1, 2027 at 9:30 AM',
  );
  expect(mail?.text).not.toMatch(/^(When|Where|Goods|Total|Payment):/m);
  expect(mail?.attachments).toEqual([]);
});

it('names nobody in a subject where the address is not proven, or the name is none', async () => {
  await db.user.updateMany({ where: { id: consumer.id }, data: { emailVerifiedAt: null } });
  const [unproven] = await answered(await placed(), 'accepted');
  expect(unproven?.subject).toBe('Your order was accepted: Sat, May 1, 2027 at 9:30 AM');
  await proveEmails(fixture, consumer);
  for (const farmName of ['Win at evil.example', 'Call 0900 1234', 'x'.repeat(61)]) {
    await db.farmerProfile.updateMany({ where: { userId: farmer.id }, data: { farmName } });
    const [hostile] = await answered(await placed(), 'accepted');
    expect(hostile?.subject).toBe('Your order was accepted: Sat, May 1, 2027 at 9:30 AM');
  }
});

/** Returns the fields of a calendar file. */
const fieldIn = (file = '', name = ''): string =>
  new RegExp(`^${name}[:;](.*)$`, 'm')
    .exec(file.replace(/\r\n[ \t]/g, ''))?.[1]
    ?.replace(/[\u2066-\u2069\r]/g, '') ?? '';

it('attaches the handover in the language of its reader, and takes it out of the calendar again', async () => {
  await changeMarket(fixture, { languages: ['en', 'de', 'ur'] });
  const titles = { en: 'Pick up at Green Valley', de: 'Abholung bei Green Valley', ur: null };
  for (const [language, title] of Object.entries(titles)) {
    await db.user.updateMany({ where: { id: consumer.id }, data: { language } });
    const order = await placed();
    const [accepted] = await answered(order, 'accepted');
    const [file, ...others] = accepted?.attachments ?? [];
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      filename: `order-${order._id.slice(0, 8)}.ics`,
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
    });
    expect(fieldIn(file?.content, 'STATUS')).toBe('CONFIRMED');
    const summary = fieldIn(file?.content, 'SUMMARY');
    if (title) expect(summary).toBe(title);
    else expect(summary).toMatch(/Green Valley.*[\u0600-\u06ff]/);
    const [cancelled] = await answered(order, 'cancelled', 'Frost');
    const gone = cancelled?.attachments?.[0]?.content;
    expect(fieldIn(gone, 'STATUS')).toBe('CANCELLED');
    expect(fieldIn(gone, 'UID')).toBe(fieldIn(file?.content, 'UID'));
    expect(+fieldIn(gone, 'SEQUENCE')).toBeGreaterThan(+fieldIn(file?.content, 'SEQUENCE'));
  }
});

it('puts all mails of an order to one person in one thread, whichever process sends them', async () => {
  const [slot, next] = await slotsAhead(fixture, farmer, await makePlace(fixture, farmer));
  const order = await placed({ pickupDetails: { slotId: slot?._id } });
  const other = await placed({ pickupDetails: { slotId: slot?._id } });
  const mails = [
    ...(await answered(order, 'accepted')),
    ...(await mailedBy(() =>
      fixture.put(`/orders/${order._id}/slot`, farmer, { slotId: next?._id, expectedVersion: 2 }),
    )),
    ...(await answered(order, 'completed')),
  ];
  expect(mails.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Green Valley accepted: /),
    // With the old moment and the new one, and without the new one once more.
    expect.stringMatching(
      /^Your pickup at Green Valley on .+ was moved from [\d:]+ AM to [\d:]+ AM$/,
    ),
    expect.stringMatching(/^Your order at Green Valley is complete: /),
  ]);
  const messages = mails.map((mail) => toMessage(fixture.env, mail));
  const thread = `<order.${order._id}.${consumer.id}@${new URL(fixture.env.PUBLIC_URL).hostname}>`;
  for (const { references, inReplyTo, messageId } of messages) {
    expect([references, inReplyTo]).toEqual([thread, thread]);
    expect(messageId).not.toBe(thread);
  }
  const [elsewhere] = await answered(other, 'accepted');
  expect(elsewhere?.thread).not.toBe(mails[0]?.thread);
  expect(elsewhere?.thread).toContain(other._id);
});

it('says nothing of an order to somebody who left its farm before the mail goes', async () => {
  const { plan, deliver } = createSender(fixture.platform);
  const order = await placed();
  const effect = {
    ...{ do: 'notify' as const, kind: 'order.itemsChanged' as const, userId: farmer.id },
    ...{ key: `order.itemsChanged:${order._id}:9`, link: `/orders/${order._id}` },
    params: { order: order._id, unreturned: [] },
  };
  const planned = await plan([effect]);
  await db.farmMember.deleteMany({ where: { userId: farmer.id } });
  const { mails } = await deliver(planned);
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).not.toMatch(/^(When|Goods|Total):/m);
  expect(mails[0]?.subject).not.toContain('9:30');
});
