import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Weekday } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import type { Market } from '#contract/platform/market/constants';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { until } from '../testing/until.ts';
import { openPerson, PASSWORD, type Person, sharedBrowser } from './people.ts';
import { printOutput, type Stack, startStack } from './stack.ts';
import { buildArabic, type Words, wordsOf } from './words.ts';

// Markets of three countries, set up in a browser and used by a farmer and a customer to a completed order: each in its
// language, and with its own money, numbers and week.

interface Country {
  locale: string;
  timeZone: string;
  country: string;
  currency: string;
  language: string;
  direction: 'ltr' | 'rtl';
  weekStart: 0 | 1 | 6;
  /** The day that the editor of hours has first. */
  firstDay: Weekday;
  /** What the farmer types, and what it is. */
  price: readonly [typed: string, is: number];
  stock: readonly [typed: string, is: number];
  /** How pages write the price of one, in the digits that all markets are shown. */
  shown: string;
}

const COUNTRIES: Record<string, Country> = {
  Indonesia: {
    ...{ locale: 'id-ID', timeZone: 'Asia/Jakarta', country: 'ID', currency: 'IDR' },
    ...{ language: 'en', direction: 'ltr', weekStart: 1, firstDay: 'monday' },
    ...{ price: ['25.000', 25_000], stock: ['1.200', 1200], shown: '25.000' },
  },
  Germany: {
    ...{ locale: 'de-DE', timeZone: 'Europe/Berlin', country: 'DE', currency: 'EUR' },
    ...{ language: 'de', direction: 'ltr', weekStart: 1, firstDay: 'monday' },
    ...{ price: ['2,50', 2.5], stock: ['1.200', 1200], shown: '2,50' },
  },
  Egypt: {
    ...{ locale: 'ar-EG', timeZone: 'Africa/Cairo', country: 'EG', currency: 'EGP' },
    ...{ language: 'ar', direction: 'rtl', weekStart: 6, firstDay: 'saturday' },
    ...{ price: ['٢٥٫٥٠', 25.5], stock: ['١٬٢٠٠', 1200], shown: '25.50' },
  },
};

let release: Awaited<ReturnType<typeof buildArabic>>;
let stack: Stack | undefined;
const people: Person[] = [];
beforeAll(async () => {
  release = await buildArabic();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail' && stack) printOutput(stack);
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  await stack?.close();
  stack = undefined;
});
afterAll(() => release?.remove());

/** Asks the API of the market, as the person of the page. @returns the data of the answer */
const ask = <Data>(page: Page, path: string): Promise<Data> =>
  page.evaluate(async (address) => {
    const stored = localStorage.getItem('token');
    const headers = stored ? { authorization: `Bearer ${stored}` } : undefined;
    const response = await fetch(`/api${address}`, headers && { headers });
    return (await response.json()).data;
  }, path);

/** Fills fields by their names in the form, which are the same in all languages. */
async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await page.getByRole('main').locator(`[name="${name}"]`).fill(value);
}

/** A text with a value in it, which is set apart where it goes the other way. */
const withValue = (text: string, value: string): RegExp =>
  new RegExp(text.replace(/\{\w+\}/, `[\u2066-\u2069]*${value}[\u2066-\u2069]*`));

/** Presses what is called so. */
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click();

/** Expects the page to be in the language and direction of its market. */
async function expectLanguage(page: Page, { language, direction }: Country): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(() => [
        document.documentElement.lang,
        getComputedStyle(document.body).direction,
      ]),
    )
    .toEqual([language, direction]);
}

/** Opens the market by the printed link. */
async function setUp(page: Page, server: Stack, country: Country, say: Words): Promise<void> {
  const link = await until(
    'the printed link',
    () => /http\S+\/setup#token=\S+/.exec(server.servers[0]?.output() ?? '')?.[0],
  );
  await page.goto(link);
  const main = page.getByRole('main');
  await main.locator('[name="market.currency.code"]').selectOption(country.currency);
  await main.locator('[name="market.languages"]').selectOption(country.language);
  await fill(page, {
    'market.name': 'Hill Market',
    'admin.name': 'Ada Keeper',
    'admin.email': 'ada@example.org',
    'admin.password': PASSWORD,
    'admin.confirmPassword': PASSWORD,
  });
  await main.locator('form button[type="submit"]').last().click();
  await page.waitForURL('**/admin/dashboard');
  await expectLanguage(page, country);
  await main.getByRole('heading', { name: say('Admin Dashboard'), level: 1 }).waitFor();
  const market = await ask<Market>(page, '/market');
  const { locale, timeZone, currency, languages } = market;
  expect([locale, timeZone, currency.code, languages[0]]).toEqual([
    country.locale,
    country.timeZone,
    country.currency,
    country.language,
  ]);
  expect(market.country).toBe(country.country);
  if (market.weekStart === country.weekStart) return;
  await page.goto('/admin/market');
  await page.locator('[name="weekStart"]').selectOption(`${country.weekStart}`);
  await press(page, say('Save settings'));
  await until('the week', async () => {
    const { weekStart } = await ask<Market>(page, '/market');
    return weekStart === country.weekStart;
  });
}

