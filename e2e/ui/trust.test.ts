import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  injectAxe,
  setColorScheme,
  sidewaysScroll,
  violations,
  waitUntilLoaded,
} from '../page-list.ts';
import { ACCOUNTS, openPerson, PASSWORD, type Session, sharedBrowser, signIn } from '../people.ts';
import { startStack } from '../stack.ts';

// What the demo market has none of: farms that wait, second factors, reports and suspensions, and a market that
// nobody has set up.

const market = openMarket({ hasWorker: false });
let admin: Session;
let draft: Session;
let protectedOne: Session;
let suspendedOne: Session;

beforeAll(async () => {
  admin = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as: admin, body: { approvesFarms: true } });
  const waiting = await market.createFarm('Waiting Farm');
  await market.createProduct(waiting, { name: 'Waiting Beets' });
  const hours = { monday: { open: '08:00', close: '18:00' } };
  await market.call('PUT', '/users/farmers/profile', {
    as: waiting,
    body: { farmName: 'Waiting Farm', description: 'Beets.', businessHours: hours },
  });
  await market.call('POST', '/farm/opening', { as: waiting, body: {} });
  draft = await market.register('farmer', 'Dora Draft');
  await market.call('PUT', '/market', { as: admin, body: { requiresVerifiedEmail: true } });

  protectedOne = await market.register('consumer', 'Tilda Two');
  const begun = await market.call<{ data: { secret: string } }>('POST', '/auth/two-factor/begin', {
    as: protectedOne,
    body: { password: PASSWORD },
  });
  const code = generateSync({ secret: begun.data.secret });
  await market.call('POST', '/auth/two-factor/confirm', { as: protectedOne, body: { code } });

  suspendedOne = await market.register('consumer', 'Sid Suspended');
  await market.call('PUT', `/users/${suspendedOne.user._id}/suspension`, {
    as: admin,
    body: { suspended: true, reason: 'Spam' },
  });
  const user = protectedOne.user._id;
  const note = { _id: crypto.randomUUID(), content: 'Called about a refund.' };
  await market.call('POST', `/admin/users/${user}/notes`, { as: admin, body: note });
  const farms = await market.ask<{ _id: string }[]>('GET', '/users/farmers');
  const report = { kind: 'farm', id: farms[0]?._id, reason: 'other', text: 'Not a farm.' };
  const consumer = await signIn(market.url, ACCOUNTS.consumer);
  await market.call('POST', '/reports', { as: consumer, body: report });
});

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 360, height: 740 } } as const;

/** Returns what axe finds on the page as it is in both themes, and how far it scrolls sideways. */
async function problemsOf(page: Page, what: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await setColorScheme(page, theme);
    await waitUntilLoaded(page);
    await injectAxe(page);
    const found = await violations(page, ['heading-order', 'target-size']);
    wrong.push(...found.map((each) => `${what}, ${theme}: ${each}`));
  }
  const excess = await sidewaysScroll(page);
  if (excess > 0) wrong.push(`${what} scrolls sideways by ${excess} px`);
  return wrong;
}

interface Look {
  name: string;
  as?: () => Session;
  path: () => string;
  open?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().click();
const userPath = (person: () => Session) => () => `/admin/users/${person().user._id}`;

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(protectedOne.user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code from your app').waitFor();
}

const byAdmin: Omit<Look, 'as'>[] = [
  { name: 'a dashboard with a farm that waits', path: () => '/admin/dashboard' },
  { name: 'farms that wait', path: () => '/admin/farms' },
  { name: 'sending a farm back', path: () => '/admin/farms', open: press(/^Send back/) },
  {
    name: 'taking a farm off the market',
    path: () => '/admin/farms?state=approved',
    open: press(/^Take off the market/),
  },
  { name: 'a person with a second factor', path: userPath(() => protectedOne) },
  {
    name: 'removing a second factor',
    path: userPath(() => protectedOne),
    open: async (page) => {
      await press('Remove second factor')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Remove second factor' }).click();
      await page.getByText('Write how you know who asks.').waitFor();
    },
  },
  { name: 'suspending', path: userPath(() => protectedOne), open: press('Suspend') },
  { name: 'a suspended person', path: userPath(() => suspendedOne) },
  { name: 'reports', path: () => '/admin/reports' },
  {
    name: 'settling a report',
    path: () => '/admin/reports',
    open: (page) => page.locator('main li button').first().click(),
  },
];

const looks: Look[] = [
  ...byAdmin.map((look) => ({ ...look, as: () => admin })),
  { name: 'the steps of a new farm', as: () => draft, path: () => '/farmer/dashboard' },
  { name: 'a draft without its email', as: () => draft, path: () => '/farmer/products/add' },
  { name: 'a protected account', as: () => protectedOne, path: () => '/profile' },
  {
    name: 'new recovery codes',
    as: () => protectedOne,
    path: () => '/profile',
    open: press('New recovery codes'),
  },
  {
    name: 'deleting a protected account',
    as: () => protectedOne,
    path: () => '/profile',
    open: async (page) => {
      await press('Delete my account')(page);
      const dialog = page.getByRole('alertdialog');
      await dialog.getByLabel('Code from your app').waitFor();
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
      await dialog.getByText('Enter your password.').waitFor();
    },
  },
  { name: 'the code of a sign-in', path: () => '/login', open: enterPassword },
  {
    name: 'the recovery code of a sign-in',
    path: () => '/login',
    open: async (page) => {
      await enterPassword(page);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
    },
  },
];

it.each(Object.entries(SIZES))('shows all of it accessibly, %s', async (_, size) => {
  const wrong: string[] = [];
  for (const { name, as, path, open } of looks) {
    const { page, context } = await market.visit({
      ...(as && { as: as() }),
      ...size,
      allowedErrors: REFUSED,
      bypassCSP: true,
    });
    await page.goto(path());
    await waitUntilLoaded(page);
    await open?.(page);
    wrong.push(...(await problemsOf(page, name)));
    await context.close();
  }
  expect(wrong).toEqual([]);
});

it('shows what sets a market up accessibly, empty and with what is missing', async () => {
  const [stack, browser] = await Promise.all([
    startStack({ seed: false, workers: 0 }),
    sharedBrowser(),
  ]);
  try {
    const link = await until(
      'the printed link',
      () => /http\S+\/setup#token=\S+/.exec(stack.servers[0]?.output() ?? '')?.[0],
    );
    const wrong: string[] = [];
    for (const [name, size] of Object.entries(SIZES)) {
      const { page, context } = await openPerson(browser, stack.url, { ...size, bypassCSP: true });
      await page.goto(link);
      await page.getByLabel('Market name').waitFor();
      wrong.push(...(await problemsOf(page, `the form, ${name}`)));
      await page.getByRole('button', { name: 'Open the market' }).click();
      await page.getByText('Market name is required').waitFor();
      wrong.push(...(await problemsOf(page, `a failed form, ${name}`)));
      await context.close();
    }
    expect(wrong).toEqual([]);
  } finally {
    await stack.close();
  }
});
