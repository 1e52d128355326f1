import { expect, it } from 'vitest';
import type { Order } from '#contract/orders';
import { until } from '../stack.ts';
import {
  alertOf,
  badge,
  bell,
  mustNotReload,
  openMarket,
  unreadOf,
  untilCount,
  waitingOf,
} from './ground.ts';

// A wait of two seconds is too long here, so that nobody has to wait half an hour.
const market = openMarket({ env: { UNANSWERED_AFTER_SECONDS: '2' } });

const short = (order: Order) => order._id.slice(0, 8);

it('a new order calls the farmer on any page until it is seen', async () => {
  await market.clearTable();
  const product = await market.bring({ name: 'Chard', quantityAvailable: 500 });
  const farmer = await market.visit('/about', await market.session('farmer'));
  await farmer.page.evaluate(() => {
    const { start } = OscillatorNode.prototype;
    Object.assign(window, { strokes: 0 });
    OscillatorNode.prototype.start = function (...when) {
      Object.assign(window, { strokes: (window as unknown as { strokes: number }).strokes + 1 });
      start.apply(this, when);
    };
  });
  const strokes = () =>
    farmer.page.evaluate(() => (window as unknown as { strokes: number }).strokes);
  await badge(farmer, 'Live').waitFor();
  // Browsers let a page ring once somebody has touched it.
  await farmer.page.getByRole('heading', { level: 1 }).click();
  const icon = farmer.page.locator('link[rel=icon]');

  const first = await market.buy('consumer', product, 2);
  await alertOf(farmer).getByText(`New order from ${first.consumer.name}`).waitFor();
  await until('one in the title', async () => (await waitingOf(farmer)) === 1);
  expect(await icon.getAttribute('href')).toMatch(/^data:image\/svg/);
  await until('two strokes of the bell', async () => (await strokes()) === 2);

  const second = await market.buy('consumer2', product, 1);
  await alertOf(farmer).getByText('2 new orders').waitFor();
  await until('two in the title', async () => (await waitingOf(farmer)) === 2);
  // Other toasts go after three seconds; this one stays, on the next page too.
  await farmer.page.getByRole('link', { name: 'Products', exact: true }).first().click();
  await farmer.page.waitForTimeout(6_000);
  await alertOf(farmer).getByText('2 new orders').waitFor();

  // One is taken back: there is less to tell.
  await market.act('consumer2', 'PUT', `/orders/${second._id}`, { status: 'cancelled' });
  await alertOf(farmer).getByText(`New order from ${first.consumer.name}`).waitFor();
  await until('one in the title', async () => (await waitingOf(farmer)) === 1);

  await alertOf(farmer).getByRole('button', { name: 'View' }).click();
  await farmer.page.waitForURL(`**/orders/${first._id}`);
  await untilCount('the alert to be gone', alertOf(farmer), 0);
  // Seen is not answered: it still counts, and tells how long it has been waiting.
  expect(await waitingOf(farmer)).toBe(1);
  await farmer.page.goto('/farmer/orders');
  const row = farmer.page.locator(`[data-order="${first._id}"]`);
  await row.getByText('Waiting for').waitFor({ state: 'attached' });
  await farmer.page.getByRole('button', { name: `Accept order ${short(first)}` }).click();
  await until('nothing in the title', async () => (await waitingOf(farmer)) === 0);
  expect(await icon.getAttribute('href')).toMatch(/\/favicon\.svg$/);
});

it('orders, figures and lists follow on every side', async () => {
  await market.clearTable();
  const product = await market.bring({ name: 'Kale', price: 3, quantityAvailable: 9 });
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
  await list.page.getByText('Nobody waits for an answer.').waitFor();
  const unreloaded = await Promise.all([dashboard, list, consumer, admin].map(mustNotReload));

  const lowStock = dashboard.page.getByRole('row', { name: /Kale/ });
  await lowStock.getByText('9 lb').waitFor();
  const order = await market.buy('consumer', product, 2);
  await list.page.getByText('1 order waits for your answer.').waitFor();
  await list.page.locator(`[data-order="${order._id}"]`).waitFor();
  await dashboard.page
    .getByText(`#${short(order)}`)
    .first()
    .waitFor();
  await lowStock.getByText('7 lb').waitFor();
  const card = consumer.page.getByRole('listitem').filter({ hasText: `#${short(order)}` });
  await card.getByText('Pending').first().waitFor();
  const row = admin.page.getByRole('row', { name: new RegExp(short(order)) });
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
  await list.page.getByText('Nobody waits for an answer.').waitFor();

  // The admin ends it; the stock comes back.
  await market.act('admin', 'PUT', `/orders/${order._id}`, {
    status: 'cancelled',
    reason: 'The road is closed.',
  });
  await card.getByText('Cancelled').first().waitFor();
  await lowStock.getByText('9 lb').waitFor();
  await card.getByRole('link', { name: /View Details/ }).click();
  await consumer.page.getByText('The road is closed.').first().waitFor();
  for (const check of unreloaded) await check();
});

