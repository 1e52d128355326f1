import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket } from './open-market.ts';
import { injectAxe, sidewaysScroll, violations } from './page-list.ts';
import { ACCOUNTS, type Person, signIn } from './people.ts';

// What a farm sells in sizes, from the form to the crate, on its phone, at its desk, and in Urdu.

const market = openMarket({ hasWorker: false });

/** Requires that nothing of the page hangs over, and that anybody can use it. */
async function expectUsable({ page }: Person): Promise<void> {
  expect(await sidewaysScroll(page)).toBe(0);
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
}

it('is offered, priced by size and packed', async () => {
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { languages: ['en', 'ur'] } });
  const farmer = await market.createFarm('Farm of Sizes');
  const own = async () => {
    const [product] = await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });
    return product as Product;
  };
  const phone = await market.visit({ as: farmer, width: 360, height: 780, bypassCSP: true });
  const { page } = phone;

  // A product in three sizes.
  await page.goto('/farmer/products/add');
  await page.getByLabel('Product name').fill('Potatoes');
  await page.getByLabel('Description').fill('Waxy.');
  await page.getByLabel('Category').selectOption({ index: 1 });
  await page.getByLabel('Quantity available').fill('100');
  await page.getByLabel('Price').fill('2.50');
  await page.getByLabel('Unit').selectOption('kg');
  await page.getByLabel('Sold in sizes').check();
  const sizes = page.getByRole('list', { name: 'Sizes' });
  const row = (at: number) => sizes.getByRole('group').nth(at);
  // The first has the price that was there.
  expect(await row(0).getByLabel('Price').inputValue()).toBe('2.5');
  for (const [at, content, price] of [
    [1, '2', '4.80'],
    [2, '5', '11'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a size' }).click();
    await row(at).getByLabel('Contains').fill(content);
    await row(at).getByLabel('Price').fill(price);
  }
  // What is in it is its name, unless the farm has another one.
  await until(
    'the name',
    async () => (await row(2).getByLabel('Size name').inputValue()) === '5 kg',
  );
  await row(2).getByLabel('Size name').fill('Sack of 5 kg');
  await row(2).getByLabel('SKU').fill('P-5');
  await page.getByRole('button', { name: 'Move Sack of 5 kg up' }).click();
  await page.getByRole('button', { name: 'Remove 1 kg' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectUsable(phone);
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.waitForURL('**/farmer/products');
  const product = await own();
  expect(product.sizes?.map(({ label, content, price }) => [label, content, price])).toEqual([
    ['1 kg', 1, 2.5],
    ['Sack of 5 kg', 5, 11],
    ['2 kg', 2, 4.8],
  ]);

  // Its stock, and a price of one size.
  await page.goto('/farmer/products?view=stock');
  await page.getByText('100 × 1 kg, 20 × Sack of 5 kg, 50 × 2 kg left').waitFor();
  const price = page.getByLabel('Price of Potatoes (Sack of 5 kg)');
  await price.fill('10.50');
  await price.press('Enter');
  await until('the price', async () => (await own()).sizes?.[1]?.price === 10.5);
  await expectUsable(phone);

  // An order of two sizes.
  const consumer = await market.register('consumer', 'Sam Sizes');
  const { _id, farmer: seller, sizes: [small, sack] = [] } = await own();
  const day = dayFromNow(7);
  const order = await market.ask<Order>('POST', '/orders', {
    as: consumer,
    body: {
      farmer: seller._id,
      items: [
        { product: _id, size: small?._id, quantity: 4, price: 2.5 },
        { product: _id, size: sack?._id, quantity: 2, price: 10.5 },
      ],
      pickupDetails: { date: day, time: '10:30', location: 'Farm of Sizes' },
    },
  });
  await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'accepted' } });
  await page.getByText('86 × 1 kg, 17 × Sack of 5 kg, 43 × 2 kg left').waitFor();

  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/farmer/picklist?date=${day}`);
    await page
      .getByRole('checkbox', { name: 'Potatoes, 14 kg, 4 × 1 kg, 2 × Sack of 5 kg' })
      .waitFor();
    await expectUsable(phone);
    await page.goto(`/farmer/picklist?date=${day}&view=pack`);
    await page.getByRole('button', { name: /^Sam Sizes/ }).click();
    await page.getByText('4 × Potatoes (1 kg)').waitFor();
    await page.getByText('2 × Potatoes (Sack of 5 kg)').waitFor();
    await expectUsable(phone);
    await page.goto(`/farmer/products/edit/${_id}`);
    await page.getByRole('list', { name: 'Sizes' }).waitFor();
    await expectUsable(phone);
    await page.goto('/farmer/products');
    await page.getByText('from ₨2.50').filter({ visible: true }).first().waitFor();
    await expectUsable(phone);
  }

  // From right to left.
  await market.call('PUT', '/users/profile', { as: farmer, body: { language: 'ur' } });
  const reader = { ...farmer, user: { ...farmer.user, language: 'ur' } };
  const urdu = await market.visit({ as: reader, width: 360, height: 780, bypassCSP: true });
  await urdu.page.goto('/farmer/products?view=stock');
  await urdu.page.getByRole('list', { name: /Potatoes.* کی قیمتیں/ }).waitFor();
  await expectUsable(urdu);
  await urdu.page.goto(`/farmer/products/edit/${_id}`);
  await urdu.page.getByRole('list', { name: 'سائز' }).waitFor();
  await expectUsable(urdu);
  await urdu.page.goto(`/farmer/picklist?date=${day}`);
  await urdu.page.getByRole('checkbox', { name: /Potatoes/ }).waitFor();
  await expectUsable(urdu);
});
