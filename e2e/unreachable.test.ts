import { afterAll, expect, it } from 'vitest';
import { openSmtpServer } from '../server/testing/smtp-server.ts';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { sidewaysScroll } from './page-list.ts';
import { PASSWORD, type Session } from './people.ts';

// What people, farms and admins see of a mail server that refuses.

const server = await openSmtpServer();
const market = openMarket({ env: { SMTP_URL: server.url } });
afterAll(() => server.close());

/** Registers somebody whose mailbox does not exist, and waits until the mail server has said so. */
async function registerUnreachable(name: string): Promise<Session> {
  server.behaviour.rcptTo = () => '550 5.1.1 User unknown';
  const person = await market.register('consumer', name);
  await until(() => server.askedFor(person.user.email) === 1);
  server.reset();
  return person;
}

it('leads somebody whose address is refused to where they correct it', async () => {
  const consumer = await registerUnreachable('Mia Spelt');
  const visitor = await market.visit({ as: consumer, width: 360, height: 740 });
  const { page } = visitor;
  await page.goto('/products');
  const banner = page.getByRole('region', { name: 'Your email' });
  await banner.getByText(`We can't reach ${consumer.user.email}`).waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  await banner.getByRole('link', { name: 'correct it' }).click();

  const notice = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: 'The mail server says: 550 5.1.1' });
  await notice.waitFor();
  expect(await sidewaysScroll(page)).toBe(0);
  await notice.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  const email = `right-${consumer.user.email}`;
  await dialog.getByLabel('New email').fill(email);
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await banner.waitFor({ state: 'hidden' });
  await until(() => server.mailsTo(email).length === 1);
  expect(server.askedFor(consumer.user.email)).toBe(1);
});

it('tells it live to a page that is open', async () => {
  const consumer = await market.register('consumer', 'Ole Open');
  await until(() => server.mailsTo(consumer.user.email).length === 1);
  const { page } = await market.visit({ as: consumer });
  await page.goto('/orders');
  await page.getByRole('heading', { name: 'My Orders' }).waitFor();
  server.behaviour.rcptTo = () => '550 5.1.1 User unknown';
  const body = JSON.stringify({ email: consumer.user.email });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${market.url}/api/auth/forgot-password`, { method: 'POST', headers, body });
  await page.getByText(`We can't reach ${consumer.user.email}`).waitFor();
  server.reset();
});

it('shows admins whom no mail reaches, lets them mail again, and sends a test mail', async () => {
  const consumer = await registerUnreachable('Nora Nowhere');
  const admin = await market.visit({ as: 'admin', allowedErrors: REFUSED });
  const { page } = admin;
  await page.goto('/admin/users?state=unreachable');
  const table = page.getByRole('table', { name: 'Users' });
  await table.getByRole('link', { name: consumer.user.name }).click();
  await page.getByText(/The mail server says: .*User unknown/).waitFor();
  await page.getByRole('button', { name: 'Mail again' }).click();
  await toastOf(admin, /They get mails again/).waitFor();
  await page.getByText(/No mail reaches them/).waitFor({ state: 'hidden' });

  await page.goto('/admin/health');
  const card = page.getByRole('region', { name: 'Test mail' });
  await card.getByRole('button', { name: 'Send a test mail' }).click();
  await card.getByText(/The mail server took it/).waitFor();
  server.behaviour.mailFrom = () => '550 5.7.1 hello@farmgate.test may not send here';
  await card.getByLabel('To').fill('post@hill.test');
  await card.getByRole('button', { name: 'Send a test mail' }).click();
  await card.getByText(/The mail server refuses it/).waitFor();
  await card.getByRole('listitem').filter({ hasText: 'may not send here' }).waitFor();
  server.reset();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await sidewaysScroll(page)).toBe(0);
});
