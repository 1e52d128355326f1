import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { isFocused, press, tabTo, untilFocusIsKept } from './keys.ts';
import { dayFromNow, openMarket, REFUSED, shortId, toastOf } from './open-market.ts';
import type { Session } from './people.ts';

// Whole jobs without a pointer: only keys are pressed, and the focus never falls back to the page's top.

const market = openMarket({ hasWorker: false });

const named = (page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp) =>
  page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).first();

const isFocusIn = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => element.contains(document.activeElement));

/** The keys that fill a date field of an English browser: month, day, year. */
const dateKeys = (day: string): string => day.slice(5).replace('-', '') + day.slice(0, 4);

const ordersOf = async (as: Session, path: string) =>
  await market.ask<Order[]>('GET', path, { as });

it('goes past a toast by Tab, which stays while it has the focus', async () => {
  const farmer = await market.createFarm('Toast Farm');
  const product = await market.createProduct(farmer, { name: 'Toasted Oats' });
  const buyer = await market.visit({ as: await market.register('consumer', 'Tab Customer') });
  const { page } = buyer;
  await page.goto(`/products/${product._id}`);
  await named(page, 'button', 'Add to Cart').click();
  const toast = toastOf(buyer, 'Added Toasted Oats to your cart');
  // It stays below a pointer, too.
  await toast.hover();
  await page.getByRole('contentinfo').locator('a, button').last().focus();
  await page.keyboard.press('Tab');
  await until('the focus in the toast', () => isFocusIn(toast));
  await page.mouse.move(0, 0);
  const start = named(page, 'link', 'Skip to content');
  for (let stops = 0; stops < 4 && !(await isFocused(start)); stops++) {
    await page.keyboard.press('Tab');
  }
  expect(await isFocused(start)).toBe(true);
  await toast.waitFor({ state: 'detached' });
  expect(await isFocused(start)).toBe(true);
});

it('finds, chooses and orders a product by keys alone', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Key Farm'),
    market.register('consumer', 'Kay Customer'),
  ]);
  await market.createProduct(farmer, { name: 'Keyboard Kale' });
  const buyer = await market.visit({ as: consumer, allowedErrors: REFUSED });
  const { page } = buyer;
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  expect(await isFocused(named(page, 'link', 'Skip to content'))).toBe(true);
  await press(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Products' }),
  );
  await page.waitForURL('**/products');

  await tabTo(page.getByRole('main').getByRole('searchbox'));
  await page.keyboard.type('keyboard kale');
  await press(named(page, 'link', 'Keyboard Kale'));
  await page.waitForURL(/\/products\/[0-9a-f-]{36}$/);
  await tabTo(named(page, 'spinbutton', 'Quantity'));
  await page.keyboard.press('ArrowUp');
  await press(named(page, 'button', 'Add to Cart'));
  await toastOf(buyer, 'Added Keyboard Kale to your cart').waitFor();
  await expect.poll(() => isFocused(named(page, 'button', 'Add to Cart'))).toBe(true);

  await press(page.getByRole('banner').getByRole('link', { name: /^Cart/ }), { back: true });
  await page.waitForURL('**/checkout');
  await tabTo(page.getByLabel('Pickup date'));
  await page.keyboard.type(dateKeys(dayFromNow(5)));
  await tabTo(page.getByLabel('Pickup time'));
  await page.keyboard.type('1030AM');
  // The location is the farm's; a missing one would be named and focused.
  await press(named(page, 'button', 'Place Order'));
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await untilFocusIsKept(page);
  expect(await ordersOf(consumer, '/orders/consumer')).toMatchObject([
    { status: 'pending', items: [{ quantity: 2 }], pickupDetails: { time: '10:30' } },
  ]);

  // A cancelled dialog that gives the focus back, then one that ends the order.
  const cancel = named(page, 'button', /^Cancel order/);
  await press(cancel);
  const dialog = page.getByRole('alertdialog');
  await dialog.waitFor();
  await expect
    .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await until('the button to have the focus again', () => isFocused(cancel));
  await press(cancel);
  await press(dialog.getByRole('button', { name: 'Cancel order' }));
  await dialog.waitFor({ state: 'detached' });
  await toastOf(buyer, 'Order status updated to cancelled').waitFor();
  await untilFocusIsKept(page);
});

