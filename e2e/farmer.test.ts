import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { FarmerDetail } from '#contract/farm/farmers/farmers';
import type { Order } from '#contract/ordering/orders/orders';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { until } from '../testing/until.ts';
import { openMarket, pictureOf, REFUSED, shortId, toastOf } from './open-market.ts';
import type { Session } from './people.ts';

const market = openMarket({ hasWorker: false });

const productsOf = async (farmer: Session) =>
  await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });

it('adds a product with pictures', async () => {
  const farmer = await market.createFarm('Picture Farm');
  const seller = await market.visit({ as: farmer });
  const { page } = seller;
  await page.goto('/farmer/products');
  await page.getByText('No Products Found').waitFor();
  await page.getByRole('link', { name: 'Add product' }).click();
  const submit = page.getByRole('button', { name: 'Add product' });
  const unit = page.getByLabel('Unit');
  await unit.waitFor();
  expect(await unit.inputValue()).toBe('lb');
  expect(
    (await unit.locator('option').allTextContents()).map((words) => words.replace('per ', '')),
  ).toEqual([...UNITS]);
  expect(await page.getByLabel('Active').isChecked()).toBe(true);

  await submit.click();
  for (const words of [
    'Product name is required',
    'Description is required',
    'Category is required',
    'Valid price is required',
    'Valid quantity is required',
  ]) {
    await page.getByText(words, { exact: true }).waitFor();
  }
  const name = page.getByLabel('Product name');
  await until('the focus', () => name.evaluate((box) => box === document.activeElement));
  await name.fill('Kohlrabi');
  await page
    .getByLabel('Description')
    .fill('Sweet and crisp, best eaten raw with a little salt on it.');
  await page.getByLabel('Category').selectOption({ index: 1 });
  await page.getByLabel('Price').fill('0');
  await page.getByLabel('Quantity available').fill('0');
  await submit.click();
  await page.getByText('Valid price is required').waitFor();
  await page.getByText('Valid quantity is required').waitFor();
  await page.getByLabel('Price').fill('3.25');
  await page.getByLabel('Quantity available').fill('8');

  // Select one picture, drop another, then move the second to the front.
  await page.getByText(/^Upload up to 5 images/).waitFor();
  await page.locator('input[type=file]').setInputFiles(await pictureOf('green'));
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  const { buffer } = await pictureOf('purple');
  const dropped = await page.evaluateHandle((base64) => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], 'purple.png', { type: 'image/png' }));
    return transfer;
  }, buffer.toString('base64'));
  const zone = page.locator('label', { hasText: 'Choose pictures, or drop them here' });
  await zone.dispatchEvent('drop', { dataTransfer: dropped });
  const second = page.getByRole('img', { name: 'Picture 2' });
  await second.waitFor();
  const purple = await second.getAttribute('src');
  await page.getByRole('button', { name: 'Move picture 2 of 2' }).press('ArrowLeft');
  const first = page.getByRole('img', { name: 'Picture 1' });
  await until('the other order', async () => (await first.getAttribute('src')) === purple);

  // Leaving by a link or by the back button asks for confirmation.
  const question = page.getByRole('alertdialog');
  await page.getByRole('link', { name: 'Back to my products' }).click();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => name.inputValue()).toBe('Kohlrabi');

  await submit.click();
  await toastOf(seller, 'Product created successfully!').waitFor();
  await page.waitForURL('**/farmer/products');
  const row = page.getByRole('row', { name: /Kohlrabi/ });
  for (const words of [
    'Sweet and crisp, best eaten raw with a little salt',
    /₨\s?3\.25/,
    'per lb',
    '8',
    'Active',
  ]) {
    await row.getByText(words).first().waitFor();
  }
  const [product] = await productsOf(farmer);
  expect(product?.images).toHaveLength(2);
  expect(product?.images[0]).toBe(purple);
  await row.getByRole('link', { name: 'View Kohlrabi' }).click();
  await page.getByRole('img', { name: 'Kohlrabi, picture 1 of 2' }).waitFor();
});

