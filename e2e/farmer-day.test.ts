import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, shortId, toastOf } from './open-market.ts';
import { injectAxe, violations } from './page-list.ts';
import type { Session } from './people.ts';

// A farmer's market morning: many orders, many stocks, wet hands. Each tap counts.

const market = openMarket({ hasWorker: false });

const PHONE = { width: 360, height: 740, bypassCSP: true, reducedMotion: true };

/** Counts the taps on the page from now on. @returns their number so far */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { taps: 0 });
    const count = () => {
      (window as unknown as { taps: number }).taps += 1;
    };
    document.addEventListener('pointerdown', count, true);
  });
  return () => page.evaluate(() => (window as unknown as { taps: number }).taps);
}

/**
 * Stops the clock by which the page sends an acceptance, so that it can be undone however slow the machine is.
 * @returns what lets it go on
 */
async function stopClock(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const stoppedAt = Date.now();
    Object.assign(window, { runningNow: Date.now });
    Date.now = () => stoppedAt;
  });
  return () =>
    page.evaluate(() => {
      Date.now = (window as unknown as { runningNow: () => number }).runningNow;
    });
}

const statusesOf = async (farmer: Session): Promise<Record<string, number>> => {
  const data = await market.ask<Order[]>('GET', '/orders/farmer?limit=200', {
    as: farmer,
  });
  return data.reduce<Record<string, number>>((counts, { status }) => {
    counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  }, {});
};

const statusOf = async ({ _id }: Order, as: Session) =>
  (await market.ask<Order>('GET', `/orders/${_id}`, { as })).status;

/** A farm with this many pending orders, oldest first, and who placed them. */
async function farmWithOrders(name: string, count: number) {
  const farmer = await market.createFarm(name);
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Chard', quantityAvailable: 500 }),
    market.register('consumer', `Customer of ${name}`),
  ]);
  const orders: Order[] = [];
  for (let placed = 0; placed < count; placed++) {
    orders.push(await market.placeOrder(consumer, product, 1 + (placed % 3)));
  }
  return { farmer, consumer, product, orders };
}

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

it('accepts forty orders on a phone in ten taps, six of them in view', async () => {
  const { farmer, consumer, orders } = await farmWithOrders('Forty Farm', 40);
  const seller = await market.visit({ ...PHONE, as: farmer, allowedErrors: REFUSED });
  const { page } = seller;
  await page.goto('/farmer/orders');
  await page.getByText('40 waiting', { exact: true }).waitFor();
  const taps = await countTaps(page);
  await until('six orders to be in view', () =>
    page.evaluate(() => {
      const bar = document.querySelector('nav[aria-label="Farm"]');
      const bottom = bar?.getBoundingClientRect().top ?? window.innerHeight;
      const rows = [...document.querySelectorAll('[data-order]')];
      return rows.filter((row) => row.getBoundingClientRect().bottom <= bottom + 1).length >= 6;
    }),
  );
  await page.getByRole('checkbox', { name: 'Select all 40' }).tap();
  // One is cancelled while the farmer looks: it is marked.
  const cancelled = orders[7] as Order;
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  const startClock = await stopClock(page);
  await page.getByRole('button', { name: 'Accept 40' }).tap();
  await page.getByText('40 orders accepted.').waitFor();
  await market.call('PUT', `/orders/${cancelled._id}`, {
    as: consumer,
    body: { status: 'cancelled' },
  });
  expect(await violations(page)).toEqual([]);
  await startClock();
  await toastOf(seller, 'Order status updated to accepted for 39 orders').waitFor();
  const refused = page.getByRole('status').filter({ hasText: '1 order could not be accepted.' });
  await refused
    .getByText(`Customer of Forty Farm #${shortId(cancelled)}: This order is cancelled`)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByText('None waiting', { exact: true }).waitFor();
  expect(await taps()).toBeLessThanOrEqual(10);
  expect(await statusesOf(farmer)).toEqual({ accepted: 39, cancelled: 1 });
});

