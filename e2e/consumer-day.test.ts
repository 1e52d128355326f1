import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, REFUSED, toastOf } from './open-market.ts';
import { PASSWORD, type Session } from './people.ts';

// A day of a consumer with a phone: from the home page to the order, with as little as possible between.
const market = openMarket({ hasWorker: false });
const PHONE = { width: 360, height: 740 };

const ordersOf = async (consumer: Session) =>
  await market.ask<Order[]>('GET', '/orders/consumer', { as: consumer });

/** Where an element's top is, in pixels from the top of the page. */
const topOf = (element: Locator) =>
  element.evaluate((node) => node.getBoundingClientRect().top + window.scrollY);

/** Creates a farm that delivers and is open on these days of the week. */
async function createOpenFarm(
  farmName: string,
  days: readonly Weekday[] = WEEKDAYS,
): Promise<Session> {
  const farmer = await market.createFarm(farmName);
  await market.call('PUT', '/users/farmers/profile', {
    as: farmer,
    body: {
      farmName,
      description: 'Vegetables from the hill.',
      deliveryRadius: 25,
      businessHours: Object.fromEntries(
        days.map((day) => [day, { open: '08:00', close: '14:00' }]),
      ),
    },
  });
  return farmer;
}

it('orders again in at most three taps from the home page', async () => {
  const farmer = await createOpenFarm('Again Farm');
  const [kale, chard, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Kale', price: 2 }),
    market.createProduct(farmer, { name: 'Chard', price: 3 }),
    market.register('consumer', 'Rita Returning'),
  ]);
  const first = await market.placeOrder(consumer, kale, 3);
  await market.call('PUT', `/orders/${first._id}`, { as: farmer, body: { status: 'accepted' } });
  await market.call('PUT', `/orders/${first._id}`, { as: farmer, body: { status: 'completed' } });
  await market.call('PUT', `/products/${kale._id}`, { as: farmer, body: { price: 2.5 } });

  // What is deleted in the end is not found.
  const buyer = await market.visit({ as: consumer, ...PHONE, allowedErrors: REFUSED });
  const { page } = buyer;
  await page.goto('/');
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.tap();
  };
  await tap(page.getByRole('button', { name: /^Order again/ }));
  await page.waitForURL('**/checkout');
  await page.getByText('Kale costs ₨2.50 now instead of ₨2.00.').waitFor();
  await page.getByRole('heading', { name: 'From Again Farm' }).waitFor();
  expect(await page.getByRole('spinbutton', { name: 'Quantity of Kale' }).inputValue()).toBe('3');
  // Another day than the next one, at the time of the order before.
  const day = dayFromNow(3);
  await tap(
    page
      .getByRole('group', { name: 'Next pickup days' })
      .locator(`label:has(input[value="${day}"])`),
  );
  await expect.poll(() => page.getByLabel('Pickup time').inputValue()).toBe('10:30');
  await tap(page.getByRole('button', { name: 'Place Order' }));
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  expect(taps).toBeLessThanOrEqual(3);
  const [second] = await ordersOf(consumer);
  expect(second?.items).toMatchObject([{ quantity: 3, price: 2.5 }]);

  // What happens next is said at the top; the answer comes without a reload.
  await page.getByRole('heading', { name: "We've told Again Farm" }).waitFor();
  await page.getByText('Bring ₨7.50 in cash when you pick it up.').waitFor();
  const way = page.getByRole('link', { name: /^Directions/ });
  await way.waitFor();
  expect(await way.getAttribute('href')).toMatch(/^https:\/\/www\.google\.com\/maps\/dir\/\?/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add to calendar' }).tap(),
  ]);
  expect(file.suggestedFilename()).toBe(`order-${second?._id.slice(0, 8)}.ics`);
  const calendar = await readFile(await file.path(), 'utf8');
  expect(calendar).toContain(`DTSTART:${day.replaceAll('-', '')}T103000Z\r\n`);
  await market.call('PUT', `/orders/${second?._id}`, {
    as: farmer,
    body: { status: 'rejected', reason: 'The deer were here.' },
  });
  await page.getByRole('heading', { name: "Again Farm couldn't take this order" }).waitFor();
  expect(await topOf(page.getByText('The deer were here.').first())).toBeLessThan(740);

  // A cart with goods of another farm is only cleared when asked.
  const other = await createOpenFarm('Other Farm');
  const beans = await market.createProduct(other, { name: 'Beans' });
  await page.goto(`/products/${beans._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).tap();
  await toastOf(buyer, 'Added Beans to your cart').waitFor();
  await page.goto('/orders');
  const again = page.getByRole('button', { name: /^Order again/ }).first();
  await again.tap();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Keep my cart' }).tap();
  await question.waitFor({ state: 'hidden' });
  await again.tap();
  await question.getByRole('button', { name: 'Clear cart and add' }).tap();
  await page.waitForURL('**/checkout');
  await page.getByRole('heading', { name: 'From Again Farm' }).waitFor();

  // With nothing left, the cart stays as it is.
  for (const { _id } of [kale, chard])
    await market.call('DELETE', `/products/${_id}`, { as: farmer });
  await page.goto(`/orders/${second?._id}`);
  await page.getByRole('button', { name: /^Order again/ }).tap();
  await page.getByRole('dialog').getByText('Kale is no longer on sale.').waitFor();
});

it('keeps what a visitor chose until they have an account', async () => {
  const farmer = await createOpenFarm('Guest Farm');
  const [leeks, plums] = await Promise.all([
    market.createProduct(farmer, { name: 'Guest Leeks' }),
    market.createProduct(farmer, { name: 'Guest Plums' }),
  ]);
  const visitor = await market.visit(PHONE);
  const { page } = visitor;
  // From the card of a list, and two from the page of a product.
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByRole('button', { name: 'Add Guest Plums to cart' }).tap();
  await page.waitForURL(/\/login\?next=/);
  await page.getByText('Sign in, and Guest Plums will be in your cart.').waitFor();
  await page.goto(`/products/${leeks._id}`);
  await page.getByRole('button', { name: 'One more: Quantity' }).tap();
  await page.getByRole('button', { name: 'Add to Cart' }).tap();
  await page.waitForURL(/\/login\?next=/);
  await page.getByText('Sign in, and what you chose will be in your cart.').waitFor();
  await page.locator('main').getByRole('link', { name: 'Register' }).tap();
  await page.waitForURL(/\/register\?next=/);
  await page.getByLabel('Name').fill('Gus Guest');
  await page.getByLabel('Email').fill(`${randomUUID()}@example.org`);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Register', exact: true }).tap();
  await page.waitForURL(`**/products/${leeks._id}`);
  await toastOf(visitor, 'Added Guest Leeks to your cart').waitFor();
  await page.goto('/checkout');
  await page.getByRole('heading', { name: 'From Guest Farm' }).waitFor();
  const quantityOf = (name: string) =>
    page.getByRole('spinbutton', { name: `Quantity of ${name}` }).inputValue();
  await expect.poll(() => quantityOf(leeks.name)).toBe('2');
  await expect.poll(() => quantityOf(plums.name)).toBe('1');
});

it('leads from the link of a mail over the login to the order', async () => {
  const farmer = await market.createFarm('Mail Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Mail Kale' }),
    market.register('consumer', 'Dee Deep'),
  ]);
  const order = await market.placeOrder(consumer, product);
  const { page } = await market.visit(PHONE);
  await page.goto(`/orders/${order._id}`);
  await page.waitForURL(/\/login\?next=/);
  // Also after a reload.
  await page.reload();
  const signIn = async () => {
    await page.getByLabel('Email').fill(consumer.user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).tap();
  };
  await signIn();
  await page.waitForURL(`**/orders/${order._id}`);
  await page.getByRole('heading', { name: `Order #${order._id.slice(0, 8)}` }).waitFor();

  // Anyone who signs out is not led back.
  await page.getByRole('button', { name: 'Open menu' }).tap();
  await page.getByRole('button', { name: 'Logout' }).tap();
  await page.waitForURL(`${market.url}/`);
  await page.goto('/login');
  await signIn();
  await page.waitForURL(`${market.url}/`);

  // A visitor who wants to write finds the form open afterwards.
  const second = await market.visit(PHONE);
  await second.page.goto(`/farmers/${farmer.user._id}`);
  await second.page.getByRole('link', { name: 'Message Farmer' }).tap();
  await second.page.waitForURL(/\/login\?next=/);
  await second.page.getByLabel('Email').fill(consumer.user.email);
  await second.page.getByLabel('Password').fill(PASSWORD);
  await second.page.getByRole('button', { name: 'Sign in' }).tap();
  await second.page.getByRole('textbox', { name: 'Message to Mail Farm' }).waitFor();
});

