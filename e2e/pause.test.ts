import { expect, it } from 'vitest';
import { dayFromNow, openMarket } from './open-market.ts';
import { sidewaysScroll } from './page-list.ts';

// A farm that takes no orders for a while, on the screens of its people and of its customers.

const market = openMarket();

const AGAIN = /Takes orders again from/;

it('stops and resumes orders on every open page of a farm and of its customers, without a reload', async () => {
  const farm = await market.createFarm('Quiet Acre');
  const product = await market.createProduct(farm, { name: 'Quiet quinces' });
  const consumer = await market.register('consumer', 'Paul Waits');
  const farmPage = `/farmers/${farm.user._id}`;
  const [{ page: phone }, { page: desk }, { page: list }, { page: shop }, customer] =
    await Promise.all([
      market.visit({ as: farm, width: 360, height: 740 }),
      market.visit({ as: farm }),
      market.visit(),
      market.visit({ as: consumer, width: 320, height: 700 }),
      market.visit({ as: consumer, width: 360, height: 740 }),
    ]);
  const cart = customer.page;
  await Promise.all([
    phone.goto('/farmer/dashboard'),
    desk.goto('/farmer/orders'),
    list.goto(`/products?search=${encodeURIComponent(product.name)}`),
    cart.goto(`/products/${product._id}`),
  ]);
  await cart.getByRole('button', { name: 'Add to Cart' }).click();
  await cart.goto('/checkout');
  const order = cart.getByRole('button', { name: 'Place Order' });
  await order.waitFor();
  await shop.goto(`/products/${product._id}`);
  const add = shop.getByRole('button', { name: 'Add to Cart' });
  await add.waitFor();
  const card = list.locator('article', { hasText: product.name });
  const quickAdd = card.getByRole('button', { name: /^Add / });
  await quickAdd.waitFor();

  await phone.getByRole('button', { name: 'Pause orders' }).click();
  const dialog = phone.getByRole('dialog');
  await dialog.getByText('For an hour').click();
  await dialog.getByLabel(/Note to customers/).fill('We are at the fair.');
  expect(await sidewaysScroll(phone)).toBe(0);
  await dialog.getByRole('button', { name: 'Pause orders' }).click();

  for (const device of [phone, desk]) {
    const banner = device.getByRole('region', { name: 'Paused orders' });
    await banner.getByText(/^Your farm takes no orders until /).waitFor();
    await banner.getByText('Owner of Quiet Acre', { exact: false }).waitFor();
  }
  expect(await sidewaysScroll(phone)).toBe(0);
  await card.getByText(AGAIN).waitFor();
  await expect.poll(() => quickAdd.count()).toBe(0);
  for (const page of [shop, cart]) {
    await page.getByText('We are at the fair.').waitFor();
    await page.getByText(AGAIN).first().waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
  }
  await expect.poll(() => add.count()).toBe(0);
  await expect.poll(() => order.isDisabled()).toBe(true);

  // Public pages say so before their scripts, too.
  for (const path of [farmPage, `/products/${product._id}`, '/farmers']) {
    await expect
      .poll(async () => (await fetch(`${market.url}${path}`)).text(), { message: path })
      .toMatch(AGAIN);
  }

  await desk.getByRole('button', { name: 'Resume' }).click();
  await phone.getByRole('region', { name: 'Paused orders' }).waitFor({ state: 'detached' });
  await add.waitFor();
  await quickAdd.waitFor();
  await expect.poll(() => order.isDisabled()).toBe(false);
  expect(await cart.getByText(AGAIN).count()).toBe(0);
  await expect
    .poll(async () => (await fetch(`${market.url}${farmPage}`)).text())
    .not.toMatch(AGAIN);
  await cart.getByLabel('Pickup date').fill(dayFromNow(7));
  await cart.getByLabel('Pickup time').fill('10:00');
  await order.click();
  await cart.waitForURL('**/orders/*');
});

it('ends by itself on open pages, and refuses an order from a page that has not heard of it', async () => {
  const farm = await market.createFarm('Short Acre');
  const product = await market.createProduct(farm, { name: 'Short beans' });
  const consumer = await market.register('consumer', 'Rosa Orders');
  const placing = () => market.placeOrder(consumer, product);
  const until = new Date(Date.now() + 5_000).toISOString();
  await market.call('POST', '/farm/pause', { as: farm, body: { until } });
  await expect(placing()).rejects.toThrow('FARM_PAUSED');
  const [customer, farmer] = await Promise.all([
    market.visit({ as: consumer }),
    market.visit({ as: farm }),
  ]);
  await Promise.all([
    customer.page.goto(`/products/${product._id}`),
    farmer.page.goto('/farmer/dashboard'),
  ]);
  await customer.page.getByRole('button', { name: 'Add to Cart' }).waitFor();
  await farmer.page.getByRole('button', { name: 'Pause orders' }).waitFor();
  await farmer.page.getByRole('region', { name: 'Paused orders' }).waitFor({ state: 'detached' });
  await placing();
});
