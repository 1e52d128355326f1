import { expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { badge, bell, openMarket, unreadCount, untilCount } from './helpers.ts';

const market = openMarket();

it('notifies a customer on any page of what the farm did, and reads what was seen', async () => {
  const product = await market.createProduct({ name: 'Chervil', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  await market.callApi('consumer', 'PUT', '/notifications/read', {});
  const consumer = await market.open('consumer', '/products');
  await bell(consumer).waitFor();
  // The toaster is there before its first toast, as a live region must be.
  const toaster = consumer.page.locator('section[aria-live=polite]');
  await until('the toaster', async () => (await toaster.count()) === 1);
  const other = { ...consumer, page: await consumer.context.newPage() };
  await other.page.goto('/about');
  await badge(other, 'Live').waitFor();

  await market.callApi('farmer', 'PUT', `/orders/${order._id}`, { status: 'accepted' });
  const toast = toaster.locator('[data-sonner-toast]');
  const news = toast.getByText(/ accepted your order: pickup .+, \d+:\d\d [ap]m$/i);
  await news.waitFor();
  // It goes after ten seconds unless it is used, and a busy machine may need longer to reach the other page.
  await toast.getByRole('button', { name: 'View' }).focus();
  for (const person of [consumer, other]) {
    await until('the bell to show it', async () => (await unreadCount(person)) === 1);
  }
  await toast.getByRole('button', { name: 'View' }).press('Enter');
  await consumer.page.waitForURL(`**/orders/${order._id}`);
  for (const person of [consumer, other]) {
    await until('the bell to be read', async () => (await unreadCount(person)) === 0);
  }

  // With the order in view, its badge and an announcement show it.
  await untilCount('no toast', toast, 0);
  await market.callApi('farmer', 'PUT', `/orders/${order._id}`, { status: 'completed' });
  await consumer.page
    .locator('[data-announcer]')
    .getByText(/ completed your order\.$/)
    .waitFor();
  expect(await toast.count()).toBe(0);
  await bell(other).click();
  await other.page.getByText('Your order is complete').first().waitFor();
  await until('the bell to be read', async () => (await unreadCount(other)) === 0);
});

it('notifies a customer in their other tabs, and not in this one, of what they did', async () => {
  const product = await market.createProduct({ name: 'Lovage', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const consumer = await market.open('consumer', `/orders/${order._id}`);
  const other = { ...consumer, page: await consumer.context.newPage() };
  await other.page.goto('/about');
  for (const person of [consumer, other]) await badge(person, 'Live').waitFor();

  await consumer.page.getByRole('button', { name: 'Cancel order' }).click();
  const question = consumer.page.getByRole('alertdialog');
  const news = /^You cancelled your order at /;
  await Promise.all([
    // Both are waited for from the press on, since they go away by themselves.
    other.page.locator('[data-sonner-toast]').getByText(news).waitFor(),
    // Its own toast says so already, and comes with the same answer.
    consumer.page.getByText('Order status updated to cancelled').waitFor(),
    question.getByRole('button', { name: 'Cancel order' }).click(),
  ]);
  expect(await consumer.page.getByText(news).count()).toBe(0);
});

it('sends a question of the order page when the connection is back, once', async () => {
  const product = await market.createProduct({ name: 'Borage', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const consumer = await market.open('consumer', `/orders/${order._id}`);
  const box = consumer.page.getByRole('textbox', { name: /^Message to .+ about this order$/ });
  await box.waitFor();
  await consumer.context.setOffline(true);
  await badge(consumer, 'Offline').waitFor();
  const words = `May I come an hour later for ${order._id}?`;
  await box.fill(words);
  await consumer.page.getByRole('button', { name: 'Send Message' }).click();
  await consumer.page
    .getByText("Not sent yet. We'll send your message when you're back.")
    .waitFor();
  await consumer.context.setOffline(false);
  const { user } = await market.session('consumer');
  const received = () =>
    market.callApi<{ content: string }[]>('farmer', 'GET', `/messages/${user._id}`);
  await until('the question to arrive', async () =>
    (await received()).some(({ content }) => content === words),
  );
  expect((await received()).filter(({ content }) => content === words)).toHaveLength(1);
});

it('loads by itself what could not be loaded, when the connection is back', async () => {
  const buyer = await market.open('consumer2', '/about');
  await buyer.context.setOffline(true);
  await badge(buyer, 'Offline').waitFor();
  await buyer.page.getByRole('link', { name: 'Farmers' }).first().click();
  await buyer.page
    .getByText("This page couldn't be loaded. Check your connection and try again.")
    .waitFor();
  await buyer.context.setOffline(false);
  await buyer.page.getByRole('heading', { level: 1 }).waitFor();
  await untilCount(
    'no error',
    buyer.page.getByText("This page couldn't be loaded. Check your connection and try again."),
    0,
  );
  expect(new URL(buyer.page.url()).pathname).toBe('/farmers');
});