it('has the products, the button and the days in view on a phone', async () => {
  const farmer = await createOpenFarm('Near Farm', ['saturday']);
  const product = await market.createProduct(farmer, {
    name: 'Near Beets',
    description: 'Sweet. '.repeat(120),
  });
  const visitor = await market.visit(PHONE);
  const { page } = visitor;
  await page.goto('/');
  const card = page.locator('main a[href^="/products/"]').first();
  await card.waitFor();
  expect(await topOf(page.locator('article').first())).toBeLessThan(740);

  await page.goto(`/products/${product._id}`);
  const button = page.getByRole('button', { name: 'Add to Cart' });
  await button.waitFor();
  await page.getByText('Pickup Sat 8 am–2 pm in Putney, VT').waitFor();
  await page.getByText('Delivery up to 40 km').waitFor();
  const isInView = () =>
    button.evaluate((node) => {
      const { top, bottom } = node.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    });
  await until('the button to be in view at the top of the page', isInView);
  const name = page.getByRole('heading', { name: 'Near Beets', level: 1 });
  const [nameBox, buttonBox] = [await name.boundingBox(), await button.boundingBox()];
  expect((nameBox?.y ?? Infinity) + (nameBox?.height ?? 0)).toBeLessThan(buttonBox?.y ?? 0);
  await page.getByRole('link', { name: 'View Farm Profile' }).scrollIntoViewIfNeeded();
  await until('the button to be in view further down', isInView);
  expect(await button.count()).toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await until('one button on a wide screen', async () => (await button.count()) === 1);
  await page.setViewportSize(PHONE);

  await page.getByRole('link', { name: 'View Farm Profile' }).tap();
  await page.waitForURL(`**/farmers/${farmer.user._id}`);
  const beets = page.locator('article', { hasText: 'Near Beets' });
  await page.getByText('Pickup Sat 8 am–2 pm in Putney, VT').waitFor();
  expect(await topOf(beets)).toBeLessThan(
    await topOf(page.getByRole('heading', { name: 'Business hours' })),
  );
  const plus = page.getByRole('button', { name: 'Add Near Beets to cart' });
  const box = await plus.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  // The rest of the card still leads to the product.
  await beets.getByRole('link').tap();
  await page.waitForURL(`**/products/${product._id}`);
});

