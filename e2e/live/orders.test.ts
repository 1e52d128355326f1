import { it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import {
  allowSound,
  badge,
  bell,
  expectNoReload,
  openMarket,
  orderToast,
  pendingCountInTitle,
  sheetOf,
  unreadCount,
  untilCount,
} from './helpers.ts';

// Orders count as unanswered after two seconds instead of half an hour.
const market = openMarket({ rings: true, env: { UNANSWERED_AFTER_SECONDS: '2' } });

const short = (order: Order) => order._id.slice(0, 8);

it('alerts the farmer on any page until a new order is answered', async () => {
  await market.rejectPendingOrders();
  const product = await market.createProduct({ name: 'Chard', quantityAvailable: 500 });
  await market.createProduct({ name: 'Wilted Chard' });
  const farmer = await market.visit('/about', await market.session('farmer'));
  await farmer.page.evaluate(() => {
    const { start } = OscillatorNode.prototype;
    Object.assign(window, { soundCount: 0 });
    OscillatorNode.prototype.start = function (...when) {
      Object.assign(window, {
        soundCount: (window as unknown as { soundCount: number }).soundCount + 1,
      });
      start.apply(this, when);
    };
  });
  const soundCount = () =>
    farmer.page.evaluate(() => (window as unknown as { soundCount: number }).soundCount);
  await badge(farmer, 'Live').waitFor();
  await allowSound(farmer);
  const icon = farmer.page.locator('link[rel=icon]');

  const first = await market.placeOrder('consumer', product, 2);
  await sheetOf(farmer).getByText(`New order from ${first.consumer.name}`).waitFor();
  await until('one in the title', async () => (await pendingCountInTitle(farmer)) === 1);
  await until('the icon with a count', async () =>
    /^data:image\/svg/.test((await icon.getAttribute('href')) ?? ''),
  );
  await until('two tones of the sound', async () => (await soundCount()) >= 2);

  const second = await market.placeOrder('consumer2', product, 1);
  await sheetOf(farmer).getByRole('button', { name: "I'm on all 2" }).waitFor();
  await until('two in the title', async () => (await pendingCountInTitle(farmer)) === 2);
  // It stays, also on the next page, and covers nothing there.
  const rail = farmer.page.getByRole('navigation', { name: 'Farm' });
  await rail.getByRole('link', { name: 'Products' }).click();
  await farmer.page.getByRole('button', { name: 'Delete Wilted Chard' }).click();
  await farmer.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  const other = farmer.page.getByText('Product deleted successfully!');
  await other.waitFor();
  await other.waitFor({ state: 'detached' });
  await sheetOf(farmer).getByRole('button', { name: "I'm on all 2" }).waitFor();

  // One order is cancelled, so the alert shows one.
  await market.callApi('consumer2', 'PUT', `/orders/${second._id}`, { status: 'cancelled' });
  await sheetOf(farmer).getByRole('button', { name: "I'm on it" }).waitFor();
  await until('one in the title', async () => (await pendingCountInTitle(farmer)) === 1);

  await sheetOf(farmer).getByRole('link', { name: 'Open the order' }).click();
  await farmer.page.waitForURL(`**/orders/${first._id}`);
  await untilCount('no toast beside it', orderToast(farmer), 0);
  // An opened order is still unanswered: it counts and shows its waiting time.
  await until('one in the title', async () => (await pendingCountInTitle(farmer)) === 1);
  await farmer.page.goto('/farmer/orders');
  const row = farmer.page.locator(`[data-order="${first._id}"]`);
  await row.getByText('Waiting for').waitFor({ state: 'attached' });
  await farmer.page.getByRole('button', { name: `Accept order ${short(first)}` }).click();
  await until('nothing in the title', async () => (await pendingCountInTitle(farmer)) === 0);
  await untilCount('nothing that waits', sheetOf(farmer), 0);
  await until('the plain icon', async () =>
    /\/favicon\.svg$/.test((await icon.getAttribute('href')) ?? ''),
  );
});

it('updates orders, figures and lists for every role', async () => {
  await market.rejectPendingOrders();
  const product = await market.createProduct({ name: 'Kale', price: 3, quantityAvailable: 9 });
  const [dashboard, list, consumer, admin] = await Promise.all([
    market.open('farmer', '/farmer/dashboard'),
    market.open('farmer', '/farmer/orders'),
    market.open('consumer', '/orders'),
    market.open('admin', '/admin/orders'),
  ]);
  await Promise.all(
    [dashboard, list, consumer, admin].map(({ page }) =>
      page.getByRole('heading', { level: 1 }).waitFor(),
    ),
  );
  await list.page.getByText("You're all caught up.").waitFor();
  const reloadChecks = await Promise.all([dashboard, list, consumer, admin].map(expectNoReload));

  const lowStock = dashboard.page.getByRole('row', { name: /Kale/ });
  await lowStock.getByText('9 lb').waitFor();
  const order = await market.placeOrder('consumer', product, 2);
  await list.page.getByText('1 order is waiting for you.').waitFor();
  await list.page.locator(`[data-order="${order._id}"]`).waitFor();
  await dashboard.page
    .getByText(`#${short(order)}`)
    .first()
    .waitFor();
  await lowStock.getByText('7 lb').waitFor();
  const card = consumer.page.getByRole('listitem').filter({ hasText: `#${short(order)}` });
  await card.getByText('Pending').first().waitFor();
  const row = admin.page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row', { name: new RegExp(short(order)) });
  await row.getByText('Pending').first().waitFor();

  // The farmer accepts in one tab; the other tab, the consumer and the admin see it.
  await list.page.getByRole('button', { name: `Accept order ${short(order)}` }).click();
  await dashboard.page
    .getByRole('row', { name: new RegExp(short(order)) })
    .getByText('Accepted')
    .first()
    .waitFor();
  await card.getByText('Accepted').first().waitFor();
  await row.getByText('Accepted').first().waitFor();
  await list.page.getByText("You're all caught up.").waitFor();

  // The admin cancels it and the stock returns.
  await market.callApi('admin', 'PUT', `/orders/${order._id}`, {
    status: 'cancelled',
    reason: 'The road is closed.',
  });
  await card.getByText('Cancelled').first().waitFor();
  await lowStock.getByText('9 lb').waitFor();
  await card.getByRole('link', { name: /View Details/ }).click();
  await consumer.page.getByText('The road is closed.').first().waitFor();
  for (const check of reloadChecks) await check();
});

it('shows notifications live and marks them read in every tab', async () => {
  // Several new orders are one in the bell, so none may be left.
  await market.rejectPendingOrders();
  await market.callApi('farmer', 'PUT', '/notifications/read', {});
  const product = await market.createProduct({ name: 'Leeks', quantityAvailable: 500 });
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', '/farmer/products'),
    market.open('consumer', '/products'),
  ]);
  await Promise.all([bell(farmer).waitFor(), bell(consumer).waitFor()]);
  const [farmerHad, consumerHad] = await Promise.all([unreadCount(farmer), unreadCount(consumer)]);
  const order = await market.placeOrder('consumer', product);
  await until('the farmer to be notified', async () => (await unreadCount(farmer)) > farmerHad);

  await market.callApi('farmer', 'PUT', `/orders/${order._id}`, {
    status: 'rejected',
    reason: 'Hail this morning.',
  });
  await until('the consumer to be notified', async () => {
    return (await unreadCount(consumer)) > consumerHad;
  });
  const second = { ...consumer, page: await consumer.context.newPage() };
  await second.page.goto('/about');
  await until('the other tab to show it', async () => (await unreadCount(second)) > consumerHad);
  await bell(consumer).click();
  const panel = consumer.page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText(/Hail this morning/).waitFor();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await until('all to be read in this tab', async () => (await unreadCount(consumer)) === 0);
  await until('all to be read in the other tab', async () => (await unreadCount(second)) === 0);
  await panel.getByText(/Hail this morning/).click();
  await consumer.page.waitForURL(`**/orders/${order._id}`);
});

