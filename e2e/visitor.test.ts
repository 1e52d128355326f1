import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Product } from '#contract/products';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { ACCOUNTS, PASSWORD, type Person } from './people.ts';
import { until } from './stack.ts';

const market = openMarket();

/** The path and the query that stand in the address. */
const addressOf = ({ page }: Person) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

async function signIn({ page }: Person, email: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

it('shows the market on its front page and leads into it', async () => {
  const visitor = await market.visit();
  const { page } = visitor;
  await page.goto('/');
  expect(await page.getByRole('link', { name: 'Shop Now' }).getAttribute('href')).toBe('/products');
  const meet = page.getByRole('link', { name: 'Meet Our Farmers' });
  expect(await meet.getAttribute('href')).toBe('/farmers');

  const why = page.locator('section', { has: page.getByRole('heading', { name: /^Why choose/i }) });
  expect(await why.getByRole('heading', { level: 3 }).count()).toBe(4);
  await page.locator('article').first().waitFor();
  expect(await page.locator('main a[href^="/products/"]').count()).toBe(4);
  await page.locator('main a[href^="/farmers/"]').first().waitFor();
  expect(await page.locator('main a[href^="/farmers/"]').count()).toBe(3);
  const account = page.getByRole('link', { name: 'Create an account' });
  expect(await account.getAttribute('href')).toBe('/register');
  const about = page.getByRole('link', { name: 'How it works' });
  expect(await about.getAttribute('href')).toBe('/about');

  const bar = page.getByRole('navigation', { name: 'Main' });
  expect(await bar.getByRole('link').allTextContents()).toEqual([
    'Home',
    'Products',
    'Farmers',
    'About',
  ]);
  const banner = page.getByRole('banner');
  expect(await banner.getByRole('link', { name: 'Login' }).isVisible()).toBe(true);
  expect(await banner.getByRole('link', { name: 'Register' }).isVisible()).toBe(true);

  // A category leads to its products, chosen there already.
  const tile = page.locator('main a[href^="/products?category="]').first();
  const category = (await tile.locator('span').last().textContent()) ?? '';
  await tile.click();
  await page.waitForURL('**/products?category=*');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  const chosen = page.getByLabel('Category').locator('option:checked');
  expect(await chosen.textContent()).toBe(category);
});

it('takes a newsletter address that looks like one', async () => {
  const visitor = await market.visit();
  const { page } = visitor;
  await page.goto('/about');
  const foot = page.getByRole('contentinfo');
  const links = foot.getByRole('navigation', { name: 'Quick links' }).getByRole('link');
  await links.first().waitFor();
  expect(await links.allTextContents()).toEqual(['Home', 'Products', 'Farmers', 'About Us']);
  const address = foot.getByLabel('Newsletter address');
  await address.fill('nobody');
  await foot.getByRole('button', { name: 'Subscribe' }).click();
  await foot.getByText('Please enter a valid email address.').waitFor();
  await address.fill('somebody@example.org');
  await foot.getByRole('button', { name: 'Subscribe' }).click();
  await toastOf(visitor, 'Subscribed successfully!').waitFor();
  expect(await address.inputValue()).toBe('');
});

it('tells about the market and its people', async () => {
  const { page } = await market.visit();
  await page.goto('/about');
  for (const step of ['Connect', 'Order', 'Enjoy', 'For consumers', 'For farmers']) {
    await page.getByRole('heading', { name: step, level: 3 }).waitFor();
  }
  const profiles = page.locator('main a[href^="https://"]');
  expect(await profiles.count()).toBe(5);
});

it('finds products, and comes back to what was searched', async () => {
  const visitor = await market.visit();
  const { page } = visitor;
  await page.goto('/products');
  const found = page.getByRole('region', { name: 'Products found' });
  await found.waitFor();
  const names = () => found.getByRole('heading', { level: 3 }).allTextContents();
  const all = (await names()).length;

  await page.getByRole('searchbox', { name: 'Search products' }).fill('TOMATO');
  await until('fewer products', async () => {
    const shown = await names();
    return shown.length > 0 && shown.length < all;
  });
  expect(addressOf(visitor)).toBe('/products?search=TOMATO');

  const sort = page.getByRole('combobox', { name: 'Sort by' });
  expect(await sort.locator('option').allTextContents()).toEqual([
    'Newest',
    'Price: Low to High',
    'Price: High to Low',
  ]);
  expect(await sort.inputValue()).toBe('newest');
  await page.getByRole('searchbox', { name: 'Search products' }).fill('');
  await sort.selectOption('Price: Low to High');
  const prices = async () =>
    (await found.locator('article').allTextContents()).map((words) =>
      Number(/₨\s?([\d,.]+)/.exec(words)?.[1]?.replaceAll(',', '')),
    );
  await until('all products, the cheapest first', async () => {
    const shown = await prices();
    return (
      shown.length > 8 && shown.every((price, at) => at === 0 || price >= (shown[at - 1] ?? 0))
    );
  });

  await page.getByRole('button', { name: 'Filters' }).click();
  const category = page.getByLabel('Category');
  expect(await category.locator('option').first().textContent()).toBe('All Categories');
  await category.selectOption({ index: 1 });
  await until('fewer products', async () => (await names()).length < all);
  const here = addressOf(visitor);
  expect(here).toMatch(/^\/products\?(?=.*sort=price-asc)(?=.*category=[0-9a-f-]{36})/);
  const chosen = await category.inputValue();
  const shown = await names();

  // The way back from a product finds all of it again.
  await found.getByRole('link').first().click();
  await page.waitForURL(/\/products\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor();
  await page.goBack();
  await found.waitFor();
  expect(addressOf(visitor)).toBe(here);
  expect(await category.inputValue()).toBe(chosen);
  await until('the same products', async () => `${await names()}` === `${shown}`);

  await page.getByRole('searchbox', { name: 'Search products' }).fill('no such thing');
  await page.getByText('No Products Found').waitFor();
  await page.getByRole('button', { name: 'Show all products' }).click();
  await found.waitFor();
});

it('shows a product whole, and leads who wants it to the sign-in', async () => {
  const farmer = await market.openFarm('Long Meadow');
  const product = await market.sell(farmer, {
    name: 'Meadow Garlic',
    price: 1234.5,
    unit: 'bunch',
    quantityAvailable: 7,
    isOrganic: true,
    harvestDate: '2026-01-31',
    images: await market.upload(farmer, 'green', 'purple'),
  });
  const { page } = await market.visit({ mayLog: /ERR_FAILED/ });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('heading', { name: 'Meadow Garlic', level: 1 }).waitFor();
  for (const words of [
    product.category?.name ?? '',
    'Organic',
    'Pulled this morning.',
    'Long Meadow',
    'Owner of Long Meadow',
    'Putney, VT',
    /Jan.* 31.* 2026/,
  ]) {
    await page.locator('main').getByText(words).first().waitFor();
  }
  expect(await page.locator('main').textContent()).toMatch(/₨\s?1,234\.50 per bunch/);
  await page.getByRole('button', { name: 'Picture 2' }).click();
  await page.getByRole('img', { name: 'Meadow Garlic, picture 2 of 2' }).waitFor();

  // A placeholder stands for pictures that are broken.
  await page.route('**/uploads/**', (route) => route.abort());
  await page.reload();
  await page.locator('main img[src="/placeholder.svg"]').first().waitFor();

  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  expect(await quantity.inputValue()).toBe('1');
  expect(await quantity.getAttribute('max')).toBe('7');
  await quantity.fill('99');
  await quantity.blur();
  expect(await quantity.inputValue()).toBe('7');
  const profile = page.getByRole('link', { name: 'View Farm Profile' });
  expect(await profile.getAttribute('href')).toBe(`/farmers/${farmer.user._id}`);

  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.waitForURL('**/login');
  await page.goBack();
  await page.getByRole('link', { name: 'Message Farmer' }).click();
  await page.waitForURL('**/login');
});

it('says in red when there is no such product', async () => {
  const { page } = await market.visit({ mayLog: REFUSED });
  await page.goto('/products/nothing');
  await page.getByRole('alert').getByText('Product not found').waitFor();
  await page.getByRole('link', { name: 'Back to Products' }).click();
  await page.waitForURL('**/products');
});

it('finds farms by name and shows one whole', async () => {
  const { page } = await market.visit({ mayLog: REFUSED });
  await page.goto('/farmers');
  const search = page.getByRole('searchbox', { name: 'Search farmers' });
  await page.getByRole('region', { name: 'Farmers found' }).waitFor();
  await search.fill('nobody at all');
  await page.getByText('No Farmers Found').waitFor();
  await search.fill('green VALLEY');
  await page.getByText('1 farm', { exact: true }).waitFor();
  await page.getByRole('link', { name: /Green Valley Farm/ }).click();

  await page.getByRole('heading', { name: 'Green Valley Farm', level: 1 }).waitFor();
  const main = page.locator('main');
  for (const part of ['About the farm', 'Farming practices', 'Business hours', 'Contact']) {
    await main.getByRole('heading', { name: part, level: 2 }).waitFor();
  }
  for (const words of [
    'Putney, VT',
    '(802) 555-0114',
    'farmer@farmgate.test',
    /Established \d{4}/,
  ]) {
    await main.getByText(words).first().waitFor();
  }
  await main.locator('article').first().waitFor();

  await page.goto('/farmers/nobody');
  await page.getByText('Farmer not found').waitFor();
  await main.getByRole('link', { name: 'Back to Farmers' }).click();
  await page.waitForURL('**/farmers');
});

it('says so when a farm sells nothing', async () => {
  const farmer = await market.openFarm('Bare Field');
  const { page } = await market.visit();
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByText('No Products Available').waitFor();
});

it('opens an account, telling all that is wrong at once', async () => {
  const visitor = await market.visit({ mayLog: REFUSED });
  const { page } = visitor;
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Register', exact: true });
  const role = page.getByLabel('I want to');
  expect(await role.inputValue()).toBe('consumer');
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
  expect(await page.getByLabel('Name').evaluate((box) => box === document.activeElement)).toBe(
    true,
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

it('signs in and out, and leads each role to where it begins', async () => {
  const visitor = await market.visit({ mayLog: REFUSED });
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

it('sets a new password by the emailed link, once', async () => {
  const { user } = await market.join('consumer', 'Forgetful Fred');
  const visitor = await market.visit({ mayLog: REFUSED });
  const { page } = visitor;
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText(`If there is an account for ${user.email}`).waitFor();

  const folder = path.join(market.folder, 'mail');
  const link = await until('the email', async () => {
    const files = await readdir(folder).catch(() => []);
    const mails = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
    const mail = mails.find((text) => text.includes(user.email));
    // Long lines of an email are folded by `=` at their end.
    return mail
      ?.replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=')
      .match(/http\S+\/reset-password\?token=[\w.-]+/)?.[0];
  });
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

it('says that a page has been harvested', async () => {
  const { page } = await market.visit();
  await page.goto('/no/such/page');
  await page
    .getByText("Oops! The page you're looking for seems to have been harvested already.")
    .waitFor();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL(`${market.url}/`);
});

it('folds the bar into a menu on a phone', async () => {
  const { page } = await market.visit({ width: 360, height: 740 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.waitFor();
  expect(await menu.getByRole('link').allTextContents()).toEqual([
    'Home',
    'Products',
    'Farmers',
    'About',
    'Login',
    'Register',
  ]);
  await menu.getByRole('link', { name: 'Farmers' }).click();
  await page.waitForURL('**/farmers');
  await menu.waitFor({ state: 'hidden' });
});

it('begins each page at its top', async () => {
  const { page } = await market.visit();
  const [product] = (await market.call<{ data: Product[] }>('GET', '/products?limit=1')).data;
  await page.goto('/products');
  await page.locator(`a[href="/products/${product?._id}"]`).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