it('is answered by keys, the next order chosen after each', async () => {
  const { farmer, orders } = await farmWithOrders('Keyboard Farm', 5);
  const seller = await market.visit({ as: farmer });
  const { page } = seller;
  await page.goto('/farmer/orders');
  await page.getByText('5 orders are waiting for you.').waitFor();
  const focused = () =>
    page.evaluate(() =>
      document.activeElement?.closest('[data-order]')?.getAttribute('data-order'),
    );
  const isAt = (index: number) =>
    until(`order ${index} to be chosen`, async () => {
      const detail = page.getByRole('region', { name: `Order ${shortId(orders[index] as Order)}` });
      return (await focused()) === orders[index]?._id && (await detail.isVisible());
    });
  // The number of orders is there before the list, which waits for the answered ones too.
  await page.getByRole('region', { name: `Order ${shortId(orders[0] as Order)}` }).waitFor();
  const startClock = await stopClock(page);
  await page.keyboard.press('j');
  await isAt(1);
  await page.keyboard.press('ArrowDown');
  await isAt(2);
  await page.keyboard.press('k');
  await isAt(1);
  await page.keyboard.press('a');
  await isAt(2);
  await page.keyboard.press('a');
  await isAt(3);
  // The last one is taken back, and chosen again.
  await page.keyboard.press('u');
  await isAt(2);
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Accept 2' }).click();
  await startClock();
  await until('three to be accepted', async () => (await statusesOf(farmer)).accepted === 3);
  expect(await statusesOf(farmer)).toEqual({ accepted: 3, pending: 2 });
  expect(await statusOf(orders[0] as Order, farmer)).toBe('pending');
});

it('sends what was just accepted when the page is left', async () => {
  const { farmer, orders } = await farmWithOrders('Leaving Farm', 2);
  const { page } = await market.visit({ as: farmer, allowedErrors: REFUSED });
  await page.goto('/farmer/orders');
  await stopClock(page);
  await page.getByRole('button', { name: `Accept order ${shortId(orders[0] as Order)}` }).click();
  await undo(page).waitFor();
  await page.goto('/healthz');
  await until('the order to be accepted', async () => {
    return (await statusOf(orders[0] as Order, farmer)) === 'accepted';
  });
  expect(await statusOf(orders[1] as Order, farmer)).toBe('pending');
});

it('finds orders by words and day', async () => {
  const { farmer, consumer, orders } = await farmWithOrders('Finding Farm', 2);
  const leeks = await market.createProduct(farmer, { name: 'Leeks' });
  const wanted = await market.placeOrder(consumer, leeks, 2);
  const done = orders[0] as Order;
  await market.call('PUT', `/orders/${done._id}`, { as: farmer, body: { status: 'accepted' } });
  const { page } = await market.visit({ as: farmer });
  await page.goto('/farmer/orders');
  const rows = page.locator('[data-order]');
  await until('three orders', async () => (await rows.count()) === 3);
  const box = page.getByRole('searchbox', { name: 'Search customer, phone, product or order' });
  const shows = (order: Order) =>
    until(`only order ${shortId(order)}`, async () => {
      const ids = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-order')));
      return ids.join() === order._id;
    });
  await box.fill('LEEK');
  await shows(wanted);
  await rows.getByText('2 lb Leeks').waitFor();
  await box.fill(`#${shortId(done)}`);
  await shows(done);
  await box.fill('');
  await until('three orders again', async () => (await rows.count()) === 3);
  await page.getByRole('combobox', { name: 'Day' }).selectOption('Today');
  await page.getByText('No Orders Found').waitFor();
});

const productsOf = async (farmer: Session) =>
  await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });

async function farmWithProducts(name: string, count: number): Promise<Session> {
  const farmer = await market.createFarm(name);
  for (let number = 1; number <= count; number++) {
    await market.createProduct(farmer, {
      name: `Sort ${String(number).padStart(2, '0')}`,
      quantityAvailable: 20,
      price: 2,
    });
  }
  return farmer;
}

it('changes ten stocks on a phone in twenty-five taps', async () => {
  const farmer = await farmWithProducts('Dense Farm', 10);
  const { page } = await market.visit({ ...PHONE, as: farmer });
  await page.goto('/farmer/products');
  await page.getByRole('heading', { name: 'My products' }).waitFor();
  const taps = await countTaps(page);
  await page.getByRole('button', { name: 'Stock', exact: true }).tap();
  for (let number = 1; number <= 5; number++) {
    await page.getByRole('button', { name: `One more: Sort 0${number}` }).tap();
  }
  for (let number = 6; number <= 9; number++) {
    const field = page.getByRole('textbox', { name: `Stock of Sort 0${number}` });
    await field.tap();
    await page.keyboard.type(String(number));
  }
  await page.getByRole('button', { name: 'Sold out: Sort 10' }).tap();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await until('all stocks to be saved', async () => {
    const stocks = (await productsOf(farmer)).map((one) => one.quantityAvailable).reverse();
    return stocks.join() === '21,21,21,21,21,6,7,8,9,0';
  });
  expect(await taps()).toBeLessThanOrEqual(25);
});