it('shows market activity to the admin live', async () => {
  await market.rejectPendingOrders();
  const product = await market.createProduct({ name: 'Sorrel', quantityAvailable: 500 });
  const admin = await market.open('admin', '/admin/dashboard');
  const users = await market.open('admin', '/admin/users');
  const feed = admin.page.getByRole('region', { name: 'Live feed' });
  const connected = admin.page.getByRole('region', { name: 'Connected now' });
  const perMinute = admin.page.getByRole('region', { name: 'Orders per minute' });
  await feed.getByRole('listitem').first().waitFor();
  const reloadChecks = await Promise.all([admin, users].map(expectNoReload));
  const countOf = async (label: string) => {
    const one = connected.locator('dl > div').filter({ hasText: label }).locator('dd');
    return Number(await one.textContent());
  };
  const placed = async () =>
    Number(/(\d+) orders? in the last hour/.exec((await perMinute.textContent()) ?? '')?.[1] ?? 0);
  await until('admins to be counted', async () => (await countOf('Admins')) >= 1);
  // Those of the tests before have left.
  await until('no consumer to be counted', async () => (await countOf('Consumers')) === 0);
  const [consumersBefore, placedBefore] = [await countOf('Consumers'), await placed()];

  // A new user registers.
  const { page } = await market.visit('/register');
  await page.locator('input[name=name]').fill('Wilma Wheat');
  await page.locator('input[name=email]').fill('wilma@farmgate.test');
  await page.locator('input[name=password]').fill('password123');
  await page.locator('input[name=confirmPassword]').fill('password123');
  await page.getByRole('button', { name: 'Register' }).last().click();
  await page.getByText('Registration successful!').waitFor();
  await feed.getByText('Wilma Wheat').waitFor();
  const row = users.page.getByRole('row', { name: /Wilma Wheat/ });
  await row.waitFor();
  await until('one more consumer', async () => (await countOf('Consumers')) > consumersBefore);

  const order = await market.placeOrder('consumer', product);
  await feed
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`ordered .*#${short(order)}`) })
    .waitFor();
  await until('one more in the last hour', async () => (await placed()) === placedBefore + 1);
  const tooLong = admin.page.getByRole('region', { name: 'Waiting too long' });
  await tooLong.getByText(`#${short(order)}`).waitFor();
  await feed
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`hasn't answered .*#${short(order)}`) })
    .waitFor();

  await market.callApi('farmer', 'PUT', `/orders/${order._id}`, { status: 'accepted' });
  await feed
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`accepted .*#${short(order)}`) })
    .waitFor();
  await untilCount('no waiting order', tooLong.getByText(`#${short(order)}`), 0);

  // The admin deletes the account; its owner is signed out.
  await page.getByRole('link', { name: 'About', exact: true }).first().click();
  await row.getByRole('button', { name: 'Delete Wilma Wheat' }).click();
  await users.page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click();
  await users.page.getByText('User deleted successfully!').waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Login' }).first().waitFor();
  await until('one consumer less', async () => (await countOf('Consumers')) === consumersBefore);
  for (const check of reloadChecks) await check();
});
