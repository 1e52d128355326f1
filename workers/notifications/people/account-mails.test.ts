// @long It waits for workers and timers.

import { expect, it } from 'vitest';
import { AT_ONCE, keepAwake } from '../../../server/testing/awake.ts';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import { type Caller, startTestMarket } from '../../../server/testing/market.ts';
import { changeMarket } from '../../../server/testing/market-settings.ts';
import { addPasskey } from '../../../server/testing/second-factor.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { placeOrder } from '../../testing/orders.ts';

const { mailbox, market } = await startWithMailbox(startTestMarket, {
  PUBLIC_URL: 'https://market.test',
  UNREAD_EMAIL_AFTER_SECONDS: '1',
});
await keepAwake(market.platform, AT_ONCE);

const confirmationsTo = ({ email }: Caller) =>
  mailbox.confirmations.filter(({ to }) => to === email);
const tokenIn = (text: string) => /verify-email\?token=([\w-]+)/.exec(text)?.[1] ?? '';
/** Waits until a farm was told of an order as far as it can be. */
const told = (subjectId: string) =>
  until(async () => (await market.platform.db.attention.findFirst({ where: { subjectId } }))?.step);
const verify = (token: string) => market.call('POST', '/auth/verify-email', { body: { token } });

it('mails a link that verifies the email, and none once it is verified', async () => {
  const consumer = await market.join('consumer');
  const mail = await until(() => confirmationsTo(consumer)[0]);
  expect(mail.text).toContain('https://market.test/verify-email?token=');
  expect((await verify(tokenIn(mail.text))).status).toBe(200);
  const { body } = await market.call('GET', '/auth/me', { as: consumer });
  expect(body.user.isEmailVerified).toBe(true);

  // Asked for before, and written after it was verified.
  const { db } = market.platform;
  const key = 'email.verification:late';
  const data = { userId: consumer.id, key, channel: 'email', kind: 'email.verification' } as const;
  const { id } = await db.notificationDelivery.create({ data: { ...data, dueAt: new Date(0) } });
  await until(
    async () => (await db.notificationDelivery.findUnique({ where: { id } }))?.status === 'skipped',
  );
  expect(confirmationsTo(consumer)).toHaveLength(1);
});

const mailAbout = (address: string, subject: string) =>
  until(() => mailbox.mailsTo(address).find((mail) => mail.subject === subject));
const refuse = (token: string) =>
  market.call('POST', '/auth/verify-email/not-me', { body: { token } });
const askForReset = (email: string) =>
  market.call('POST', '/auth/forgot-password', { body: { email } });
const resetBy = async ({ text }: { text: string }) => {
  const token = /reset-password\?token=([\w-]+)/.exec(text)?.[1];
  const body = { token, password: 'brand new' };
  return (await market.call('POST', '/auth/reset-password', { body })).status;
};

it('mails what a reset has left', async () => {
  const consumer = await market.join('consumer');
  await verify(tokenIn((await until(() => confirmationsTo(consumer)[0])).text));
  await addPasskey(market, consumer);
  await askForReset(consumer.email);
  expect(await resetBy(await mailAbout(consumer.email, 'Set a new password'))).toBe(200);
  const { text } = await mailAbout(consumer.email, 'Your password was set anew');
  expect(text).toMatch(/Still there: the passkey of .*Remove what you do not know/s);
});

it('mails both addresses of a change of email, each a link that does what it says', async () => {
  const consumer = await market.join('consumer');
  await verify(tokenIn((await until(() => confirmationsTo(consumer)[0])).text));
  const email = `${crypto.randomUUID()}@farmgate.test`;
  const body = { email, password: 'password123' };
  expect((await market.call('PUT', '/auth/email', { as: consumer, body })).status).toBe(200);
  const [confirm, notice] = [
    await mailAbout(email, 'Confirm your new email'),
    await mailAbout(consumer.email, 'Your email is about to change'),
  ];
  expect(notice.text).toContain(email);
  expect(confirm.text).not.toContain(consumer.email);
  expect((await verify(tokenIn(confirm.text))).status).toBe(200);
  await mailAbout(email, 'Your email was changed');
  expect((await refuse(tokenIn(notice.text))).status).toBe(200);
  expect(await resetBy(await mailAbout(consumer.email, 'Set a new password'))).toBe(200);
  const again = { email: consumer.email, password: 'brand new' };
  expect((await market.call('POST', '/auth/login', { body: again })).status).toBe(200);
});

