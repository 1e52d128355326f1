import { expect, it } from 'vitest';
import type { Market } from '#contract/platform/market/constants';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, toastOf } from './open-market.ts';
import type { Person } from './people.ts';

const market = openMarket({ hasWorker: false });

/** Marks the page, to check later that it was not loaded again. */
const mark = ({ page }: Person) => page.evaluate(() => Object.assign(window, { isSamePage: true }));
const isMarked = ({ page }: Person) => page.evaluate(() => 'isSamePage' in window);

/** Returns the text of the page's main part, with ordinary spaces. */
const textOf = async ({ page }: Person) =>
  ((await page.locator('main').textContent()) ?? '').replace(/[\u00a0\u202f]/g, ' ');

it('shows new settings on every open page, which keeps what is typed into it', async () => {
  const farmer = await market.createFarm('Price Farm');
  const leeks = await market.createProduct(farmer, { name: 'Priced leeks', price: 1234.5 });
  const consumer = await market.register('consumer', 'Paula Customer');
  const [admin, visitor, grower, buyer] = await Promise.all([
    market.visit({ as: 'admin' }),
    market.visit(),
    market.visit({ as: farmer }),
    market.visit({ as: consumer }),
  ]);
  await visitor.page.goto('/products?search=Priced');
  await grower.page.goto('/farmer/products?view=stock');
  await buyer.page.goto(`/products/${leeks._id}`);
  await buyer.page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(buyer, 'Added Priced leeks to your cart').waitFor();
  await buyer.page.goto('/checkout');
  const notes = buyer.page.getByLabel('Notes');
  await notes.fill('Ring twice, please');
  await visitor.page.getByText('₨1,234.50').first().waitFor();
  const stock = grower.page.getByRole('textbox', { name: /^Stock of Priced leeks/ });
  await stock.fill('17');
  for (const person of [visitor, grower, buyer]) await mark(person);

  await admin.page.goto('/admin/dashboard');
  await admin.page.getByRole('link', { name: 'Market', exact: true }).first().click();
  await admin.page.getByRole('heading', { name: 'Market', level: 1 }).waitFor();
  const form = admin.page.getByRole('form', { name: 'Market settings' });
  await form.getByLabel('Name').fill('Hill Market');
  await form.getByLabel('Sign', { exact: true }).fill('Rs.');
  await form.getByLabel('Where the sign stands').selectOption('after');
  await form.getByRole('status', { name: 'Preview' }).getByText('Rs.').waitFor();
  await form.getByRole('button', { name: 'Save settings' }).click();
  await toastOf(admin, 'Market settings saved.').waitFor();

  for (const person of [visitor, buyer]) {
    await until('the new price', async () => (await textOf(person)).includes('1,234.50 Rs.'));
    await expect.poll(() => textOf(person)).not.toContain('₨');
  }
  await until('the new titles', async () => {
    const titles = await Promise.all([visitor, grower, buyer].map(({ page }) => page.title()));
    return titles.every((title) => title.endsWith('· Hill Market'));
  });
  await visitor.page.getByRole('banner').getByRole('link', { name: 'Hill Market' }).waitFor();
  expect(await notes.inputValue()).toBe('Ring twice, please');
  expect(await stock.inputValue()).toBe('17');
  for (const person of [visitor, grower, buyer]) expect(await isMarked(person)).toBe(true);

  // The next visit begins with it.
  const later = await market.visit();
  await later.page.goto('/');
  await until('the title', async () => (await later.page.title()) === 'Hill Market');
  await later.page.getByRole('heading', { name: 'Why Choose Hill Market' }).waitFor();
});

