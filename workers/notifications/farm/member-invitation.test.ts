import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { proveEmails } from '../../../server/testing/mailed-links.ts';
import { startTestMarket } from '../../../server/testing/market.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';

const { mailbox, market } = await startWithMailbox(startTestMarket);
const owner = await market.join('farmer');
await proveEmails(market, owner);

const linkIn = (text: string): string => /\/invites\/([\w-]+)/.exec(text)?.[1] ?? '';

it('mails a link to anyone who is invited; with the next day’s the first no longer works', async () => {
  const email = `${randomUUID()}@farmgate.test`;
  const invite = (role: string) =>
    market.call('POST', '/farm/members', { as: owner, body: { email, role } });
  await invite('packer');
  await until(() => mailbox.mailsTo(email).length === 1);
  const firstToken = linkIn(mailbox.mailsTo(email)[0]?.text ?? '');
  expect((await market.call('GET', `/invites/${firstToken}`)).body.data.role).toBe('packer');

  await market.platform.db.limitedMail.deleteMany();
  await invite('seller');
  await until(() => mailbox.mailsTo(email).length === 2);
  expect((await market.call('GET', `/invites/${firstToken}`)).status).toBe(404);
  const secondToken = linkIn(mailbox.mailsTo(email)[1]?.text ?? '');
  expect((await market.call('GET', `/invites/${secondToken}`)).body.data.role).toBe('seller');

  const joined = await market.call('POST', `/invites/${secondToken}/accept`, {
    body: { name: 'Cleo', password: 'password123' },
  });
  expect(joined.body.user).toMatchObject({ name: 'Cleo', email, role: 'farmer' });
});
