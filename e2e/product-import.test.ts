import { expect, it } from 'vitest';
import { productFile } from '../server/testing/product-file.ts';
import { openMarket } from './open-market.ts';
import { sidewaysScroll } from './page-list.ts';
import type { Person } from './people.ts';

// A farm's products out as a file, and in from one.

const market = openMarket();

/** Chooses a file on the farm's page of products, and waits for what it would change. */
async function choose({ page }: Person, rows: Record<string, unknown>[]): Promise<void> {
  await page.goto('/farmer/products');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByLabel('Choose a CSV file').setInputFiles({
    ...{ name: 'products.csv', mimeType: 'text/csv' },
    buffer: Buffer.from(productFile(rows)),
  });
  await page.waitForURL(/\/farmer\/products\/import\/[0-9a-f-]{36}$/);
}

const newRow = (name: string, over = {}) => ({
  ...{ name, description: 'Good.', category: 'Vegetables', unit: 'kg', price: '2.50', stock: 10 },
  ...over,
});

it.each([360, 1280])(
  'imports a file at %i px, leaves out what is refused, and goes on after a reload',
  async (width) => {
    const farm = await market.createFarm(`Import Acre ${width}`);
    const kale = await market.createProduct(farm, {
      name: 'Kale',
      unit: 'kg',
      quantityAvailable: 50,
    });
    const consumer = await market.register('consumer', `Ida Orders ${width}`);
    const visitor = await market.visit({ as: farm, width, height: 800 });
    const { page } = visitor;
    await choose(visitor, [
      { id: kale._id, ...newRow('Kale', { price: '3.25', stock: 60 }) },
      { id: '', ...newRow('Leeks') },
      { id: '', ...newRow('Beans', { unit: 'furlong' }) },
    ]);
    await page.getByText('Enter one of', { exact: false }).waitFor();
    await page.getByText('3.25').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    // Somebody buys while the farmer looks, and they reload.
    await market.placeOrder(consumer, kale, 4);
    await page.reload();
    const write = page.getByRole('button', { name: 'Write 2 products' });
    expect(await write.isDisabled()).toBe(true);
    await page.getByLabel('Leave out the row that is refused').check();
    const other = await market.visit({ as: farm, width, height: 800 });
    await other.page.goto(page.url());
    await other.page.getByLabel('Leave out the row that is refused').check();
    // Both tabs at once.
    await Promise.all([
      write.click(),
      other.page.getByRole('button', { name: 'Write 2 products' }).click(),
    ]);
    for (const tab of [page, other.page]) await tab.getByText('Done: 2 products.').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    const products = await market.ask<{ name: string; price: number; quantityAvailable: number }[]>(
      'GET',
      '/products/farmer/me',
      { as: farm },
    );
    expect(
      products.map(({ name, price, quantityAvailable }) => [name, price, quantityAvailable]).sort(),
    ).toEqual([
      ['Kale', 3.25, 56],
      ['Leeks', 2.5, 10],
    ]);
  },
);

it('asks how numbers are read, and exports a file that changes nothing', async () => {
  const farm = await market.createFarm('Question Acre');
  const visitor = await market.visit({ as: farm, width: 360, height: 800 });
  const { page } = visitor;
  await choose(visitor, [newRow('Kale', { price: '1,234' })]);
  await page.getByRole('button', { name: /^1,234: the point/ }).click();
  await page.getByRole('button', { name: 'Write 1 product' }).click();
  await page.getByText('Done: 1 product.').waitFor();
  await page.goto('/farmer/products');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const file = await (await downloading).path();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByLabel('Choose a CSV file').setInputFiles(file);
  await page.getByText('There is nothing to change', { exact: false }).waitFor();
});
