import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { ACCOUNTS, PASSWORD, type Person } from './people.ts';

const market = openMarket();

async function signIn({ page }: Person, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('registers an account and shows all errors at once', async () => {
  const visitor = await market.visit({ allowedErrors: REFUSED });
  const { page } = visitor;
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Register', exact: true });
  const role = page.getByLabel('I want to');
  await expect.poll(() => role.inputValue()).toBe('consumer');
  await role.selectOption('farmer');
  await page.getByLabel('Confirm password').fill('something');
  await submit.click();
  for (const words of [
    'Name is required',
    'Please enter a valid email address.',
    'Password must be at least 6 characters',
    'Passwords do not match',
    'Phone is required for farmers',
  ]) {
    await page.getByText(words, { exact: true }).waitFor();
  }
  await until('the focus', () =>
    page.getByLabel('Name').evaluate((box) => box === document.activeElement),
  );

  // The server's word stands in red too, and nothing that was typed is lost.
  await page.getByLabel('Name').fill('Rosa Farm Hand');
  await page.getByLabel('Email').fill(ACCOUNTS.consumer);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByLabel('Phone').fill('555 0100');
  await submit.click();
  await page.locator('main').getByRole('alert').first().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Rosa Farm Hand');

  await page.getByLabel('Email').fill('rosa@example.org');
  await submit.click();
  await toastOf(visitor, 'Registration successful!').waitFor();
  await page.waitForURL('**/farmer/dashboard');
  await page.getByRole('button', { name: 'Rosa', exact: true }).waitFor();
});

it("signs in and out and opens each role's first page", async () => {
  const visitor = await market.visit({ allowedErrors: REFUSED });
  const { page } = visitor;
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Email is required').waitFor();
  await page.getByText('Password is required').waitFor();
  await signIn(visitor, ACCOUNTS.consumer, 'not the password');
  await page.locator('form').getByRole('alert').waitFor();
  await page.getByLabel('Remember me').check();
  for (const [email, home] of [
    [ACCOUNTS.consumer, '/'],
    [ACCOUNTS.farmer, '/farmer/dashboard'],
    [ACCOUNTS.admin, '/admin/dashboard'],
  ] as const) {
    await signIn(visitor, email);
    await toastOf(visitor, 'Login successful!').waitFor();
    await page.waitForURL(`${market.url}${home}`);
    // Neither page is for those who are in already.
    for (const closed of ['/login', '/register']) {
      await page.goto(closed);
      await page.waitForURL(`${market.url}${home}`);
    }
    await page.getByRole('banner').locator('button[aria-haspopup="menu"]').click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await toastOf(visitor, 'Logged out successfully!').waitFor();
    await page.waitForURL(`${market.url}/`);
    const kept = await page.evaluate(() => [localStorage.token, localStorage.user]);
    expect(kept).toEqual([undefined, undefined]);
    await page.getByRole('link', { name: 'Login' }).click();
  }
});

it('sets a new password once by the emailed link', async () => {
  const { user } = await market.register('consumer', 'Forgetful Fred');
  const visitor = await market.visit({ allowedErrors: REFUSED });
  const { page } = visitor;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText(`If there is an account for ${user.email}`).waitFor();

  const mail = await market.mailTo(user.email, '/reset-password');
  const link = mail.match(/http\S+\/reset-password\?token=[\w.-]+/)?.[0] ?? '';
  await page.goto(link);
  await page.getByLabel(/^New password/).fill('a new password');
  await page.getByLabel('Confirm new password').fill('another');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Passwords do not match').waitFor();
  await page.getByLabel('Confirm new password').fill('a new password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
  await page.locator('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(visitor, user.email, 'a new password');
  await toastOf(visitor, 'Login successful!').waitFor();

  await page.goto(link);
  await page.getByLabel(/^New password/).fill('a third password');
  await page.getByLabel('Confirm new password').fill('a third password');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.locator('form').getByRole('alert').waitFor();
});

it('changes the password and ends other sessions, here and on the other device', async () => {
  const session = await market.register('consumer', 'Careful Carla');
  const { email } = session.user;
  const here = await market.visit({ as: session, allowedErrors: REFUSED });
  const there = await market.visit({ allowedErrors: REFUSED });
  await there.page.goto('/login');
  await signIn(there, email);
  await toastOf(there, 'Login successful!').waitFor();

  const { page } = here;
  await page.goto('/profile');
  const security = page.getByRole('region', { name: 'Sign-in and security' });
  await security.getByText('This device').waitFor();
  expect(await security.getByRole('listitem').count()).toBe(2);

  const change = security.getByRole('button', { name: 'Change password' });
  await security.getByLabel('Current password').fill('a guess');
  await security.getByLabel(/^New password/).fill('a new password');
  await security.getByLabel('Repeat new password').fill('a new password');
  await change.click();
  await security.getByText('That is not your current password.').first().waitFor();
  await security.getByLabel('Current password').fill(PASSWORD);
  await change.click();
  await toastOf(here, 'Password changed. Other devices were signed out.').waitFor();
  await until('one session', async () => (await security.getByRole('listitem').count()) === 1);
  // Its connection was closed, without anything done on it.
  const again = there.page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();

  await again.getByLabel('Password').fill('a new password');
  await again.getByRole('button', { name: 'Sign in' }).click();
  await toastOf(there, 'Login successful!').waitFor();
  await page.reload();
  await security
    .getByRole('button', { name: /^Sign out .+/ })
    .first()
    .click();
  await toastOf(here, 'Signed out there.').waitFor();
  await again.getByRole('button', { name: 'Leave without signing in' }).click();
  await there.page.getByRole('link', { name: 'Login' }).waitFor();
});
