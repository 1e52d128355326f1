import { expect, it } from 'vitest';
import type { Category } from '#contract/catalogue/categories/categories';
import { until } from '../testing/until.ts';
import { openMarket } from './open-market.ts';
import type { Person } from './people.ts';

const market = openMarket({ hasWorker: false });

/** Returns the query of the address. */
const queryOf = ({ page }: Person) => Object.fromEntries(new URL(page.url()).searchParams);

/** Returns the elements of the products page. */
function products({ page }: Person) {
  const found = page.getByRole('region', { name: 'Products found' });
  return {
    found,
    box: page.getByRole('searchbox', { name: 'Search products' }),
    sort: page.getByRole('combobox', { name: 'Sort by' }),
    panel: page.getByRole('button', { name: /^Filters/ }),
    names: () => found.getByRole('heading', { level: 3 }).allTextContents(),
  };
}

/** Creates a farm with four products of one word that nothing else on the market has. */
async function openFarm(word: string) {
  const farmer = await market.createFarm(`${word} Hill`);
  const [category] = await market.ask<Category[]>('GET', '/categories');
  const product = (name: string, more: Record<string, unknown> = {}) =>
    market.createProduct(farmer, { name, description: 'Pulled this morning.', ...more });
  return {
    farmer,
    category: category as Category,
    whole: await product(`${word}oes`, { price: 3, isOrganic: true }),
    dear: await product(`Baby ${word}oes`, { price: 30 }),
    soldOut: await product(`Old ${word}oes`, { price: 2, quantityAvailable: 0 }),
    described: await product('Relish', { price: 5, description: `Made with a ${word}o.` }),
  };
}

it('finds the best match at once on Enter, and similar words with a sentence', async () => {
  await openFarm('Quamat');
  const visitor = await market.visit();
  const { page } = visitor;
  const { found, box, sort, names } = products(visitor);
  await page.goto('/products');
  await found.waitFor();
  await box.fill('quamato');
  await box.press('Enter');
  await until('the best match first and what is sold out last', async () => {
    const shown = await names();
    return `${shown}` === 'Quamatoes,Baby Quamatoes,Relish,Old Quamatoes';
  });
  await expect.poll(() => sort.locator('option:checked').textContent()).toBe('Best match');
  expect(queryOf(visitor)).toEqual({ search: 'quamato' });

  await sort.selectOption('Price: High to Low');
  await until('the most expensive first', async () => (await names())[0] === 'Baby Quamatoes');
  await sort.selectOption('Best match');
  expect(queryOf(visitor)).toEqual({ search: 'quamato' });

  await box.fill('quamatios');
  await page.getByText('No product matches "quamatios". Showing similar products.').waitFor();
  await until('similar products', async () => (await names()).includes('Quamatoes'));
  await box.fill('');
  await until('no best match of nothing', async () => (await sort.inputValue()) === 'newest');
  await expect.poll(() => sort.locator('option', { hasText: 'Best match' }).count()).toBe(0);
});

it('keeps the whole choice in the address, through a reload and the way back', async () => {
  const { whole, category } = await openFarm('Oroman');
  const visitor = await market.visit();
  const { page } = visitor;
  const { found, panel, names } = products(visitor);
  await page.goto('/products?search=oroman');
  await until('all four', async () => (await names()).length === 4);
  await panel.click();

  // Each choice says what it would find.
  await page.getByRole('checkbox', { name: 'In stock 3' }).check();
  await until('no sold-out product', async () => (await names()).length === 3);
  await page.getByRole('checkbox', { name: 'Organic 1' }).check();
  await until('one product', async () => `${await names()}` === 'Oromanoes');
  await page.getByRole('button', { name: 'Delivery 1' }).click();
  await page.getByRole('textbox', { name: 'Highest price' }).fill('4');
  await page.getByLabel('Category').selectOption(category.name);
  await page.getByRole('button', { name: 'Filters (5)' }).waitFor();
  const chosen = {
    search: 'oroman',
    filters: 'open',
    inStock: 'true',
    organic: 'true',
    orderType: 'delivery',
    maxPrice: '4',
    category: category._id,
  };
  expect(queryOf(visitor)).toEqual(chosen);

  await page.reload();
  await until('the same product', async () => `${await names()}` === 'Oromanoes');
  expect(queryOf(visitor)).toEqual(chosen);
  await expect.poll(() => page.getByRole('checkbox', { name: 'Organic 1' }).isChecked()).toBe(true);
  await found.getByRole('link', { name: whole.name }).click();
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor();
  await page.goBack();
  await until('the same product again', async () => `${await names()}` === 'Oromanoes');
  expect(queryOf(visitor)).toEqual(chosen);

  // A price that is none changes nothing, and says so.
  await page.getByRole('textbox', { name: 'Lowest price' }).fill('9');
  await page.getByText("The highest price can't be below the lowest.").waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await until('all four again', async () => (await names()).length === 4);
  expect(queryOf(visitor)).toEqual({ search: 'oroman', filters: 'open' });
});