async function register(page: Page, role: 'farmer' | 'consumer', name: string): Promise<void> {
  await page.goto(`/register?role=${role}`);
  await page.locator('main select').first().selectOption(role);
  await fill(page, {
    name,
    email: `${name.toLowerCase().replace(/\W/g, '')}@example.org`,
    password: PASSWORD,
    confirmPassword: PASSWORD,
    phone: '030 555 0100',
  });
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.endsWith('/register'));
}

/** Describes the farm, and adds a place with hours on two days and a product. */
async function openFarm(page: Page, country: Country, say: Words): Promise<Product> {
  await register(page, 'farmer', 'Finn Grower');
  await expectLanguage(page, country);
  await page.getByRole('region', { name: say('Before you open') }).waitFor();
  await page.goto('/farmer/settings');
  await fill(page, { description: 'From the hill.', farmName: 'Green Valley' });
  await page.keyboard.press('Enter');
  await until('the name of the farm', async () => {
    const { farmName } = await ask<{ farmName: string }>(page, '/farm');
    return farmName === 'Green Valley';
  });

  await page.goto('/farmer/settings?section=places');
  await press(page, say('Add a place'));
  await fill(page, { name: 'Gate', 'address.street': '1 Mill Lane', 'address.city': 'Putney' });
  const days = page.locator('main input[type="checkbox"][name^="hours."]');
  expect(await days.first().getAttribute('name')).toBe(`hours.${country.firstDay}`);
  const today = dayIn(country.timeZone);
  for (const ahead of [2, 3])
    await page.locator(`[name="hours.${weekdayOf(addDays(today, ahead))}"]`).check();
  await press(page, say('Save place'));
  await page.getByRole('heading', { name: 'Gate' }).waitFor();

  await page.goto('/farmer/products/add');
  await fill(page, { name: 'Beets', description: 'Red and round.' });
  await page.locator('[name="category"]').selectOption({ index: 1 });
  await page.locator('[name="unit"]').selectOption('kg');
  await fill(page, { price: country.price[0], quantityAvailable: country.stock[0] });
  await press(page, say('Add product'));
  await page.waitForURL('**/farmer/products');
  await page.getByText(country.shown).first().waitFor();
  const [product] = await ask<Product[]>(page, '/products/farmer/me');
  if (!product) throw new Error('The product is missing.');
  expect([product.price, product.quantityAvailable]).toEqual([country.price[1], country.stock[1]]);
  return product;
}

/** Orders the product for the first time that is offered. @returns the order's id */
async function order(page: Page, product: Product, country: Country, say: Words): Promise<string> {
  await register(page, 'consumer', 'Cora Buyer');
  await page.goto('/products');
  await expectLanguage(page, country);
  await page.getByText(country.shown).first().waitFor();
  await page.goto(`/products/${product._id}`);
  await press(page, say('Add to Cart'));
  await page.getByText(withValue(say('Added {name} to your cart'), 'Beets')).waitFor();
  await page.goto('/checkout');
  const first = (group: string) =>
    page
      .getByRole('group', { name: say(group) })
      .getByRole('radio')
      .first();
  await first('Pickup day').check({ force: true });
  await first('Pickup time').check({ force: true });
  await press(page, say('Place Order'));
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await page.getByText(say('Pending')).first().waitFor();
  await page.getByText(country.shown).first().waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

it.each(Object.entries(COUNTRIES))(
  'a market in %s goes from nothing to a completed order',
  async (_, country) => {
    const say = await wordsOf(country.language);
    const browser = await sharedBrowser();
    const started = await startStack({ seed: false, programs: release.programs });
    stack = started;
    const visit = async (width: number): Promise<Page> => {
      const { locale, timeZone } = country;
      const person = await openPerson(browser, started.url, {
        width,
        locale,
        timezoneId: timeZone,
      });
      people.push(person);
      return person.page;
    };
    await setUp(await visit(1280), started, country, say);
    const farmer = await visit(1280);
    const product = await openFarm(farmer, country, say);
    const customer = await visit(360);
    const id = await order(customer, product, country, say);

    await farmer.goto(`/orders/${id}`);
    for (const [action, status] of [
      ['Accept order {shortId}', 'Accepted'],
      ['Complete order {shortId}', 'Completed'],
    ] as const) {
      const name = withValue(say(action), shortId(id));
      await farmer.getByRole('button', { name }).first().click();
      await customer.getByText(say(status)).first().waitFor();
    }
    const done = await ask<Order>(customer, `/orders/${id}`);
    expect([done.status, done.totalAmount]).toEqual(['completed', country.price[1]]);
    expect(people.flatMap(({ pageErrors }) => pageErrors)).toEqual([]);
  },
);
