import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { READY_CATEGORIES } from '#contract/admin/setup/constants';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { until } from '../testing/until.ts';
import { isFocused, press, tabTo, typeInto, untilFocusIsKept, walk } from './keys.ts';
import { dayFromNow } from './open-market.ts';
import { openPerson, PASSWORD, type Person, sharedBrowser } from './people.ts';
import { type Stack, startStack } from './stack.ts';

// From nothing to the first order, as a new operator would: the printed link, a market of one's own, a farm
// that joins it and a consumer. The market is set up, and people register, by keys alone.

let stack: Stack;
let browser: Browser;
const people: Person[] = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ seed: false }), sharedBrowser()]);
});
afterAll(async () => {
  await Promise.all(people.map(({ context }) => context.close()));
  await stack?.close();
});

async function visit(width = 1280): Promise<Page> {
  const person = await openPerson(browser, stack.url, { width, timezoneId: 'Europe/Berlin' });
  people.push(person);
  return person.page;
}

/** Returns the link that the server printed when it started. */
const printedLink = (): Promise<string> =>
  until('the printed link', () => {
    const [server] = stack.servers;
    return /http\S+\/setup#token=\S+/.exec(server?.output() ?? '')?.[0];
  });

/** Returns a control by its whole name; required ones have a star behind it. */
const control = (page: Page, name: string) =>
  page.getByRole('main').getByLabel(new RegExp(`^${name}( *\\*)?$`));

/**
 * Chooses in a list by keys: by the first letter, again and again. Further letters count only within a second.
 *
 * @throws when it is not reached
 */
async function choose(list: Locator, letter: string, value: string): Promise<void> {
  await tabTo(list);
  for (let presses = 0; presses < 20; presses++) {
    await list.page().keyboard.press(letter);
    if ((await list.inputValue()) === value) return;
  }
  throw new Error(`Not reached by ${letter}: ${value}`);
}

/** Registers by keys alone. */
async function register(page: Page, role: 'consumer' | 'farmer', name: string): Promise<void> {
  await choose(control(page, 'I want to'), role === 'farmer' ? 's' : 'b', role);
  await typeInto(control(page, 'Name'), name);
  await typeInto(control(page, 'Email'), `${name.toLowerCase().replace(/\W/g, '')}@example.org`);
  await typeInto(control(page, 'Password'), PASSWORD);
  await typeInto(control(page, 'Confirm password'), PASSWORD);
  await typeInto(control(page, 'Phone'), '030 555 0100');
  await page.keyboard.press('Enter');
}

/** Fills in the set-up page by keys alone and sends it, once too early. */
async function setUpMarket(page: Page): Promise<void> {
  const { keyboard } = page;
  const main = page.getByRole('main');
  const name = control(page, 'Market name');
  const open = main.getByRole('button', { name: 'Open the market' });
  expect(await walk(name, open)).toEqual([
    ...['Market name', 'Time zone', 'Country', 'Distances in'],
    ...['Currency', 'Sign', 'Place', 'Decimals'],
    ...['Language of the market', 'Deutsch', 'اردو'],
    ...['Your name', 'Email', 'Password', 'Show password', 'Confirm password', 'Show password'],
    ...UNITS,
    'New farms wait for approval',
    ...READY_CATEGORIES.map((category) => category.name.text),
    'Open the market',
  ]);
  await keyboard.press('Enter');
  await main.getByText('Market name is required').waitFor();
  await until('the first mistake to have the focus', () => isFocused(name));

  await keyboard.type('Hill Market');
  await tabTo(control(page, 'Time zone'));
  await expect.poll(() => control(page, 'Time zone').inputValue()).toBe('Berlin');
  await choose(control(page, 'Currency'), 'e', 'EUR');
  await expect.poll(() => control(page, 'Sign').inputValue()).toBe('€');
  await tabTo(control(page, 'Place'));
  await keyboard.press('ArrowDown');
  await main.getByText('1,234.50 €').waitFor();
  await typeInto(control(page, 'Your name'), 'Ada Keeper');
  await typeInto(control(page, 'Email'), 'ada@example.org');
  await typeInto(control(page, 'Password'), PASSWORD);
  await typeInto(control(page, 'Confirm password'), PASSWORD);
  // The clock is European, whatever the language of the browser.
  await expect.poll(() => control(page, 'kg').isChecked()).toBe(true);
  expect(await control(page, 'lb').isChecked()).toBe(false);
  await press(main.getByRole('checkbox', { name: /Flowers/ }), { key: 'Space' });
  await press(main.getByRole('checkbox', { name: 'New farms wait for approval' }), {
    back: true,
    key: 'Space',
  });
  await press(open);
}

