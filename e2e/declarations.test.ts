import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { openMarket, pictureOf } from './open-market.ts';
import { sidewaysScroll } from './page-list.ts';

// What a farm declares of its goods, its organic certificate, and who got a lot.

const market = openMarket();
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

it.each([PHONE, DESK])(
  'a farm says what a product is without, and customers who leave it out find it, at $width px',
  async (size) => {
    const word = size === PHONE ? 'Quibble' : 'Quobble';
    const farm = await market.createFarm(`${word} Acre`);
    const product = await market.createProduct(farm, { name: `${word} cheese` });
    const silent = await market.createProduct(farm, { name: `${word} bread` });
    const [{ page: own }, { page: shop }] = await Promise.all([
      market.visit({ as: farm, ...size }),
      market.visit(size),
    ]);
    await shop.goto(`/products/${product._id}`);
    await shop.getByText('The farm has not said which allergens it has.').waitFor();
    expect(await sidewaysScroll(shop)).toBe(0);

    await own.goto(`/farmer/products/edit/${product._id}`);
    await own.getByLabel('Allergens', { exact: true }).selectOption('It contains some');
    await own.getByRole('button', { name: 'Save changes' }).click();
    await own.getByText('Choose which allergens it has.').waitFor();
    await own.getByLabel('nuts', { exact: true }).check();
    await own.getByLabel('Ingredients').fill('Oats, hazelnuts, salt');
    await own.getByLabel('Origin').fill('Kent');
    expect(await sidewaysScroll(own)).toBe(0);
    await own.getByRole('button', { name: 'Save changes' }).click();
    // The open page follows.
    await shop.getByText('Oats, hazelnuts, salt').waitFor();
    await shop.getByText('nuts', { exact: true }).waitFor();
    await expect.poll(() => shop.getByText('has not said').count()).toBe(0);

    await shop.goto(`/products?search=${word}&filters=open`);
    await shop.getByText('2 products').waitFor();
    await shop.getByRole('checkbox', { name: 'milk' }).check();
    const found = shop.getByRole('region', { name: 'Products found' });
    await found.getByText('1 product', { exact: true }).waitFor();
    await found.getByText('Products whose allergens nobody has stated are left out.').waitFor();
    await found.getByText(product.name).waitFor();
    expect(await found.getByText(silent.name).count()).toBe(0);
    expect(new URL(shop.url()).searchParams.get('without')).toBe('milk');
    expect(await sidewaysScroll(shop)).toBe(0);
    await shop.getByRole('checkbox', { name: 'nuts', exact: true }).check();
    await shop.getByText('Nothing matches all of this right now.').waitFor();
    await shop.getByRole('button', { name: 'Remove Without milk and nuts' }).click();
    await shop.getByText('2 products').waitFor();
  },
);

it.each([PHONE, DESK])(
  'a farm’s certificate stands on its page as soon as it is saved, at $width px',
  async (size) => {
    const farm = await market.createFarm('Sealed Acre');
    const [{ page: own }, { page: shop }] = await Promise.all([
      market.visit({ as: farm, ...size }),
      market.visit(size),
    ]);
    await shop.goto(`/farmers/${farm.user._id}`);
    await shop.getByRole('heading', { name: 'Sealed Acre' }).first().waitFor();
    await own.goto('/farmer/settings');
    const part = own.getByRole('region', { name: 'Organic certificate' });
    await part.getByLabel(/^Code of the body/).fill('DE-ÖKO-006');
    await part.getByLabel(/^Valid until/).fill(addDays(dayIn('UTC'), 60));
    await part.locator('input[type=file]').setInputFiles(await pictureOf('#7a4'));
    await part.getByRole('img', { name: 'Picture of the certificate' }).waitFor();
    expect(await sidewaysScroll(own)).toBe(0);
    await part.getByRole('button', { name: 'Save' }).click();
    await shop.getByRole('heading', { name: 'Organic certificate' }).waitFor();
    await shop.getByText('DE-ÖKO-006').waitFor();
    await shop.getByText(/^Valid until /).waitFor();
    expect(await sidewaysScroll(shop)).toBe(0);

    await part.getByRole('button', { name: 'Remove', exact: true }).click();
    await own.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => shop.getByText('DE-ÖKO-006').count()).toBe(0);
  },
);

it.each([PHONE, DESK])('who got a lot is found for a recall, at $width px', async (size) => {
  const farm = await market.createFarm('Recall Acre');
  const product = await market.createProduct(farm, { name: 'Recalled kale' });
  const consumer = await market.register('consumer', 'Rhea Call');
  const order = await market.placeOrder(consumer, product, 2);
  await market.call('PUT', `/orders/${order._id}`, {
    as: farm,
    body: { status: 'accepted' },
  });
  const [{ page: own }, { page: customer }] = await Promise.all([
    market.visit({ as: farm, ...size }),
    market.visit({ as: consumer, ...size }),
  ]);
  await customer.goto(`/orders/${order._id}`);
  await customer.getByText(product.name).first().waitFor();
  const date = order.pickupDetails?.date ?? '';
  await own.goto(`/farmer/picklist?date=${date}&view=pack&order=${order._id}`);
  await own.getByRole('button', { name: /^Lot of .*: not said$/ }).click();
  await own.getByLabel(/^Lot of /).fill('L-7');
  await own.keyboard.press('Enter');
  await customer.getByText('Lot L-7').first().waitFor();
  expect(await sidewaysScroll(own)).toBe(0);

  await own.goto('/farmer/orders');
  await own.getByRole('button', { name: 'Lots' }).click();
  const dialog = own.getByRole('dialog', { name: 'Who got a lot' });
  await dialog.getByLabel('Lot').fill('l-7');
  await own.keyboard.press('Enter');
  await dialog.getByText('Rhea Call').waitFor();
  await dialog.getByText(/Recalled kale/).waitFor();
  expect(await sidewaysScroll(own)).toBe(0);
  const [download] = await Promise.all([
    own.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toMatch(/^\uFEFFLot,Date,Customer,/);
  expect(file).toContain('Rhea Call');
});