it('names a preset category and farm in chips that take them off', async () => {
  const { category, farmer } = await openFarm('Parsn');
  const visitor = await market.visit();
  const { page } = visitor;
  const { names } = products(visitor);
  await page.goto(`/products?category=${category._id.toUpperCase()}&farmer=${farmer.user._id}`);
  const farm = page.getByRole('button', { name: 'Remove Parsn Hill' });
  await farm.waitFor();
  await until('all of the farm', async () => (await names()).length === 4);
  await page.getByRole('button', { name: `Remove ${category.name}` }).click();
  expect(queryOf(visitor)).toEqual({ farmer: farmer.user._id });
  await farm.click();
  await until('no choice', () => Object.keys(queryOf(visitor)).length === 0);
  await until('the whole market', async () => (await names()).length > 4);
});

it('leaves a product in its place that fits the filters no more', async () => {
  const { farmer, whole, dear } = await openFarm('Zebrin');
  const visitor = await market.visit();
  const { page } = visitor;
  const { found, names, panel } = products(visitor);
  await page.goto(`/products?farmer=${farmer.user._id}&inStock=true`);
  await until('what is in stock', async () => (await names()).length === 3);
  const before = await names();
  await panel.click();
  await page.getByRole('checkbox', { name: 'In stock 3' }).waitFor();

  const stock = (quantityAvailable: number) =>
    market.call('PUT', `/products/${whole._id}`, { as: farmer, body: { quantityAvailable } });
  // Anyone who reads the list receives updates of its products once they are watched.
  await until('the change to be shown', async () => {
    await stock(0);
    return (await found.getByText('no longer on this list').count()) === 1;
  });
  expect(await names()).toEqual(before);
  await page.getByRole('checkbox', { name: 'In stock 2' }).waitFor();
  await stock(7);
  await page.getByRole('checkbox', { name: 'In stock 3' }).waitFor();
  await until('it to be back', async () => (await found.getByText('no longer on').count()) === 0);
  expect(await names()).toEqual(before);
  expect(before).toContain(dear.name);
});

it('can be filtered with a thumb', async () => {
  await openFarm('Yacon');
  const visitor = await market.visit({ width: 360, height: 740 });
  const { page } = visitor;
  const { panel, names, box } = products(visitor);
  await page.goto('/products');
  await box.fill('yacon');
  await until('all four', async () => (await names()).length === 4);
  await panel.tap();
  await page.getByText('In stock', { exact: false }).first().tap();
  await until('no sold-out product', async () => (await names()).length === 3);
  await page.getByRole('button', { name: 'Pickup 3' }).tap();
  const sizes = await page
    .locator(
      'form button, form select, [id] fieldset button, label:has(input[type=checkbox]), li > button[aria-label^=Remove]',
    )
    .evaluateAll((elements) =>
      elements
        .filter((element) => (element as HTMLElement).offsetParent !== null)
        .map((element) => element.getBoundingClientRect().height),
    );
  expect(sizes.length).toBeGreaterThan(6);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(40);
  const isWider = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth;
  });
  expect(isWider).toBe(false);
  await page.getByRole('button', { name: 'Remove In stock' }).tap();
  await page.getByRole('button', { name: 'Remove Pickup' }).tap();
  await until('all four again', async () => (await names()).length === 4);
});
