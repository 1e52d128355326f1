import { generateSync } from 'otplib';
import type { CDPSession, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { PASSWORD, type Person, type Session } from './people.ts';

const market = openMarket({ hasWorker: false });

const codeOf = (secret: string, inSeconds = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + inSeconds });

/** Gives the page's browser a fingerprint reader whose owner is there. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

async function enterPassword(page: Page, { user: { email } }: Session) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signOut(page: Page) {
  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
}

/** Answers the question for the password in the open dialog. */
async function confirmPassword(page: Page, button: string) {
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: button }).click();
}

/** Adds a passkey to the account of anyone who looks, and returns the device that has it. */
async function addPasskey(visitor: Person): Promise<CDPSession> {
  const { page } = visitor;
  const device = await addAuthenticator(page);
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(page, 'Continue');
  await toastOf(visitor, 'Passkey added.').waitFor();
  return device;
}

it('protects an account with an app: set up, sign in with a code, a recovery code, turn off', async () => {
  const me = await market.register('consumer', 'Tilda Two');
  const visitor = await market.visit({ as: me, allowedErrors: REFUSED });
  const { page } = visitor;
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Set up an app' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Your password').fill('a guess');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('That is not your password.').waitFor();
  await confirmPassword(page, 'Continue');

  await dialog.locator('svg path[fill="#000"]').waitFor();
  const uri = await dialog.getByRole('link', { name: /^Open in an app/ }).getAttribute('href');
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
  const code = dialog.getByLabel('Code from the app');
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^That code is not right/).waitFor();
  await code.fill(codeOf(secret));
  await page.keyboard.press('Enter');
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  await expect.poll(() => codes.count()).toBe(10);
  const [recoveryCode = '', anotherCode = ''] = await codes.allTextContents();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe('farmgate-recovery-codes.txt');
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText(/10 recovery codes are left/).waitFor();
  // The button that opened it is gone; what stands in its place has the focus.
  const next = page.getByRole('button', { name: 'New recovery codes' });
  await until('the focus', () => next.evaluate((button) => button === document.activeElement));

  // The password alone leads to the second step, and what was asked for is kept.
  await signOut(page);
  await page.goto('/orders?status=completed');
  await page.waitForURL(/\/login/);
  await enterPassword(page, me);
  const asked = page.getByLabel('Code from your app');
  await until('the focus', () => asked.evaluate((box) => box === document.activeElement));
  await asked.fill('000000');
  await page.keyboard.press('Enter');
  await page
    .getByText(/^That code is not right/)
    .first()
    .waitFor();
  await asked.fill(codeOf(secret, 30));
  await page.keyboard.press('Enter');
  await toastOf(visitor, 'Login successful!').waitFor();
  await page.waitForURL('**/orders?status=completed');

  // Without the phone, by keyboard alone.
  await signOut(page);
  await page.goto('/login');
  await enterPassword(page, me);
  await asked.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await until('the field of recovery codes', () =>
    page.getByLabel('Recovery code').evaluate((box) => box === document.activeElement),
  );
  await page.keyboard.type(recoveryCode.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await page.waitForURL(`${market.url}/`);

  await page.goto('/profile');
  await page.getByText(/9 recovery codes are left/).waitFor();
  await page.getByRole('button', { name: 'Turn off', exact: true }).first().click();
  await confirmPassword(page, 'Turn off');
  await dialog.getByText('Enter the code that your authenticator app shows.').waitFor();
  await dialog.getByLabel('Code from your app').fill(anotherCode);
  await page.keyboard.press('Enter');
  await toastOf(visitor, 'Your authenticator app is off.').waitFor();
  await page.getByRole('button', { name: 'Set up an app' }).waitFor();
  await signOut(page);
  await page.goto('/login');
  await enterPassword(page, me);
  await page.waitForURL(`${market.url}/`);
});