it('answers orders and sets stock by keys alone', async () => {
  const farmer = await market.createFarm('Handsfree Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Fennel', quantityAvailable: 50 }),
    market.register('consumer', 'Hans Free'),
  ]);
  const orders: Order[] = [];
  for (let placed = 0; placed < 12; placed++) {
    orders.push(await market.placeOrder(consumer, product));
  }
  const [first, second, third] = orders as [Order, Order, Order];
  const seller = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const { page } = seller;
  await page.goto('/farmer/orders');
  const accept = (order: Order) => named(page, 'button', `Accept order ${shortId(order)}`);
  // The rows are one stop, however many there are.
  expect(await tabTo(accept(first))).toBeLessThan(40);
  await page.keyboard.press('Enter');
  const row = (order: Order) => page.locator(`[data-order="${order._id}"] > button`);
  await until('the next row to have the focus', () => isFocused(row(second)));

  const reject = named(page, 'button', `Reject order ${shortId(second)}`);
  await press(reject);
  const dialog = page.getByRole('alertdialog');
  // It opens on the harmless button, behind the reason.
  await until('the dialog to have the focus', () =>
    isFocused(dialog.getByRole('button', { name: 'Keep order' })),
  );
  await tabTo(dialog.getByLabel('Reason (optional)'), { back: true });
  await page.keyboard.type('Hail in the night');
  await press(dialog.getByRole('button', { name: 'Reject order' }));
  await dialog.waitFor({ state: 'detached' });
  await until('the next row to have the focus', () => isFocused(row(third)));
  await until('both answers to arrive', async () => {
    const found = await ordersOf(farmer, '/orders/farmer');
    const statusOf = ({ _id }: Order) => found.find((order) => order._id === _id)?.status;
    return statusOf(first) === 'accepted' && statusOf(second) === 'rejected';
  });
  await untilFocusIsKept(page);

  // The next one on its own page, where it is accepted at once.
  // The detail follows the row when there is time.
  const detail = page.getByRole('region', { name: `Order ${shortId(third)}` });
  await press(detail.getByRole('link', { name: 'Open order page' }));
  await page.waitForURL(`**/orders/${third._id}`);
  await press(accept(third));
  await until('the third to be accepted', async () => {
    const found = await ordersOf(farmer, '/orders/farmer?status=accepted');
    return found.some(({ _id }) => _id === third._id);
  });

  const rail = page.getByRole('navigation', { name: 'Farm' });
  await press(rail.getByRole('link', { name: 'Products' }), { back: true });
  await page.waitForURL('**/farmer/products');
  await press(named(page, 'button', 'Stock'));
  const stock = named(page, 'textbox', 'Stock of Fennel');
  await tabTo(stock);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await until('the stock to be saved', async () => {
    const data = await market.ask<{ quantityAvailable: number }>('GET', `/products/${product._id}`);
    return data.quantityAvailable === 7;
  });
  await untilFocusIsKept(page);
});

it('focuses the field of a product that runs low', async () => {
  const farmer = await market.createFarm('Lowland Farm');
  // The list is higher than the window.
  for (let made = 0; made < 25; made++) {
    await market.createProduct(farmer, { name: `Herb ${made}`, quantityAvailable: 50 });
  }
  const product = await market.createProduct(farmer, { name: 'Yarrow', quantityAvailable: 2 });
  const { page } = await market.visit({ as: farmer });
  await page.goto('/farmer/dashboard');
  await tabTo(named(page, 'link', 'Update Stock of Yarrow'), { most: 120 });
  await page.keyboard.press('Enter');
  const field = named(page, 'textbox', 'Stock of Yarrow');
  await field.waitFor();
  await until('the field to have the focus', () => isFocused(field));
  await until('the field to be in view', () =>
    field.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    }),
  );
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('30');
  await page.keyboard.press('Enter');
  await until('the stock to be saved', async () => {
    const path = `/products/${product._id}`;
    const data = await market.ask<{ quantityAvailable: number }>('GET', path);
    return data.quantityAvailable === 30;
  });
  await untilFocusIsKept(page);
});

it('settles a dispute as an admin by keys alone', async () => {
  const farmer = await market.createFarm('Doubtful Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Doubtful Pears' }),
    market.register('consumer', 'Dora Doubt'),
  ]);
  const order = await market.placeOrder(consumer, product);
  await market.call('POST', '/messages', {
    as: consumer,
    body: { receiver: farmer.user._id, content: 'From a shop.', relatedOrder: order._id },
  });
  const admin = await market.visit({ as: 'admin', allowedErrors: REFUSED });
  const { page } = admin;
  await page.goto('/admin/dashboard');
  const rail = page.getByRole('navigation', { name: 'Admin' });
  await press(rail.getByRole('link', { name: 'Orders' }));
  await page.waitForURL('**/admin/orders');
  await tabTo(page.getByRole('main').getByRole('searchbox'));
  await page.keyboard.type('Dora Doubt');
  // Until it is searched for, the row is one of the list that goes away.
  await page.waitForURL(/search=Dora/);
  const row = page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row', { name: new RegExp(shortId(order)) });
  await press(row.getByRole('link').first());
  await page.waitForURL(`**/admin/orders/${order._id}`);
  await page.getByText('From a shop.').waitFor();

  await tabTo(named(page, 'textbox', 'Add a note'));
  await page.keyboard.type('No pear trees there.');
  await press(named(page, 'button', 'Save note'));
  await page.getByRole('list', { name: 'Notes' }).getByText('No pear trees').waitFor();
  await untilFocusIsKept(page);

  const aboutFarmer = page.getByRole('region', { name: /^Farmer: / });
  const person = aboutFarmer.getByRole('link', { name: farmer.user.name, exact: true });
  await press(person);
  await page.waitForURL(`**/admin/users/${farmer.user._id}`);
  const products = page.getByRole('table', { name: `Products of ${farmer.user.name}` });
  await press(products.getByRole('link', { name: product.name }));
  await page.waitForURL(`**/admin/products/${product._id}`);
  await tabTo(named(page, 'textbox', 'Reason for hiding'));
  await page.keyboard.type('Not from this farm.');
  await press(named(page, 'button', 'Hide product'));
  await toastOf(admin, "Product hidden. We've told the farmer.").waitFor();
  await page.getByText('Hidden from the market').waitFor();
  await untilFocusIsKept(page);
});