it('shows the contact of the market, and nothing where there is none', async () => {
  const visitor = await market.visit();
  await visitor.page.goto('/about');
  const footer = visitor.page.getByRole('contentinfo');
  await footer.getByText('12 Market Road, G-9 Markaz, Islamabad 44090').waitFor();
  await footer.getByRole('link', { name: '+92 51 000 0142' }).waitFor();
  await footer.getByRole('link', { name: 'hello@farmgate.test' }).waitFor();
  const admin = await market.visit({ as: 'admin' });
  const body = { contact: { address: '', phone: '', email: '' } };
  await admin.page.goto('/admin/market');
  const form = admin.page.getByRole('form', { name: 'Market settings' });
  for (const name of ['Address', 'Phone', 'Email'])
    await form.getByRole('textbox', { name, exact: true }).fill('');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await footer.getByRole('heading', { name: 'Contact' }).waitFor({ state: 'detached' });
  const data = await market.ask<Market>('GET', '/market');
  expect(data).toMatchObject(body);
});

it('asks for addresses as its country writes them, and for radii in its unit', async () => {
  const farmer = await market.createFarm('Hofladen');
  const leeks = await market.createProduct(farmer, { name: 'Lauch', price: 2 });
  const [admin, grower] = await Promise.all([
    market.visit({ as: 'admin' }),
    market.visit({ as: farmer }),
  ]);
  await admin.page.goto('/admin/market');
  const settings = admin.page.getByRole('form', { name: 'Market settings' });
  await settings.getByLabel('Country').selectOption({ label: 'Germany' });
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await toastOf(admin, 'Market settings saved.').waitFor();

  await grower.page.goto('/farmer/settings?section=places');
  const farm = grower.page.getByRole('form', { name: 'How customers get it' });
  await farm.getByLabel('Accepts delivery').check();
  const radius = farm.getByLabel('Delivery radius (km)');
  await radius.fill('25');
  await farm.getByRole('button', { name: 'Save' }).click();
  await farm.getByText('Farm profile updated successfully!').waitFor();
  expect(await radius.inputValue()).toBe('25');

  const consumer = await market.register('consumer', 'Berta Customer');
  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto(`/products/${leeks._id}`);
  await page.getByText('Delivery up to 25 km').first().waitFor();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(buyer, 'Added Lauch to your cart').waitFor();
  await page.goto('/checkout');
  const form = page.getByRole('form', { name: 'Checkout' });
  await form.getByText('Up to 25 km from the farm').click();
  // The address from before, in a country whose addresses have a province, keeps it until it is emptied.
  await form.getByLabel('Street').fill('Hauptstr. 1');
  await form.getByLabel('City').fill('Berlin');
  await form.getByLabel('Postal code').fill('10115');
  await form.getByLabel('State').fill('');
  await form.getByLabel('Postal code').fill('');
  await form.getByRole('button', { name: 'Place Order' }).click();
  await form.getByText('Postal code is required').waitFor();
  await form.getByLabel('Postal code').fill('10115');
  await form.getByLabel('Delivery date').fill(dayFromNow(2));
  await form.getByLabel('Delivery time').fill('10:00');
  await form.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL(/\/orders\/.+/);
  await page.getByText('10115 Berlin', { exact: true }).waitFor();

  // Back to where the market was, for what else is asked of it here.
  await settings.getByLabel('Country').selectOption({ label: 'Pakistan' });
  await settings.getByRole('button', { name: 'Save settings' }).click();
  await toastOf(admin, 'Market settings saved.').last().waitFor();
});

it('asks before unsaved settings are left, and leads to what belongs to the market', async () => {
  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto('/admin/market');
  const form = page.getByRole('form', { name: 'Market settings' });
  await form.getByLabel('Tagline').fill('Unsaved');
  const tabs = page.getByRole('navigation', { name: 'Market pages' });
  await expect
    .poll(() => tabs.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'))
    .toBe('page');
  await tabs.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/admin/audit');
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  await page.getByRole('table', { name: 'Audit' }).waitFor();
  await expect
    .poll(() => tabs.getByRole('link', { name: 'Audit' }).getAttribute('aria-current'))
    .toBe('page');
  const item = page
    .getByRole('navigation', { name: 'Admin' })
    .getByRole('link', { name: 'Market' });
  await expect.poll(() => item.first().getAttribute('aria-current')).toBe('page');
});
