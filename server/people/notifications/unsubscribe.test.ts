import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import { until } from '../../../testing/until.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { unsubscribeLink } from './unsubscribe.ts';

const market = closeAfter(await startTestMarket());

const linkOf = ({ id: userId }: Caller, kind: NotificationKind = 'order.statusChanged'): string =>
  market.url + new URL(unsubscribeLink(market.env, { userId, kind })).pathname;

/** What a mailbox sends for one click. */
const click = (link: string, method = 'POST') =>
  fetch(link, {
    method,
    redirect: 'error',
    ...(method === 'POST'
      ? {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
        }
      : {}),
  });
const choices = async (as: Caller) =>
  (await market.get('/notifications/preferences', as)).body.data;

it('turns the mails of one kind off without signing in, keeps the rest, and notifies the person live', async () => {
  const consumer = await market.join('consumer');
  const before = await choices(consumer);
  const socket = await market.connect({ token: consumer.token });
  const received: unknown[] = [];
  socket.on('account.changed', ({ data }) => received.push(data));
  const response = await click(linkOf(consumer));
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('These emails are off');
  expect(await choices(consumer)).toEqual({
    ...before,
    'order.statusChanged': { email: false, push: true },
  });
  await until(() => received.length === 1);
  // A repeat changes nothing, and so sends no event.
  expect((await click(linkOf(consumer))).status).toBe(200);
  const undone = await click(`${linkOf(consumer)}/undo`);
  expect(await undone.text()).toContain('These emails are on again');
  expect(await choices(consumer)).toEqual(before);
  await until(() => received.length === 2);
});

it('changes nothing for programs that look at links, and shows people a page with a button', async () => {
  const consumer = await market.join('consumer');
  const before = await choices(consumer);
  const link = linkOf(consumer);
  expect((await click(link, 'HEAD')).status).toBe(200);
  await click(`${link}/undo`, 'GET');
  const response = await click(link, 'GET');
  const page = await response.text();
  expect(page).toContain('<button>Turn off</button>');
  expect(page).toContain('\u201cYour orders\u201d');
  expect(page).toContain(`action="${new URL(link).pathname}"`);
  expect(page).not.toMatch(/<script|style="|onclick/);
  expect(response.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('x-robots-tag')).toBe('noindex');
  expect(await choices(consumer)).toEqual(before);
  const style = await fetch(`${market.url}/unsubscribe/style.css`);
  expect(style.headers.get('content-type')).toContain('text/css');
});

it('speaks the language of the account, whoever opens the link', async () => {
  await changeMarket(market, { languages: ['en', 'ur'] });
  const consumer = await market.join('consumer');
  const link = linkOf(consumer);
  expect(await (await click(link, 'GET')).text()).toContain('<html lang="en" dir="ltr">');
  await market.platform.db.user.update({
    where: { id: consumer.id },
    data: { language: 'ur' },
  });
  const page = await (await click(link, 'GET')).text();
  expect(page).toContain('<html lang="ur" dir="rtl">');
  expect(page).toContain('<h1>یہ ای میلیں بند کریں؟</h1>');
  expect(page).toContain('”آپ کے آرڈر“');
  expect(await (await click(link)).text()).toContain('<h1>یہ ای میلیں بند ہیں</h1>');
});

it('refuses a link that was tampered with, is of another person or kind, or was cut off', async () => {
  const [one, other] = [await market.join('consumer'), await market.join('consumer')];
  const link = new URL(linkOf(one));
  const [, , userId = '', kind = '', signature = ''] = link.pathname.split('/');
  const bad = [
    `${other.id}/${kind}/${signature}`,
    `${userId}/message.unread/${signature}`,
    `${userId}/password.reset/${signature}`,
    `${userId}/${kind}/${signature.slice(0, -2)}`,
    `${userId}/${kind}/${signature}AA`,
    `${userId}/${kind}`,
    `${randomUUID()}/${kind}/${signature}`,
    'no-id/order.statusChanged/abc',
    '%00/%ff/abc',
  ];
  for (const path of bad) {
    for (const method of ['GET', 'POST']) {
      const response = await click(`${market.url}/unsubscribe/${path}`, method);
      expect([400, 404]).toContain(response.status);
    }
  }
  expect((await choices(one))['order.statusChanged'].email).toBe(true);
  expect((await choices(other))['order.statusChanged'].email).toBe(true);
});

it('says that nothing is left to turn off for a deleted account', async () => {
  const consumer = await market.join('consumer');
  const link = linkOf(consumer);
  const body = { password: 'password123' };
  await market.call('DELETE', '/users/me', { as: consumer, body });
  const response = await click(link);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Nothing left to turn off');
});

it('keeps what was chosen at the same time elsewhere', async () => {
  const consumer = await market.join('consumer');
  const put = (body: unknown) => market.put('/notifications/preferences', consumer, body);
  await Promise.all([
    click(linkOf(consumer)),
    click(linkOf(consumer, 'message.unread')),
    put({ 'order.weighed': { email: false, push: false } }),
  ]);
  const now = await choices(consumer);
  expect(now['order.statusChanged']).toEqual({ email: false, push: true });
  expect(now['message.unread']).toEqual({ email: false, push: true, sms: false });
  expect(now['order.weighed']).toEqual({ email: false, push: false });
});
