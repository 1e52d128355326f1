import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED } from './open-market.ts';
import { ACCOUNTS, signIn } from './people.ts';

const market = openMarket({ hasWorker: false });

/** What the form of a new account says of an empty name. */
const NAME_MISSING = { de: 'Der Name fehlt', ur: 'نام ضروری ہے' };

beforeAll(async () => {
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { languages: ['en', 'ur', 'de'] } });
});

const languageOf = (page: Page) =>
  page.evaluate(() => {
    const { lang, dir } = document.documentElement;
    return `${lang} ${dir}`;
  });
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSamePage: true }));
const isMarked = (page: Page) => page.evaluate(() => 'isSamePage' in window);

const register = (page: Page) => page.locator('main form button[type=submit]').click();

it('shows an open page in the language that is chosen, and keeps what is typed', async () => {
  const { page } = await market.visit({ width: 360, height: 740 });
  await page.goto('/register');
  await page.getByLabel('Phone').fill('0300 1234567');
  await mark(page);
  const choice = page.getByRole('contentinfo').getByRole('combobox');
  await choice.selectOption('ur');
  await until('the page in Urdu', async () => (await languageOf(page)) === 'ur rtl');
  await register(page);
  await page.getByText(NAME_MISSING.ur).first().waitFor();
  expect(await page.locator('input[type=tel]').inputValue()).toBe('0300 1234567');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await choice.selectOption('de');
  await until('the page in German', async () => (await languageOf(page)) === 'de ltr');
  await register(page);
  await page.getByText(NAME_MISSING.de).first().waitFor();
  expect(await isMarked(page)).toBe(true);

  // The next visit begins with it.
  await page.reload();
  await until('the page in German again', async () => (await languageOf(page)) === 'de ltr');
});

it('begins in the language that the browser prefers, and asks the API in it', async () => {
  const { page } = await market.visit({ locale: 'de-AT', allowedErrors: REFUSED });
  await page.goto('/register');
  await until('the page in German', async () => (await languageOf(page)) === 'de ltr');
  await register(page);
  await page.getByText(NAME_MISSING.de).first().waitFor();
  // A refusal, which the page writes as it comes: in the language of the page.
  const refused = page.waitForResponse((response) => response.status() === 401);
  await page.goto('/login');
  await page.locator('input[type=email]').fill('nobody@example.org');
  await page.locator('input[type=password]').fill('wrong-password');
  await page.locator('main form button[type=submit]').click();
  expect((await (await refused).request().allHeaders())['accept-language']).toBe('de');
});

it('follows a person to another device, whatever that browser prefers', async () => {
  const consumer = await market.register('consumer', 'Paula Language');
  const { page } = await market.visit({ as: consumer });
  await page.goto('/products');
  await page.getByLabel('Language').selectOption('de');
  await until('the choice to be saved', async () => {
    const { user } = await market.call<{ user: { language: string } }>('GET', '/auth/me', {
      as: consumer,
    });
    return user.language === 'de';
  });
  const other = await market.visit({ as: consumer });
  await other.page.goto('/profile');
  await until(
    'the other device to follow',
    async () => (await languageOf(other.page)) === 'de ltr',
  );
});