it('adds a passkey, signs in with it and removes it', async () => {
  const me = await market.register('farmer', 'Petra Passkey');
  const visitor = await market.visit({ as: me, allowedErrors: REFUSED });
  const { page } = visitor;
  const device = await addPasskey(visitor);
  const rows = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await rows.getByText('not used yet').waitFor();

  // The browser knows that this device has one.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(page, 'Continue');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('This device has a passkey of your account already.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/farmer/dashboard');
  await page.goto('/profile');
  await rows.getByText(/last used/).waitFor();

  await page.getByRole('button', { name: /^Remove the passkey/ }).click();
  await confirmPassword(page, 'Remove');
  await toastOf(visitor, 'Passkey removed.').waitFor();
  await rows.waitFor({ state: 'detached' });
  await signOut(page);
  await page.goto('/login');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page
    .locator('main')
    .getByText(/^This passkey doesn't open an account here/)
    .waitFor();
  // The password still does.
  await enterPassword(page, me);
  await page.waitForURL('**/farmer/dashboard');
  await device.detach();
});

it('asks for the second factor too before the account is deleted, and takes a passkey for it', async () => {
  const me = await market.register('consumer', 'Gil Leaves');
  const visitor = await market.visit({ as: me, allowedErrors: REFUSED });
  const { page } = visitor;
  const device = await addPasskey(visitor);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await confirmPassword(page, 'Continue');
  const dialog = page.getByRole('alertdialog');
  const uri = await dialog.getByRole('link', { name: /^Open in an app/ }).getAttribute('href');
  const secret = new URL(uri ?? '').searchParams.get('secret') ?? '';
  await dialog.getByLabel('Code from the app').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const code = dialog.getByLabel('Code from your app');
  await code.waitFor();
  await confirmPassword(page, 'Delete my account');
  await dialog.getByText('Enter the code that your authenticator app shows.').waitFor();
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^That code is not right/).waitFor();
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click();
  await code.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await toastOf(visitor, 'Your account was deleted.').waitFor();
  await page.waitForURL(`${market.url}/`);
  await device.detach();
});

it('is removed by an admin for somebody who lost it', async () => {
  const me = await market.register('consumer', 'Lotte Lost');
  const visitor = await market.visit({ as: me });
  const device = await addAuthenticator(visitor.page);
  await visitor.page.goto('/profile');
  await visitor.page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(visitor.page, 'Continue');
  await toastOf(visitor, 'Passkey added.').waitFor();

  const admin = await market.visit({ as: 'admin', width: 360, dark: true });
  const { page } = admin;
  await page.goto(`/admin/users/${me.user._id}`);
  await page.getByRole('button', { name: 'Remove second factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the second factor of Lotte Lost?' });
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await dialog.getByText('Write how you know who asks.').waitFor();
  await dialog.getByLabel("How do you know it's them?").fill('I called the number that we know.');
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await toastOf(admin, "Second factor removed. We've told them.").waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove second factor' }).waitFor({ state: 'detached' });
  await page.getByText('Reason: I called the number that we know.').first().waitFor();
  await visitor.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await device.detach();
});

it('asks an admin for it, until another week or for good', async () => {
  const visitor = await market.visit({ as: 'admin' });
  const { page } = visitor;
  const device = await addAuthenticator(page);
  const reminder = page.getByRole('region', { name: 'Protect your account' });
  await page.goto('/admin/dashboard');
  await reminder.getByRole('button', { name: 'In a week' }).click();
  await reminder.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Recent products' }).waitFor();
  expect(await reminder.count()).toBe(0);

  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith(':ask-second-factor-at'));
    localStorage.removeItem(key ?? '');
  });
  await page.reload();
  await reminder.getByRole('link', { name: 'Set it up' }).click();
  await page.getByRole('heading', { name: 'Sign-in and security' }).waitFor();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await confirmPassword(page, 'Continue');
  await toastOf(visitor, 'Passkey added.').waitFor();
  await page.goto('/admin/dashboard');
  await page.getByRole('heading', { name: 'Recent products' }).waitFor();
  expect(await reminder.count()).toBe(0);
  await page.goto('/admin/audit');
  await page.getByRole('table').getByText('Passkey added').first().waitFor();
  await device.detach();
});
