import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import type { Person } from './people.ts';

const market = openMarket({ hasWorker: false });

/** Returns the path and query of the address. */
const addressOf = ({ page }: Person) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

it('shows the market on its front page and links into it', async () => {
  const visitor = await market.visit();
  const { page } = visitor;
  await page.goto('/');
  expect(await page.getByRole('link', { name: 'Shop Now' }).getAttribute('href')).toBe('/products');
  const meet = page.getByRole('link', { name: 'Meet Our Farmers' });
  expect(await meet.getAttribute('href')).toBe('/farmers');

  const why = page.locator('section', { has: page.getByRole('heading', { name: /^Why choose/i }) });
  await expect.poll(() => why.getByRole('heading', { level: 3 }).count()).toBe(4);
  await page.locator('article').first().waitFor();
  await expect.poll(() => page.locator('main a[href^="/products/"]').count()).toBe(4);
  await page.locator('main a[href^="/farmers/"]').first().waitFor();
  await expect.poll(() => page.locator('main a[href^="/farmers/"]').count()).toBe(3);
  const account = page.getByRole('link', { name: 'Create an account' });
  expect(await account.getAttribute('href')).toBe('/register');
  const about = page.getByRole('link', { name: 'How it works' });
  expect(await about.getAttribute('href')).toBe('/about');

  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect
    .poll(() => bar.getByRole('link').allTextContents())
    .toEqual(['Home', 'Products', 'Farmers', 'About']);
  const banner = page.getByRole('banner');
  await banner.getByRole('link', { name: 'Login' }).waitFor();
  await banner.getByRole('link', { name: 'Register' }).waitFor();

  // A category links to its products, preselected there.
  const tile = page.locator('main a[href^="/products?category="]').first();
  const category = (await tile.locator('span').last().textContent()) ?? '';
  await tile.click();
  await page.waitForURL('**/products?category=*');
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  const chosen = page.getByLabel('Category').locator('option:checked');
  await expect.poll(() => chosen.textContent()).toBe(category);
});

it('accepts valid newsletter addresses', async () => {
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
  await expect.poll(() => address.inputValue()).toBe('');
});

it('shows the about page with its people', async () => {
  const { page } = await market.visit();
  await page.goto('/about');
  for (const step of ['Connect', 'Order', 'Enjoy', 'For consumers', 'For farmers']) {
    await page.getByRole('heading', { name: step, level: 3 }).waitFor();
  }
  const profiles = page.locator('main a[href^="https://"]');
  await expect.poll(() => profiles.count()).toBe(5);
});