it('edits a product and removes it', async () => {
  const farmer = await market.createFarm('Changing Farm');
  const product = await market.createProduct(farmer, { name: 'Pears', quantityAvailable: 30 });
  await market.createProduct(farmer, { name: 'Quinces' });
  const seller = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const { page } = seller;
  await page.goto('/farmer/products');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('pEAR');
  await page.getByRole('row', { name: /Quinces/ }).waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Edit Pears' }).click();
  const quantity = page.getByLabel('Quantity available');
  await quantity.fill('');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Valid quantity is required').waitFor();
  await quantity.fill('12');
  await page.getByLabel('Active').uncheck();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await toastOf(seller, 'Product updated successfully!').waitFor();
  await page.waitForURL('**/farmer/products');
  const row = page.getByRole('row', { name: /Pears/ });
  await row.getByText('Inactive').waitFor();
  await row.getByText('12', { exact: true }).waitFor();
  const visitors = await fetch(`${market.url}/api/products/${product._id}`);
  expect(visitors.status).toBe(404);

  await page.goto(`/farmer/products/edit/${farmer.user._id}`);
  await page.getByText('Product not found').waitFor();

  await page.goto('/farmer/products');
  await page.getByRole('button', { name: 'Delete Pears' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('This action cannot be undone.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Pears' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await toastOf(seller, 'Product deleted successfully!').waitFor();
  await row.waitFor({ state: 'hidden' });
  expect((await productsOf(farmer)).map(({ name }) => name)).toEqual(['Quinces']);
});

it('answers orders', async () => {
  const farmer = await market.createFarm('Busy Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Chard', quantityAvailable: 10 }),
    market.register('consumer', 'Betty Customer'),
  ]);
  const first = await market.placeOrder(consumer, product);
  const second = await market.placeOrder(consumer, product, 2);
  const third = await market.placeOrder(consumer, product, 3);
  const seller = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const { page } = seller;
  const orderNow = async ({ _id }: Order) =>
    await market.ask<Order>('GET', `/orders/${_id}`, { as: farmer });
  await page.goto('/farmer/orders');
  await page.getByText('3 orders are waiting for you.').waitFor();
  const rowOf = (order: Order) => page.locator(`[data-order="${order._id}"] button`);

  await rowOf(first).click();
  await page.getByRole('button', { name: `Accept order ${shortId(first)}` }).click();
  await toastOf(seller, 'Order status updated to accepted').waitFor();
  // Accepting moved on to the next order. For a moment the answered one is in both lists.
  await rowOf(first).last().click();
  await page.getByRole('button', { name: `Complete order ${shortId(first)}` }).click();
  await toastOf(seller, 'Order status updated to completed').waitFor();
  const update = (order: Order) =>
    page.getByRole('button', { name: `Update Status of order ${shortId(order)}` });
  await until('the dialog of a completed order to be closed to all', () =>
    update(first).isDisabled(),
  );

  await rowOf(second).click();
  await page.getByRole('button', { name: `Reject order ${shortId(second)}` }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Reason (optional)').fill('The slugs were faster.');
  await question.getByRole('button', { name: 'Reject order' }).click();
  await toastOf(seller, 'Order status updated to rejected').waitFor();
  expect((await orderNow(second)).timeline.at(-1)?.reason).toBe('The slugs were faster.');

  // The dialog offers all five statuses; the server decides which are allowed.
  await rowOf(third).click();
  await update(third).click();
  const dialog = page.getByRole('dialog', { name: 'Update Status' });
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(5);
  await dialog.getByRole('radio', { name: 'Completed' }).check();
  await dialog.getByRole('button', { name: 'Update Status' }).click();
  await toastOf(seller, /pending.*completed/i).waitFor();
  await dialog.getByRole('radio', { name: 'Cancelled' }).check();
  await dialog.getByRole('button', { name: 'Update Status' }).click();
  await toastOf(seller, 'Order status updated to cancelled').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await until('the dialog of a cancelled order to be closed to all', () =>
    update(third).isDisabled(),
  );
  // Rejected and cancelled quantities are in stock again.
  expect((await productsOf(farmer))[0]?.quantityAvailable).toBe(9);

  await page.getByRole('button', { name: 'Accepted', exact: true }).click();
  await page.getByText('No Orders Found').waitFor();
  await page.getByRole('button', { name: 'Rejected', exact: true }).click();
  await rowOf(second).waitFor();
  expect(await page.locator('[data-order]').count()).toBe(1);

  // The order's page has a form for the customer and links back to the farmer's list.
  await page.getByRole('link', { name: 'Open order page' }).click();
  await page.getByRole('heading', { name: 'Contact customer' }).waitFor();
  await page.getByRole('link', { name: 'Back to Orders' }).click();
  await page.waitForURL('**/farmer/orders');
});

it('edits the farm profile', async () => {
  const farmer = await market.register('farmer', 'Freya Field');
  const seller = await market.visit({ as: farmer });
  const { page } = seller;
  await page.goto('/profile');
  await page.getByRole('tab', { name: 'Farm Profile' }).click();
  await page.getByText(/^Once the farm is saved you go on/).waitFor();
  const section = (name: string) => page.getByRole('form', { name });
  const save = async (name: string) => {
    await section(name).getByRole('button', { name: 'Save' }).click();
    await section(name).getByText('Farm profile updated successfully!').waitFor();
  };
  await page.getByLabel('Established year').fill('1899');
  await section('The farm').getByRole('button', { name: 'Save' }).click();
  for (const words of [
    'Farm name is required',
    'Description is required',
    "The year can't be before 1900.",
  ]) {
    await page.getByText(words).waitFor();
  }
  await page.getByLabel('Farm name').fill('Field and Sky');
  await page.getByLabel('Established year').fill('1999');
  await page.getByLabel('Description').fill('Grain and clouds.');
  const practice = page.getByRole('textbox', { name: 'Farming practices' });
  for (const text of ['   ', 'No-till', 'Hedgerows']) {
    await practice.fill(text);
    if (text === 'No-till') await practice.press('Enter');
    else await page.getByRole('button', { name: 'Add', exact: true }).click();
  }
  await page.getByRole('button', { name: 'Remove Hedgerows' }).click();
  await save('The farm');
  await toastOf(seller, 'Farmer profile updated successfully!').waitFor();
  await page.getByLabel('Instagram').fill('https://instagram.com/fieldandsky');
  await page.getByLabel('Show my email on the farm’s page').uncheck();
  await save('Email and social links');
  await page.getByRole('checkbox', { name: 'Monday' }).check();
  const monday = page.getByRole('group', { name: 'Monday' });
  await monday.getByLabel('To').fill('12:00');
  await page.getByRole('button', { name: 'Add hours on Monday' }).click();
  await page.getByRole('group', { name: 'Monday, range 2' }).getByLabel('To').fill('18:00');
  await page.getByRole('button', { name: 'Copy the hours of Monday' }).click();
  await page.getByRole('menuitem', { name: 'Friday' }).click();
  await save('Business hours');
  await page.getByLabel('Accepts delivery').check();
  await page.getByLabel('Delivery radius (km)').fill('15');
  await save('How customers get it');
  const path = `/users/farmers/${farmer.user._id}`;
  const { profile } = await market.ask<FarmerDetail>('GET', path);
  expect(profile.farmingPractices).toEqual(['No-till']);
  await page.goto(`/farmers/${farmer.user._id}`);
  const main = page.locator('main');
  for (const words of ['Field and Sky', 'Established 1999', 'No-till', 'Instagram', 'Monday']) {
    await main.getByText(words).first().waitFor();
  }
  await main.getByText('Delivery up to 15 km').waitFor();
  expect(await main.getByText(farmer.user.email).count()).toBe(0);
  expect(await main.getByText('1:00–6:00 pm').count()).toBe(2);
  expect(await main.getByText('Tuesday').count()).toBe(0);
});

it('shows the farm with its own pictures, live, and the drawn one without them', async () => {
  const farmer = await market.createFarm('Portrait Farm');
  const seller = await market.visit({ as: farmer });
  const { page: visited } = await market.visit();
  await visited.goto(`/farmers/${farmer.user._id}`);
  await visited.getByRole('heading', { name: 'Portrait Farm', level: 1 }).waitFor();
  const cover = visited.getByRole('img', { name: 'The cover picture of Portrait Farm' });
  expect(await cover.count()).toBe(0);

  const { page } = seller;
  await page.goto('/profile?tab=farm');
  const group = (name: string) => page.getByRole('group', { name, exact: true });
  const save = page.getByRole('form', { name: 'Pictures' }).getByRole('button', { name: 'Save' });
  await group('Cover picture')
    .locator('input')
    .setInputFiles(await pictureOf('green'));
  await group('Cover picture').getByRole('img', { name: 'Cover picture' }).waitFor();
  await group('Photo')
    .locator('input')
    .setInputFiles(await pictureOf('purple'));
  await group('Photo').getByRole('img', { name: 'Photo' }).waitFor();
  await save.click();
  await page.getByText('Farm profile updated successfully!').waitFor();
  await cover.waitFor();
  await visited.getByRole('img', { name: 'Photo of Portrait Farm' }).waitFor();

  const path = `/users/farmers/${farmer.user._id}`;
  const profile = async () => (await market.ask<FarmerDetail>('GET', path)).profile;
  const { cover: first, photo } = await profile();
  await expect.poll(() => cover.getAttribute('src')).toBe(first);
  await visited.goto('/farmers?search=Portrait');
  const card = visited.getByRole('article').filter({ hasText: 'Portrait Farm' });
  await card.locator(`img[src="${first}"]`).waitFor();
  await card.locator(`img[src="${photo}"]`).waitFor();

  // Another cover takes the place of the first one, and the photo goes.
  await group('Cover picture')
    .locator('input')
    .setInputFiles(await pictureOf('orange'));
  await until('the other cover', async () => {
    const src = await group('Cover picture').getByRole('img').getAttribute('src');
    return src !== first && src !== null && !src.startsWith('blob:');
  });
  await group('Photo').getByRole('button', { name: 'Remove' }).click();
  await save.click();
  await card.locator(`img[src="${first}"]`).waitFor({ state: 'detached' });
  await card.locator(`img[src="${photo}"]`).waitFor({ state: 'detached' });
  // The answer, with which the form starts over, may come after the event.
  await page.getByText('Farm profile updated successfully!').waitFor();
  const now = await profile();
  expect(now.photo).toBeNull();
  await card.locator(`img[src="${now.cover}"]`).waitFor();

  await group('Cover picture').getByRole('button', { name: 'Remove' }).click();
  await save.click();
  await card.locator('svg').first().waitFor();
  await card.locator('img').waitFor({ state: 'detached' });
  expect((await profile()).cover).toBeNull();
});

it('shows the figures of the farm', async () => {
  const farmer = await market.createFarm('Counting Farm');
  const [few, plenty, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Figs', quantityAvailable: 6, price: 2 }),
    market.createProduct(farmer, { name: 'Grapes', quantityAvailable: 50, price: 10 }),
    market.register('consumer', 'Carl Count'),
  ]);
  const done = await market.placeOrder(consumer, plenty, 3);
  for (const status of ['accepted', 'completed']) {
    await market.call('PUT', `/orders/${done._id}`, { as: farmer, body: { status } });
  }
  await market.placeOrder(consumer, few, 2);
  await market.call('POST', '/messages', {
    as: consumer,
    body: { receiver: farmer.user._id, content: 'Are they ripe?' },
  });
  const { page } = await market.visit({ as: farmer });
  await page.goto('/farmer/dashboard');
  const main = page.locator('main');
  for (const card of [/^Products\s*2$/, /^Pending orders\s*1$/, /^Unread messages\s*1$/]) {
    await main.getByRole('link', { name: card }).waitFor();
  }
  await main
    .getByText(/^₨\s?30\.00$/)
    .first()
    .waitFor();
  const recent = main.locator('section', {
    has: page.getByRole('heading', { name: 'Recent Orders' }),
  });
  await recent.getByText('Carl Count').first().waitFor();
  const low = page.getByRole('table', { name: 'Low stock' });
  await low.getByText(/^4 lb.*nearly gone$/).waitFor();
  expect(await low.getByText('Grapes').count()).toBe(0);
  await low.getByRole('link', { name: 'Update Stock of Figs' }).click();
  const field = page.getByRole('textbox', { name: 'Stock of Figs' });
  await until('the field to have the focus', () =>
    field.evaluate((box) => box === document.activeElement),
  );
});

it('has no cart', async () => {
  const [farmer, other] = await Promise.all([
    market.createFarm('Selling Farm'),
    market.createFarm('Looking Farm'),
  ]);
  const product = await market.createProduct(farmer, { name: 'Radishes' });
  const { page } = await market.visit({ as: other });
  await page.goto(`/products/${product._id}`);
  await page.getByText('Farmers cannot place orders. Please use a consumer account.').waitFor();
  for (const gone of ['Add to Cart', 'Message Farmer']) {
    expect(await page.getByRole('button', { name: gone }).count()).toBe(0);
  }
  expect(await page.getByRole('spinbutton').count()).toBe(0);
  expect(await page.getByRole('link', { name: /^Cart/ }).count()).toBe(0);
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByRole('heading', { name: 'Selling Farm', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Message Farmer' }).count()).toBe(0);
});