it('opens a market from the printed link to the first order', async () => {
  const link = await printedLink();

  // Somebody who comes too early reads that.
  const consumer = await visit();
  await consumer.goto('/');
  await consumer.getByText('This market is not open yet.').waitFor();

  // A link that was cut off is no use.
  const operator = await visit();
  await operator.goto('/setup');
  await operator.getByText('This link is incomplete.', { exact: false }).waitFor();

  await operator.goto('about:blank');
  await operator.goto(link);
  await operator.getByRole('heading', { name: 'Set up your market' }).waitFor();
  await setUpMarket(operator);
  await operator.waitForURL('**/admin/dashboard');
  await untilFocusIsKept(operator);
  const next = operator.getByRole('region', { name: 'Next' });
  await next.getByText('Invite a farm').waitFor();
  await next.getByRole('button', { name: 'Copy the registration link' }).waitFor();

  // The visitor's page is open meanwhile, and shows the categories without being asked.
  await consumer.getByRole('link', { name: 'Vegetables' }).waitFor();
  await consumer.getByText('This market is not open yet.').waitFor({ state: 'hidden' });
  expect(await consumer.getByRole('link', { name: 'Flowers' }).count()).toBe(0);

  // Anyone who has the link too late is led on.
  const latecomer = await visit();
  await latecomer.goto(link);
  await latecomer.getByRole('heading', { name: 'This market is set up' }).waitFor();
  await latecomer.getByRole('link', { name: 'Go to the market' }).click();
  await latecomer.waitForURL(`${stack.url}/`);

  // The farm registers by the link that the admin sends, and prepares on a phone.
  const farmer = await visit(360);
  await farmer.goto('/register?role=farmer');
  await expect.poll(() => farmer.getByLabel('I want to').inputValue()).toBe('farmer');
  await register(farmer, 'farmer', 'Finn Grower');
  await farmer.waitForURL('**/farmer/dashboard');
  const card = () => farmer.getByRole('region', { name: 'Before you open' });
  await expect
    .poll(() => card().getByRole('button', { name: 'Ask for approval' }).isDisabled())
    .toBe(true);
  await card().getByRole('link', { name: 'Say where you are' }).click();
  await until('the city to have the focus', () => isFocused(farmer.getByLabel('City')));
  await farmer.keyboard.type('Putney');
  await farmer
    .locator('form', { has: farmer.getByLabel('City') })
    .getByRole('button', { name: 'Save' })
    .click();
  await farmer.getByText('Profile updated successfully!').waitFor();
  await farmer.goto('/farmer/dashboard');
  await card().getByRole('link', { name: 'Describe your farm' }).click();
  await farmer.getByLabel('Farm name').fill('Green Valley');
  await farmer.getByLabel('Description').first().fill('Vegetables from the hill.');
  await farmer
    .getByRole('form', { name: 'The farm' })
    .getByRole('button', { name: 'Save' })
    .click();
  await farmer.getByText('Farm profile updated successfully!').waitFor();
  await farmer.goto('/farmer/dashboard');
  await card().getByRole('link', { name: 'Say when you are open' }).click();
  const monday = farmer.getByRole('checkbox', { name: 'Monday' });
  await until('the hours to have the focus', () => isFocused(monday));
  await farmer.keyboard.press('Space');
  await farmer.getByRole('button', { name: 'Copy the hours of Monday' }).click();
  await farmer.getByRole('menuitem', { name: 'To every day' }).click();
  const hours = farmer.getByRole('form', { name: 'Business hours' });
  await hours.getByRole('button', { name: 'Save' }).click();
  await hours.getByText('Farm profile updated successfully!').waitFor();
  await farmer.goto('/farmer/products/add');
  await farmer.getByLabel('Product name').fill('Beets');
  await farmer.getByLabel('Description').first().fill('Red and round.');
  await farmer.getByLabel('Category').selectOption({ label: 'Vegetables' });
  await expect.poll(() => farmer.getByLabel('Unit').inputValue()).toBe('kg');
  await farmer.getByLabel('Price').fill('2.5');
  await farmer.getByLabel('Quantity available').fill('20');
  await farmer.getByRole('button', { name: 'Add product' }).click();
  await farmer.waitForURL('**/farmer/products');

  // Nobody sees it yet.
  await consumer.goto('/products');
  await consumer.getByRole('heading', { level: 1 }).waitFor();
  await consumer.getByText('Hill Market').first().waitFor();
  await consumer.getByText('No Products Found').first().waitFor();
  expect(await consumer.getByText('Beets').count()).toBe(0);

  // The admin is notified, sends it back, and approves it.
  await farmer.goto('/farmer/dashboard');
  await card().getByRole('button', { name: 'Ask for approval' }).click();
  await farmer.getByRole('region', { name: 'Waiting for approval' }).waitFor();
  const attention = operator.getByRole('region', { name: 'What needs attention' });
  await attention.getByRole('link', { name: /Farms waiting/ }).click();
  await operator.getByRole('button', { name: 'Send back Green Valley' }).click();
  await operator.getByLabel('Reason').fill('Please tell more about the hill.');
  await operator.getByRole('dialog').getByRole('button', { name: 'Send back' }).click();
  await operator.getByText('No farm is waiting').waitFor();
  await card().getByText('Please tell more about the hill.').waitFor();
  await card().getByRole('button', { name: 'Ask again' }).click();
  await operator.getByRole('button', { name: 'Approve Green Valley' }).click();
  await operator.getByText('Green Valley is in the market.').waitFor();

  // The farm's card goes, and the product appears on the page that the visitor has open.
  await farmer.getByRole('region', { name: 'Waiting for approval' }).waitFor({ state: 'hidden' });
  await consumer.getByRole('heading', { name: 'Beets' }).first().waitFor();
  await consumer.getByText('2.50 €').first().waitFor();

  // The first order.
  await consumer.goto('/register');
  await register(consumer, 'consumer', 'Cora Buyer');
  await consumer.getByText('Registration successful!').waitFor();
  await consumer.goto('/products');
  await consumer.getByRole('link', { name: 'Beets' }).first().click();
  await consumer.waitForURL('**/products/*');
  await consumer.getByRole('button', { name: 'Add to Cart' }).click();
  await consumer.getByText('Added Beets to your cart').waitFor();
  await consumer.goto('/checkout');
  await consumer.getByLabel('Pickup date').fill(dayFromNow(2));
  await consumer.getByLabel('Pickup time').fill('10:30');
  await expect.poll(() => consumer.getByLabel('Pickup location').inputValue()).toBe('Putney');
  await consumer.getByRole('button', { name: 'Place Order' }).click();
  await consumer.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await consumer.getByText('Pending').first().waitFor();

  // With it the next steps of the new market are over.
  await operator.goto('/admin/dashboard');
  await operator.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  await operator.getByText('Cora Buyer').first().waitFor();
  expect(await operator.getByRole('region', { name: 'Next' }).count()).toBe(0);
});
