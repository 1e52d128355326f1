import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { injectAxe, violations } from './page-list.ts';
import type { Session } from './people.ts';

// Goods that are sold in parts of a unit, on a phone: entered, ordered, and stocked.

const market = openMarket({ hasWorker: false });
const PHONE = { width: 360, height: 740, bypassCSP: true, reducedMotion: true };

const productsOf = async (farmer: Session): Promise<Product[]> =>
  await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

it('enters a product in steps with commas, and says what does not fit', async () => {
  const farmer = await market.createFarm('Scale Farm');
  const seller = await market.visit({ ...PHONE, as: farmer });
  const { page } = seller;
  await page.goto('/farmer/products/add');
  await page.getByLabel('Product name').fill('Carrots');
  await page.getByLabel('Description').fill('By weight.');
  await page.getByLabel('Category').selectOption({ index: 1 });
  await page.getByLabel('Unit').selectOption('kg');
  // Typed, since a number field would drop the comma.
  await page.getByLabel('Price').pressSequentially('4,20');
  await page.getByLabel('Quantity available').pressSequentially('12,6');
  await page.getByLabel('Sold in steps of').pressSequentially('0,25');
  await page.getByLabel('Smallest order').pressSequentially('0,5');
  const submit = page.getByRole('button', { name: 'Add product' });
  await submit.click();
  await page
    .getByText('A stock of 12.6 kg is no multiple of 0.25 kg. Set it to 12.5 kg or 12.75 kg.')
    .waitFor();
  expect(await isWiderThanScreen(page)).toBe(false);
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Quantity available').fill('12,5');
  await submit.click();
  await toastOf(seller, 'Product created successfully!').waitFor();
  expect(await productsOf(farmer)).toMatchObject([
    { price: 4.2, quantityAvailable: 12.5, step: 0.25, minimum: 0.5 },
  ]);
});

it('orders parts, and offers the nearest when the steps change under the cart', async () => {
  const farmer = await market.createFarm('Part Farm');
  const carrots = await market.createProduct(farmer, {
    unit: 'kg',
    price: 4.2,
    quantityAvailable: 12.5,
    step: 0.25,
    minimum: 0.5,
  });
  const consumer = await market.register('consumer', 'Paula Parts');
  const buyer = await market.visit({ ...PHONE, as: consumer });
  const { page } = buyer;
  await page.goto(`/products/${carrots._id}`);
  await page.getByText('Sold in steps of 0.25 kg, from 0.5 kg.').waitFor();
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await expect.poll(() => quantity.inputValue()).toBe('0.5');
  await page.getByRole('button', { name: 'One more: Quantity' }).click();
  await expect.poll(() => quantity.inputValue()).toBe('0.75');
  await quantity.fill('1,3');
  await quantity.blur();
  await expect.poll(() => quantity.inputValue()).toBe('1.25');
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(buyer, 'Added Carrots to your cart').waitFor();

  await page.goto('/checkout');
  const inCart = page.getByRole('spinbutton', { name: 'Quantity of Carrots' });
  await page.getByText('sold in steps of 0.25 kg, from 0.5 kg').waitFor();
  await expect.poll(() => inCart.inputValue()).toBe('1.25');
  await page.getByText('₨5.25').first().waitFor();
  expect(await isWiderThanScreen(page)).toBe(false);

  const body = { step: 0.2, minimum: null, quantityAvailable: 12.4 };
  await market.call('PUT', `/products/${carrots._id}`, { as: farmer, body });
  await page
    .getByText('You can order Carrots in steps of 0.2 kg: 1.2 kg instead of 1.25 kg.')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Update my cart' }).click();
  await until('the nearest quantity', async () => (await inCart.inputValue()) === '1.2');
  await page.getByText('₨5.04').first().waitFor();
  await page.getByRole('button', { name: 'One more: Quantity of Carrots' }).click();
  await expect.poll(() => inCart.inputValue()).toBe('1.4');

  const [now] = await productsOf(farmer);
  const order = await market.placeOrder(consumer, now as Product, 1.4);
  await page.goto(`/orders/${order._id}`);
  await page.getByText('1.4 kg').first().waitFor();
  await page.getByText('₨5.88').first().waitFor();
  const rest = { quantityAvailable: 0.2, minimum: 0.4 };
  await market.call('PUT', `/products/${carrots._id}`, { as: farmer, body: rest });
  await page.goto(`/products/${carrots._id}`);
  await page.getByText('The 0.2 kg left are less than the smallest order of 0.4 kg.').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Add to Cart' }).isDisabled())
    .toBe(true);
});

it('stocks by the step, from two devices', async () => {
  const farmer = await market.createFarm('Stock Farm');
  await market.createProduct(farmer, {
    name: 'Cheese',
    unit: 'kg',
    quantityAvailable: 1.2,
    step: 0.1,
    minimum: 0.2,
  });
  const [one, other] = [
    await market.visit({ ...PHONE, as: farmer, allowedErrors: REFUSED }),
    await market.visit({ ...PHONE, as: farmer }),
  ];
  for (const { page } of [one, other]) await page.goto('/farmer/products?view=stock');
  const fieldOf = ({ page }: { page: Page }) =>
    page.getByRole('textbox', { name: 'Stock of Cheese' });
  const holds = (who: { page: Page }, value: string) =>
    until(`the stock to be ${value}`, async () => (await fieldOf(who).inputValue()) === value);
  await holds(other, '1.2');
  await one.page.getByRole('button', { name: 'One more: Cheese' }).tap();
  await holds(one, '1.3');
  await holds(other, '1.3');
  await fieldOf(other).fill('8,75');
  await fieldOf(other).press('Enter');
  await other.page
    .getByRole('alert')
    .filter({ hasText: 'Enter a multiple of 0.1 kg, such as 0.5 kg.' })
    .waitFor();
  await fieldOf(other).fill('8,7');
  await fieldOf(other).press('Enter');
  await holds(one, '8.7');
  // The field shows what was saved while it has the focus, and that is what the next number replaces.
  await holds(other, '8.7');
  await fieldOf(other).fill('0.1');
  await fieldOf(other).press('Enter');
  await one.page.getByText('Less than the smallest order of 0.2 kg').waitFor();
  expect(await isWiderThanScreen(one.page)).toBe(false);
});

it('shows whole prices and stocks in the stock list of a small phone', async () => {
  const farmer = await market.createFarm('Dear Farm');
  for (const price of [9.5, 123.45, 1234.5]) {
    await market.createProduct(farmer, { name: `Ham ${price}`, price, quantityAvailable: 1250 });
  }
  const { page } = await market.visit({ ...PHONE, as: farmer });
  await page.goto('/farmer/products?view=stock');
  for (const price of [9.5, 123.45, 1234.5]) {
    for (const name of [`Price of Ham ${price}`, `Stock of Ham ${price}`]) {
      const field = page.getByRole('textbox', { name });
      await field.waitFor();
      const room = await field.evaluate(({ clientWidth, scrollWidth }) => ({
        width: clientWidth,
        needed: scrollWidth,
      }));
      expect({ name, ...room }).toEqual({ name, width: room.width, needed: room.width });
    }
  }
  expect(await isWiderThanScreen(page)).toBe(false);
});
