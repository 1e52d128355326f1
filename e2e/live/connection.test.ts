import { decodeJwt, SignJWT } from 'jose';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import type { Person } from '../people.ts';
import { type Program, SECRET } from '../stack.ts';
import { badge, expectNoReload, openMarket } from './helpers.ts';

const market = openMarket({ workers: 0 });

let server: Program | undefined;

/** Kills the server. @returns a function that starts another one at its address */
async function killServer(): Promise<() => Promise<void>> {
  const killed = server ?? market.stack().servers[0];
  const port = Number(new URL(market.stack().url).port);
  await killed?.end('SIGKILL');
  return async () => {
    server = await market.stack().startServer(port);
  };
}

const row = ({ page }: Person, order: Order) =>
  page.getByRole('row', { name: new RegExp(order._id.slice(0, 8)) });

it('shows the connection state and misses nothing while server or network are away', async () => {
  const product = await market.createProduct({ name: 'Radishes', quantityAvailable: 500 });
  const admin = await market.open('admin', '/admin/orders');
  const farmer = await market.open('farmer', '/farmer/orders');
  await admin.page.getByRole('row').nth(1).waitFor();
  const reloadChecks = await Promise.all([admin, farmer].map(expectNoReload));

  // One person goes offline; the others continue.
  await admin.context.setOffline(true);
  await badge(admin, 'Offline').waitFor();
  const missed = await market.placeOrder('consumer', product);
  await market.callApi('farmer', 'PUT', `/orders/${missed._id}`, { status: 'accepted' });
  await farmer.page
    .getByText(`#${missed._id.slice(0, 8)}`)
    .first()
    .waitFor();
  expect(await row(admin, missed).count()).toBe(0);
  await admin.context.setOffline(false);
  await badge(admin, 'Live').waitFor();
  await row(admin, missed).getByText('Accepted').first().waitFor();

  // The server is killed and restarted at the same address.
  const restartServer = await killServer();
  await Promise.all([admin, farmer].map((person) => badge(person, 'Reconnecting').waitFor()));
  await restartServer();
  await Promise.all([admin, farmer].map((person) => badge(person, 'Live').waitFor()));
  const after = await market.placeOrder('consumer', product);
  await row(admin, after).getByText('Pending').first().waitFor();
  for (const check of reloadChecks) await check();
});

it('updates a frozen tab as soon as it resumes', async () => {
  const product = await market.createProduct({ name: 'Parsnips', quantityAvailable: 500 });
  const admin = await market.open('admin', '/admin/orders');
  await admin.page.getByRole('row').nth(1).waitFor();
  const check = await expectNoReload(admin);
  const devtools = await admin.context.newCDPSession(admin.page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });

  // The connection breaks while the tab is frozen.
  const restartServer = await killServer();
  await restartServer();
  const missed = await market.placeOrder('consumer', product);
  await market.callApi('farmer', 'PUT', `/orders/${missed._id}`, { status: 'rejected' });

  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await row(admin, missed).getByText('Rejected').first().waitFor();
  await badge(admin, 'Live').waitFor();
  await check();
});

it('asks to sign in over the page and keeps the cart when a token expires while connected', async () => {
  const product = await market.createProduct({ name: 'Rhubarb' });
  const session = await market.session('consumer');
  const { user } = session;
  const { page } = await market.visit(`/products/${product._id}`, session);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).click();
  const checkout = page.getByRole('heading', { name: 'Checkout', level: 1 });
  await checkout.waitFor();
  // Begins when the page is as it shall be: a busy machine takes its time to get there.
  const secondsLeft = 20;
  const token = await new SignJWT({ v: 1, sid: decodeJwt(session.token).sid })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user._id)
    .setIssuedAt()
    .setExpirationTime(`${secondsLeft}s`)
    .sign(new TextEncoder().encode(SECRET));
  await page.evaluate((expiring) => localStorage.setItem('token', expiring), token);
  await page.reload();
  await checkout.waitFor();
  // Without any click: the live connection reports the end of the session.
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  expect(new URL(page.url()).pathname).toBe('/checkout');
  await expect.poll(() => again.locator('input[name=email]').inputValue()).toBe(user.email);
  await again.locator('input[name=password]').fill('password123');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await checkout.waitFor();
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
});

it('keeps two tabs of one person up to date and signs both out', async () => {
  const product = await market.createProduct({ name: 'Salsify', quantityAvailable: 500 });
  const first = await market.open('consumer2', `/products/${product._id}`);
  const second = { ...first, page: await first.context.newPage() };
  await second.page.goto('/orders');
  await badge(second, 'Live').waitFor();

  await first.page.getByRole('button', { name: 'Add to Cart' }).click();
  await second.page.getByRole('link', { name: 'Cart (1)' }).waitFor();
  const order = await market.placeOrder('consumer2', product);
  await second.page
    .getByText(`#${order._id.slice(0, 8)}`)
    .first()
    .waitFor();
  await first.page.goto(`/orders/${order._id}`);
  await first.page
    .getByRole('button', { name: /^Cancel order/ })
    .first()
    .click();
  await first.page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Cancel order/ })
    .click();
  const card = second.page.getByRole('listitem').filter({ hasText: `#${order._id.slice(0, 8)}` });
  await card.getByText('Cancelled').first().waitFor();

  await first.page
    .getByRole('button', { name: first.session.user.name.split(' ')[0] ?? '' })
    .click();
  await first.page.getByRole('menuitem', { name: 'Logout' }).click();
  await first.page.getByText('Logged out successfully!').waitFor();
  await second.page.waitForURL('**/login');
  await expect.poll(() => second.page.evaluate(() => localStorage.getItem('token'))).toBe(null);

  // Another account signs in there: this tab follows and shows nothing of the first.
  await second.page.locator('input[name=email]').fill('consumer@farmgate.test');
  await second.page.locator('input[name=password]').fill('password123');
  await second.page.getByRole('button', { name: 'Sign in' }).click();
  await second.page.getByText('Login successful!').waitFor();
  await until('the other tab to follow', async () => {
    const button = first.page.getByRole('link', { name: 'Login', exact: true });
    return (await button.count()) === 0;
  });
  await first.page.goto('/orders');
  await first.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await first.page.getByText(`#${order._id.slice(0, 8)}`).count()).toBe(0);
});