it('mails nothing but a reset to somebody who said that the account is not theirs', async () => {
  const [taker, consumer] = [await market.join('farmer'), await market.join('consumer')];
  const link = tokenIn((await until(() => confirmationsTo(taker)[0])).text);
  expect((await refuse(link)).status).toBe(200);
  const { _id } = await placeOrder(market.platform, { consumer, farmer: taker });
  await told(_id);
  expect(mailbox.mailsTo(taker.email)).toEqual([]);
  await askForReset(taker.email);
  expect(await resetBy(await mailAbout(taker.email, 'Set a new password'))).toBe(200);
  await mailAbout(taker.email, 'Your password was set anew');
});

it('offers to turn off the mails of notifications with one click, and no other mails', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  await placeOrder(market.platform, { consumer, farmer });
  // Invitations are mailed of those who have proved their own email.
  const asked = await until(() => confirmationsTo(farmer)[0]);
  await proveEmails(market, farmer);
  await market.call('POST', '/auth/forgot-password', { body: { email: farmer.email } });
  const body = { email: `${crypto.randomUUID()}@farmgate.test`, role: 'packer' };
  await market.call('POST', '/farm/members', { as: farmer, body });
  const mailTo = (address: string, subject: string) =>
    until(() => mailbox.mailsTo(address).find((mail) => mail.subject.startsWith(subject)));

  const order = await mailTo(farmer.email, 'You have a new order');
  expect(order.unsubscribe).toMatch(
    new RegExp(`^<https://market\\.test/unsubscribe/${farmer.id}/order\\.placed/[\\w-]{43}>$`),
  );
  expect(order.unsubscribePost).toBe('List-Unsubscribe=One-Click');
  expect(order.text).toContain('Turn off emails like this');
  const others = [
    await mailTo(farmer.email, 'Set a new password'),
    await mailTo(body.email, 'You are invited to work for a farm on Farmgate'),
    asked,
  ];
  for (const mail of others) {
    expect(mail).toMatchObject({ unsubscribe: '', unsubscribePost: '' });
    expect(mail.text).not.toContain('Turn off');
  }

  // The link of the mail, pressed by the mailbox.
  const { pathname } = new URL(order.unsubscribe.slice(1, -1));
  const post = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  expect((await fetch(market.url + pathname, post)).status).toBe(200);
  const { body: chosen } = await market.call('GET', '/notifications/preferences', { as: farmer });
  expect(chosen.data['order.placed']).toEqual({ email: false, push: true, sms: false });
});

it('mails anyone who deleted their account, once, and erases the address', async () => {
  const consumer = await market.join('consumer');
  const body = { password: 'password123' };
  expect((await market.call('DELETE', '/users/me', { as: consumer, body })).status).toBe(200);
  const mail = await until(() => mailbox.mailsTo(consumer.email)[0]);
  expect(mail).toMatchObject({ subject: 'Your account was deleted', unsubscribe: '' });
  expect(mail.text).toContain('Your Farmgate account and everything personal in it are gone');
  const { db } = market.platform;
  await until(async () => (await db.accountDeletionMail.count()) === 0);
  expect(mailbox.mailsTo(consumer.email)).toHaveLength(1);
});

it('mails verified addresses only where the market asks for that, but links and invitations', async () => {
  const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
  await changeMarket(market, { requiresVerifiedEmail: true });
  const { db } = market.platform;
  const { _id } = await placeOrder(market.platform, { consumer, farmer });
  await told(_id);
  const about = { userId: farmer.id, channel: 'email', attention: { subjectId: _id } } as const;
  expect(await db.notificationDelivery.count({ where: about })).toBe(0);
  const admin = await market.join('admin');
  const suspend = (suspended: boolean) =>
    market.call('PUT', `/users/${farmer.id}/suspension`, {
      as: admin,
      body: { suspended, reason: '' },
    });
  const deliveryStatuses = async () =>
    (
      await db.notificationDelivery.findMany({
        where: { userId: farmer.id, kind: 'account.suspension' },
      })
    ).map(({ status }) => status);
  // One about a state that has changed is skipped too.
  await suspend(true);
  await until(async () => (await deliveryStatuses())[0] === 'skipped');
  await suspend(false);
  await until(async () => (await deliveryStatuses()).join() === 'skipped,skipped');
  await market.call('POST', '/auth/forgot-password', { body: { email: farmer.email } });
  await until(() =>
    mailbox.mailsTo(farmer.email).some(({ subject }) => subject === 'Set a new password'),
  );
  expect(mailbox.mailsTo(farmer.email)).toHaveLength(1);

  await verify(tokenIn((await until(() => confirmationsTo(farmer)[0])).text));
  await db.user.update({ where: { id: consumer.id }, data: { emailVerifiedAt: new Date() } });
  await placeOrder(market.platform, { consumer, farmer });
  await until(() =>
    mailbox.mailsTo(farmer.email).some(({ subject }) => subject.startsWith('You have a new order')),
  );
});