it('shows a customer their orders on the home page, live, and nobody else a plus', async () => {
  const farmer = await createOpenFarm('Live Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Live Leeks' }),
    market.register('consumer', 'Lia Live'),
  ]);
  const buyer = await market.visit({ as: consumer, ...PHONE });
  const { page } = buyer;
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop Now' }).waitFor();
  expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
  const order = await market.placeOrder(consumer, product);
  const row = page
    .getByRole('region', { name: 'Coming up' })
    .getByRole('link', { name: /^Live Farm Pickup/ });
  await row.getByText('Pending').waitFor();
  await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'accepted' } });
  await row.getByText('Accepted').waitFor();
  await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'completed' } });
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Order again/ }).waitFor();

  const grower = await market.visit({ as: farmer, ...PHONE });
  await grower.page.goto('/products');
  await grower.page.locator('article').first().waitFor();
  expect(await grower.page.getByRole('button', { name: /to cart/ }).count()).toBe(0);
});

it('keeps an order that finds no network, and places it once', async () => {
  const farmer = await createOpenFarm('Tunnel Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Tunnel Turnips' }),
    market.register('consumer', 'Tom Tunnel'),
  ]);
  const buyer = await market.visit({
    as: consumer,
    ...PHONE,
    allowedErrors: /ERR_INTERNET_DISCONNECTED|WebSocket|Failed to load resource/,
  });
  const { page, context } = buyer;
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).tap();
  await toastOf(buyer, 'Added Tunnel Turnips to your cart').waitFor();
  await page.goto('/checkout');
  const day = dayFromNow(3);
  await page.getByLabel('Pickup date').fill(day);
  await page.getByLabel('Pickup time').fill('10:30');
  await page.getByLabel('Notes').fill('By the tunnel.');
  await page.reload();
  await page.getByLabel('Pickup date').waitFor();
  await expect.poll(() => page.getByLabel('Pickup date').inputValue()).toBe(day);
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('By the tunnel.');
  await page.getByRole('spinbutton', { name: 'Quantity of Tunnel Turnips' }).waitFor();

  await context.setOffline(true);
  const place = page.getByRole('button', { name: 'Place Order' });
  const news = page.getByText(/your order isn't placed yet/);
  await place.tap();
  await news.waitFor();
  await place.tap();
  await news.waitFor();
  await expect.poll(() => page.getByLabel('Pickup time').inputValue()).toBe('10:30');
  expect(await ordersOf(consumer)).toEqual([]);
  await context.setOffline(false);
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  const orders = await ordersOf(consumer);
  expect(orders).toMatchObject([{ notes: 'By the tunnel.', items: [{ quantity: 1 }] }]);

  // An order that reached the farm, but whose answer is lost, is not placed twice.
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).tap();
  await toastOf(buyer, 'Added Tunnel Turnips to your cart').waitFor();
  await page.goto('/checkout');
  await page.getByLabel('Pickup date').fill(dayFromNow(4));
  await page.getByLabel('Pickup time').fill('11:30');
  let lost = 0;
  await page.route('**/api/orders', async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort('internetdisconnected');
  });
  await place.tap();
  // It comes live instead.
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  expect(lost).toBeGreaterThanOrEqual(1);
  expect(await ordersOf(consumer)).toHaveLength(2);
});
