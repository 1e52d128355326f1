import { beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { injectAxe, violations } from './page-list.ts';
import { ACCOUNTS, openContext, type Session, sharedBrowser, signIn } from './people.ts';

// A market in Indonesia: what its pages print can be typed, everywhere.

const market = openMarket({ hasWorker: false });
const PHONE = { width: 360, height: 740, bypassCSP: true, reducedMotion: true };

beforeAll(async () => {
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { locale: 'id-ID' } });
});

const productsOf = async (farmer: Session): Promise<Product[]> =>
  await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });

it('saves the price that the page prints, in the form and in the stock view', async () => {
  const farmer = await market.createFarm('Rice Farm');
  const rice = await market.createProduct(farmer, { name: 'Rice', price: 1.5, step: 0.5 });
  const seller = await market.visit({ ...PHONE, as: farmer, allowedErrors: REFUSED });
  const { page } = seller;
  await page.goto(`/farmer/products/edit/${rice._id}`);
  const price = page.getByLabel('Price');
  await expect.poll(() => price.inputValue()).toBe('1,5');
  await price.fill('25.000');
  await page.getByLabel('Quantity available').fill('1.200,5');
  await page.getByRole('button', { name: 'Save' }).click();
  await toastOf(seller, 'Product updated successfully!').waitFor();
  expect(await productsOf(farmer)).toMatchObject([{ price: 25_000, quantityAvailable: 1200.5 }]);

  await page.goto('/farmer/products?view=stock');
  const stock = page.getByLabel('Stock of Rice');
  const stockPrice = page.getByLabel('Price of Rice');
  await expect.poll(() => stock.inputValue()).toBe('1200,5');
  await expect.poll(() => stockPrice.inputValue()).toBe('25000,00');
  await stock.fill('1.300');
  await stockPrice.fill('1.250.000');
  await stockPrice.press('Enter');
  await until('both', async () => {
    const [now] = await productsOf(farmer);
    return now?.price === 1_250_000 && now.quantityAvailable === 1300;
  });

  // In this market 1,250 is one and a quarter, which is no price of two decimals.
  await stockPrice.fill('1,250');
  await page.getByText('Is it 1,25 or 1.250?').waitFor();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.getByText('Choose what you mean.').waitFor();
  await page.getByRole('button', { name: '1.250', exact: true }).click();
  await until('the answer', async () => (await productsOf(farmer))[0]?.price === 1250);
  // Pressed at once, while the row is about to be saved.
  await stockPrice.fill('1,750');
  await page.getByRole('button', { name: '1.750', exact: true }).click();
  await until('the quick answer', async () => (await productsOf(farmer))[0]?.price === 1750);
});

it('filters by the prices that it prints, with scripts and without', async () => {
  const farmer = await market.createFarm('Fruit Farm');
  await market.createProduct(farmer, { name: 'Durian of the hill', price: 25_000 });
  await market.createProduct(farmer, { name: 'Salak of the hill', price: 25 });
  const visitor = await market.visit();
  const search = '/products?search=of+the+hill&filters=open';
  const { page } = visitor;
  await page.goto(search);
  const names = () => page.getByRole('heading', { level: 3 }).allTextContents();
  await until('both', async () => (await names()).length === 2);
  await page.getByLabel('Lowest price').fill('25.000');
  await until('the dear one', async () => `${await names()}` === 'Durian of the hill');
  await expect.poll(() => new URL(page.url()).searchParams.get('minPrice')).toBe('25000');
  await page.getByRole('button', { name: 'Remove From ₨25.000,00' }).waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Lowest price').inputValue()).toBe('25000');

  const context = await openContext(await sharedBrowser(), {
    baseURL: market.url,
    javaScriptEnabled: false,
  });
  const plain = await context.newPage();
  await plain.goto(search);
  await plain.getByLabel('Lowest price').fill('25.000');
  await plain.getByLabel('Highest price').fill('٣٠٬٠٠٠٫٥');
  await plain.getByRole('button', { name: 'Show products' }).click();
  await plain.waitForURL(/minPrice=25000&maxPrice=30000.5/);
  expect(new URL(plain.url()).search).not.toContain('typed');
  expect(await plain.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
    'Durian of the hill',
  ]);
  await expect.poll(() => plain.getByLabel('Highest price').inputValue()).toBe('30000,5');
  await plain.getByLabel('Highest price').fill('cheap');
  await plain.getByRole('button', { name: 'Show products' }).click();
  await plain.getByText('Enter a price like 2,50.').waitFor();
  await context.close();
});