it('finds products and restores the search on the way back', async () => {
  const visitor = await market.visit();
  const { page } = visitor;
  await page.goto('/products');
  const found = page.getByRole('region', { name: 'Products found' });
  await found.waitFor();
  const names = () => found.getByRole('heading', { level: 3 }).allTextContents();
  const all = (await names()).length;

  const sort = page.getByRole('combobox', { name: 'Sort by' });
  const sorts = ['Newest', 'Price: Low to High', 'Price: High to Low'];
  await expect.poll(() => sort.locator('option').allTextContents()).toEqual(sorts);
  await expect.poll(() => sort.inputValue()).toBe('newest');

  await page.getByRole('searchbox', { name: 'Search products' }).fill('TOMATO');
  await until('fewer products', async () => {
    const shown = await names();
    return shown.length > 0 && shown.length < all;
  });
  await expect.poll(() => addressOf(visitor)).toBe('/products?search=TOMATO');

  await expect
    .poll(() => sort.locator('option').allTextContents())
    .toEqual(['Best match', ...sorts]);
  await expect.poll(() => sort.inputValue()).toBe('relevance');
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
  await expect.poll(() => category.locator('option').first().textContent()).toBe('All Categories');
  await category.selectOption({ index: 1 });
  await until('fewer products', async () => {
    const { length } = await names();
    return length > 0 && length < all;
  });
  const here = addressOf(visitor);
  expect(here).toMatch(/^\/products\?(?=.*sort=price-asc)(?=.*category=[0-9a-f-]{36})/);
  const chosen = await category.inputValue();
  const shown = await names();

  // Going back from a product restores all of it.
  await found.getByRole('link').first().click();
  await page.waitForURL(/\/products\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor();
  await page.goBack();
  await found.waitFor();
  await expect.poll(() => addressOf(visitor)).toBe(here);
  await expect.poll(() => category.inputValue()).toBe(chosen);
  await until('the same products', async () => `${await names()}` === `${shown}`);

  await page.getByRole('searchbox', { name: 'Search products' }).fill('no such thing');
  await page.getByText('No Products Found').waitFor();
  await page.getByRole('button', { name: 'Show all products' }).click();
  await found.waitFor();
});

it('shows all facts of a product and sends visitors to the login', async () => {
  const farmer = await market.createFarm('Long Meadow');
  const product = await market.createProduct(farmer, {
    name: 'Meadow Garlic',
    price: 1234.5,
    unit: 'bunch',
    quantityAvailable: 7,
    isOrganic: true,
    harvestDate: '2026-01-31',
    images: await market.upload(farmer, 'green', 'purple'),
  });
  const { page } = await market.visit({ allowedErrors: /ERR_FAILED/ });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('heading', { name: 'Meadow Garlic', level: 1 }).waitFor();
  for (const words of [
    product.category?.name ?? '',
    'Organic',
    'Pulled this morning.',
    'Long Meadow',
    'Owner of Long Meadow',
    'Putney, VT',
    /31.* Jan.* 2026/,
  ]) {
    await page.locator('main').getByText(words).first().waitFor();
  }
  expect(await page.locator('main').textContent()).toMatch(/₨\s?1,234\.50 per bunch/);
  await page.getByRole('button', { name: 'Picture 2' }).click();
  await page.getByRole('img', { name: 'Meadow Garlic, picture 2 of 2' }).waitFor();

  // A placeholder replaces broken pictures.
  await page.route('**/uploads/**', (route) => route.abort());
  await page.reload();
  await page.locator('main img[src="/placeholder.svg"]').first().waitFor();

  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await expect.poll(() => quantity.inputValue()).toBe('1');
  await expect.poll(() => quantity.getAttribute('aria-valuemax')).toBe('7');
  await quantity.fill('99');
  await quantity.blur();
  await expect.poll(() => quantity.inputValue()).toBe('7');
  const profile = page.getByRole('link', { name: 'View Farm Profile' });
  expect(await profile.getAttribute('href')).toBe(`/farmers/${farmer.user._id}`);

  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.waitForURL(/\/login\?next=/);
  await page.goBack();
  await page.getByRole('link', { name: 'Message Farmer' }).click();
  await page.waitForURL(/\/login\?next=/);
});

it('shows an error for an unknown product', async () => {
  const { page } = await market.visit({ allowedErrors: REFUSED });
  await page.goto('/products/nothing');
  await page.getByRole('alert').getByText('Product not found').waitFor();
  await page.getByRole('link', { name: 'Back to Products' }).click();
  await page.waitForURL('**/products');
});

it('finds farms by name and shows all facts of one', async () => {
  const { page } = await market.visit({ allowedErrors: REFUSED });
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
    'Taxila, Punjab',
    '+92 51 000 0114',
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

it('shows that a farm sells nothing', async () => {
  const farmer = await market.createFarm('Bare Field');
  const { page } = await market.visit();
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByText('No Products Available').waitFor();
});

it('shows the 404 page', async () => {
  const { page } = await market.visit({ allowedErrors: REFUSED });
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await page
    .getByText("Oops! The page you're looking for seems to have been harvested already.")
    .waitFor();
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL(`${market.url}/`);
});

it('collapses the bar into a menu on a phone', async () => {
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

it('scrolls to the top of each page', async () => {
  const { page } = await market.visit();
  const [product] = await market.ask<Product[]>('GET', '/products?limit=1');
  await page.goto('/products');
  await page.locator(`a[href="/products/${product?._id}"]`).waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Us' }).click();
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  await until('the top', async () => (await page.evaluate(() => window.scrollY)) === 0);
});