it('follows sales while nobody types, and never overwrites one', async () => {
  const farmer = await farmWithProducts('Selling Farm', 2);
  const [products, consumer] = await Promise.all([
    productsOf(farmer),
    market.register('consumer', 'Quick Customer'),
  ]);
  const [product, next] = ['Sort 01', 'Sort 02'].map((wanted) =>
    products.find(({ name }) => name === wanted),
  ) as [Product, Product];
  const [one, other] = [
    await market.visit({ as: farmer, allowedErrors: REFUSED }),
    await market.visit({ as: farmer }),
  ];
  const fieldOf = ({ page }: { page: Page }) =>
    page.getByRole('textbox', { name: 'Stock of Sort 01' });
  for (const { page } of [one, other]) await page.goto('/farmer/products?view=stock');
  const holds = (who: { page: Page }, value: string) =>
    until(`the stock to be ${value}`, async () => (await fieldOf(who).inputValue()) === value);
  await holds(one, '20');
  await market.placeOrder(consumer, product, 2);
  await holds(one, '18');
  await holds(other, '18');

  // What one types over stays still while something is sold.
  await fieldOf(one).focus();
  await market.placeOrder(consumer, product, 3);
  await holds(other, '15');
  // What is sold after it has come, so this came too.
  await market.placeOrder(consumer, next, 3);
  await until('the next sale to be shown', async () => {
    const field = one.page.getByRole('textbox', { name: 'Stock of Sort 02' });
    return (await field.inputValue()) === '17';
  });
  expect(await fieldOf(one).inputValue()).toBe('18');
  await fieldOf(one).fill('30');
  await fieldOf(one).press('Enter');
  const status = one.page
    .getByRole('alert')
    .filter({ hasText: 'has just changed: 15 lb left now.' });
  await status.waitFor();
  await status.getByRole('button', { name: 'Set to 30' }).click();
  await holds(other, '30');
  await fieldOf(other).fill('31');
  await fieldOf(other).press('Enter');
  await until('the stock to be saved', async () => {
    const now = (await productsOf(farmer)).find(({ _id }) => _id === product._id);
    return now?.quantityAvailable === 31;
  });
});

it('changes several products at once, and copies one', async () => {
  const farmer = await farmWithProducts('Bulk Farm', 4);
  const seller = await market.visit({ as: farmer, bypassCSP: true, reducedMotion: true });
  const { page } = seller;
  await page.goto('/farmer/products?view=stock');
  await page.getByRole('checkbox', { name: 'Select all 4' }).check();
  await page.getByRole('checkbox', { name: 'Select Sort 04' }).uncheck();
  const bar = page.getByRole('region', { name: 'Selected products' });
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'Change price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Percent').fill('10');
  await dialog.getByText('becomes ₨2.20').waitFor();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await toastOf(seller, '3 products changed.').waitFor();
  await bar.getByRole('button', { name: 'Set stock' }).click();
  await dialog.getByLabel('Stock of each').fill('7');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await until('the stocks to be set', async () => {
    const stocks = (await productsOf(farmer)).map((one) => one.quantityAvailable);
    return stocks.reverse().join() === '7,7,7,20';
  });
  await bar.getByRole('button', { name: 'Hide' }).click();
  await toastOf(seller, '3 products hidden.').waitFor();
  const products = (await productsOf(farmer)).reverse();
  expect(products.map(({ price }) => price)).toEqual([2.2, 2.2, 2.2, 2]);
  expect(products.map(({ isActive }) => isActive)).toEqual([false, false, false, true]);
  await page.getByText('Inactive').first().waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'More for Sort 04' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const name = page.getByLabel('Product name');
  await until('the form of the copy', async () => (await name.inputValue()) === 'Sort 04 (copy)');
  await name.fill('Sort 05');
  await page.getByRole('button', { name: 'Add product' }).click();
  await toastOf(seller, 'Product created successfully!').waitFor();
  const copy = (await productsOf(farmer))[0];
  expect(copy).toMatchObject({ name: 'Sort 05', price: 2, quantityAvailable: 20, isActive: true });
});
