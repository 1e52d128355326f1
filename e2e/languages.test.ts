import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED } from './open-market.ts';
import { ACCOUNTS, openContext, sharedBrowser, signIn, untilTakenOver } from './people.ts';

const market = openMarket({ hasWorker: false });

/** What the form of a new account says of an empty name. */
const NAME_MISSING = { de: 'Der Name fehlt', ur: 'نام ضروری ہے' };

const offer = async (...languages: string[]) => {
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { languages } });
};
beforeAll(() => offer('en', 'ur', 'de'));

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
  // The choice comes to pages that somebody uses.
  await page.mouse.wheel(0, 400);
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

const pathOf = (page: Page) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

/** The addresses of this market that the page links to. */
const linksOf = (page: Page) =>
  page
    .locator('a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

it.each([
  ['', 'en ltr', 'Browse by category', 'Vegetables'],
  ['/ur', 'ur rtl', null, 'سبزیاں'],
  ['/de', 'de ltr', null, 'Gemüse'],
] as const)(
  'takes over the pages at %s/ as the server wrote them',
  async (prefix, language, heading, category) => {
    const { page } = await market.visit({ allowedErrors: /status of 404/ });
    for (const path of ['/', '/products', '/farmers', '/about', '/no/such/page']) {
      const response = await page.goto(prefix + path);
      const html = (await response?.text()) ?? '';
      expect(html).toContain(`<html lang="${language.slice(0, 2)}" dir="${language.slice(3)}"`);
      // Errors of the console fail the test, those of hydration too.
      await untilTakenOver(page);
      expect(await languageOf(page)).toBe(language);
      const others = (await linksOf(page)).filter((href) =>
        prefix ? !`${href}/`.startsWith(`${prefix}/`) : /^\/(en|ur|de)(\/|$)/.test(href),
      );
      expect(others).toEqual([]);
      if (path === '/') {
        expect(html).toContain(category);
        if (heading) expect(html).toContain(heading);
      }
    }
  },
);

it('keeps the language of an address on the way through the market, also without scripts', async () => {
  const { page } = await market.visit();
  await page.goto('/de/products');
  await page.locator('main a[href^="/de/products/"]').first().click();
  await page.waitForURL(/\/de\/products\/[0-9a-f-]{36}$/);
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url());
  await page.goBack();
  await page.waitForURL('**/de/products');
  await page.locator('header a[href="/de/login"]').click();
  await page.waitForURL('**/de/login');
  await page.reload();
  await until('the sign-in in German', async () => (await languageOf(page)) === 'de ltr');

  const context = await openContext(await sharedBrowser(), {
    baseURL: market.url,
    javaScriptEnabled: false,
  });
  const plain = await context.newPage();
  await plain.goto('/ur/products');
  await plain.locator('main form [name=search]').fill('kale');
  await plain.locator('main form [name=search]').press('Enter');
  await plain.waitForURL(/\/ur\/products\?.*search=kale/);
  await context.close();
});

it('changes the address with the language, keeps what is typed, and is led back by the choice', async () => {
  const { page } = await market.visit();
  await page.goto('/products?sort=price-asc');
  await untilTakenOver(page);
  await mark(page);
  const length = await page.evaluate(() => history.length);
  await page.getByLabel('Newsletter address').fill('me@');
  await page.getByRole('contentinfo').getByRole('combobox').selectOption('ur');
  await until('the address in Urdu', async () => pathOf(page) === '/ur/products?sort=price-asc');
  expect(await languageOf(page)).toBe('ur rtl');
  expect(await page.locator('footer input[name=newsletter]').inputValue()).toBe('me@');
  expect([await isMarked(page), await page.evaluate(() => history.length)]).toEqual([true, length]);

  // The explicit choice leads from the address that names no language.
  await page.goto('/farmers');
  expect(pathOf(page)).toBe('/ur/farmers');
  // Another tab has its own address, and one without a language follows the choice.
  const other = await page.context().newPage();
  await other.goto('/de/farmers');
  expect(await languageOf(other)).toBe('de ltr');
  await other.goto('/farmers');
  expect(pathOf(other)).toBe('/ur/farmers');
});

it('offers what the browser prefers, and takes no for an answer', async () => {
  const { page } = await market.visit({ locale: 'de-DE' });
  await page.goto('/farmers');
  expect(await languageOf(page)).toBe('en ltr');
  await page.mouse.move(200, 300);
  await page.mouse.wheel(0, 50);
  const offer = page.getByRole('button', { name: 'Diese Seite auf Deutsch lesen' });
  await offer.click();
  await page.waitForURL('**/de/farmers');
  await offer.waitFor({ state: 'detached' });

  const second = await market.visit({ locale: 'de-DE' });
  await second.page.goto('/farmers');
  await second.page.mouse.wheel(0, 50);
  await second.page.getByRole('button', { name: 'Nein, danke' }).click();
  await second.page.goto('/products');
  await second.page.mouse.wheel(0, 50);
  expect(pathOf(second.page)).toBe('/products');
  expect(await second.page.getByRole('button', { name: 'Nein, danke' }).count()).toBe(0);
});

it('leads from a language that is taken away while it is read, and back once it is offered again', async () => {
  const consumer = await market.register('consumer', 'Ute Reader');
  await market.call('PUT', '/users/profile', { as: consumer, body: { language: 'ur' } });
  const { page } = await market.visit();
  await page.goto('/ur/products');
  await untilTakenOver(page);
  await mark(page);
  await page.locator('footer input[name=newsletter]').fill('me@');
  try {
    await offer('en', 'de');
    await until('the page to leave Urdu', async () => pathOf(page) === '/products');
    expect(await languageOf(page)).toBe('en ltr');
    expect(await page.locator('footer input[name=newsletter]').inputValue()).toBe('me@');
    expect(await isMarked(page)).toBe(true);
    await page.goto('/ur/products?sort=newest');
    expect(pathOf(page)).toBe('/products?sort=newest');
    const { user } = await market.call<{ user: { language: string } }>('GET', '/auth/me', {
      as: consumer,
    });
    expect(user.language).toBe('ur');
  } finally {
    await offer('en', 'ur', 'de');
  }
  const person = await market.visit({ as: consumer });
  await person.page.goto('/orders');
  await until('their page in Urdu', async () => (await languageOf(person.page)) === 'ur rtl');
});
