import { expect, it } from 'vitest';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { sidewaysScroll } from './page-list.ts';

// What open orders mean for a product whose unit would change, and for a farm that stops.

const market = openMarket();

it('keeps the unit of a product that an order has, and offers a copy', async () => {
  const farm = await market.createFarm('Unit Acre');
  const product = await market.createProduct(farm, { name: 'Quinces', unit: 'lb' });
  const consumer = await market.register('consumer', 'Una Orders');
  const order = await market.placeOrder(consumer, product);
  const { page } = await market.visit({ as: farm, width: 320, height: 700 });
  await page.goto(`/farmer/products/edit/${product._id}`);
  await page.getByText('Unit and way of sale stay as they are', { exact: false }).waitFor();
  expect(await page.getByLabel('Unit').inputValue()).toBe('per lb');
  expect(await sidewaysScroll(page)).toBe(0);
  await page.getByRole('link', { name: `#${order._id.slice(0, 8)}` }).waitFor();
  await page.getByRole('link', { name: 'Make a copy' }).click();
  await page.waitForURL(`**/farmer/products/add?from=${product._id}`);
  await page.getByLabel('Unit').selectOption('kg');
});

it('names the orders before a farm is suspended, and lets its customers cancel', async () => {
  const farm = await market.createFarm('Still Acre');
  const consumer = await market.register('consumer', 'Ona Waits');
  const order = await market.placeOrder(
    consumer,
    await market.createProduct(farm, { name: 'Medlars' }),
  );
  const body = { status: 'accepted' };
  await market.call('PUT', `/orders/${order._id}`, { as: farm, body });
  const customer = await market.visit({ as: consumer, width: 360, height: 740 });
  await customer.page.goto(`/orders/${order._id}`);
  const cancel = customer.page.getByRole('button', { name: /^Cancel order/ });
  await customer.page.getByText('has accepted your order', { exact: false }).waitFor();
  expect(await cancel.count()).toBe(0);

  const admin = await market.visit({ as: 'admin', allowedErrors: REFUSED });
  await admin.page.goto(`/admin/users/${farm.user._id}`);
  await admin.page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = admin.page.getByRole('dialog', { name: /^Suspend Owner of Still Acre/ });
  await dialog
    .getByText(`The customers of 1 open order (#${order._id.slice(0, 8)}) are told`, {
      exact: false,
    })
    .waitFor();
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await toastOf(admin, 'Account suspended.').waitFor();

  // The page that is open says so at once.
  await customer.page.getByText('is off the market for now', { exact: false }).waitFor();
  await cancel.click();
  const question = customer.page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel order' }).click();
  await customer.page.getByText('You cancelled this order').waitFor();
});