it('notifications come under the bell by themselves, and are read in every tab', async () => {
  const product = await market.bring({ name: 'Leeks', quantityAvailable: 500 });
  const [farmer, consumer] = await Promise.all([
    market.open('farmer', '/farmer/products'),
    market.open('consumer', '/products'),
  ]);
  await Promise.all([bell(farmer).waitFor(), bell(consumer).waitFor()]);
  const [farmerHad, consumerHad] = await Promise.all([unreadOf(farmer), unreadOf(consumer)]);
  const order = await market.buy('consumer', product);
  await until(
    'the farmer to be notified',
    async () => (await unreadOf(farmer)) > farmerHad,
    60_000,
  );

  await market.act('farmer', 'PUT', `/orders/${order._id}`, {
    status: 'rejected',
    reason: 'Hail this morning.',
  });
  await until('the consumer to be notified', async () => {
    return (await unreadOf(consumer)) > consumerHad;
  });
  const second = { ...consumer, page: await consumer.context.newPage() };
  await second.page.goto('/about');
  await until('the other tab to know', async () => (await unreadOf(second)) > consumerHad);
  await bell(consumer).click();
  const panel = consumer.page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText(/Hail this morning/).waitFor();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await until('all to be read here', async () => (await unreadOf(consumer)) === 0);
  await until('all to be read there', async () => (await unreadOf(second)) === 0);
  await panel.getByText(/Hail this morning/).click();
  await consumer.page.waitForURL(`**/orders/${order._id}`);
});

it('the admin sees the market happen', async () => {
  await market.clearTable();
  const product = await market.bring({ name: 'Sorrel', quantityAvailable: 500 });
  const admin = await market.open('admin', '/admin/dashboard');
  const users = await market.open('admin', '/admin/users');
  const feed = admin.page.getByRole('region', { name: 'Live feed' });
  const connected = admin.page.getByRole('region', { name: 'Connected now' });
  const perMinute = admin.page.getByRole('region', { name: 'Orders per minute' });
  await feed.getByRole('listitem').first().waitFor();
  const unreloaded = await Promise.all([admin, users].map(mustNotReload));
  const countOf = async (label: string) => {
    const one = connected.locator('dl > div').filter({ hasText: label }).locator('dd');
    return Number(await one.textContent());
  };
  const placed = async () =>
    Number(/(\d+) orders? in the last hour/.exec((await perMinute.textContent()) ?? '')?.[1] ?? 0);
  await until('admins to be counted', async () => (await countOf('Admins')) >= 1);
  const [consumersBefore, placedBefore] = [await countOf('Consumers'), await placed()];

  // Somebody joins, in a browser of their own.
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

  const order = await market.buy('consumer', product);
  await feed
    .getByRole('listitem')
    .filter({ hasText: `ordered #${short(order)}` })
    .waitFor();
  await until('one more in the last hour', async () => (await placed()) === placedBefore + 1);
  const tooLong = admin.page.getByRole('region', { name: 'Waiting too long' });
  await tooLong.getByText(`#${short(order)}`).waitFor();
  await feed
    .getByRole('listitem')
    .filter({ hasText: `#${short(order)} waits too long` })
    .waitFor();

  await market.act('farmer', 'PUT', `/orders/${order._id}`, { status: 'accepted' });
  await feed
    .getByRole('listitem')
    .filter({ hasText: `accepted #${short(order)}` })
    .waitFor();
  await untilCount('nobody to wait', tooLong.getByText(`#${short(order)}`), 0);

  // The admin deletes the account: it goes from the list, and its owner is signed out.
  await page.getByRole('link', { name: 'About', exact: true }).first().click();
  await row.getByRole('button', { name: 'Delete Wilma Wheat' }).click();
  await users.page.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click();
  await users.page.getByText('User deleted successfully!').waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Login' }).first().waitFor();
  await until('one consumer less', async () => (await countOf('Consumers')) === consumersBefore);
  for (const check of unreloaded) await check();
});
