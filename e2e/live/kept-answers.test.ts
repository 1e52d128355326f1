import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import { type Actor, badge, openMarket, untilCount } from './helpers.ts';

const market = openMarket({ workers: 0 });

/** Opens an order that waits, as its farmer. */
async function openOrder(name: string): Promise<{ order: Order; farmer: Actor }> {
  const product = await market.createProduct({ name, quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const farmer = await market.open('farmer', `/orders/${order._id}`);
  await button(farmer, /^Accept order/).waitFor();
  return { order, farmer };
}

const button = ({ page }: Actor, name: string | RegExp) =>
  page.getByRole('button', { name }).first();
const note = ({ page }: Actor, status: string) =>
  page.getByText(`${status}. Not sent yet. We'll send it when you're back.`).first();

async function goOffline(person: Actor): Promise<void> {
  // The first message may be that there is no network, so its code must be there.
  await person.page.locator('section[aria-live=polite]').waitFor({ state: 'attached' });
  await person.context.setOffline(true);
  await badge(person, 'Offline').waitFor();
}

/** Returns the statuses of the order's timeline, once the last one is this. */
async function statusesUntil(last: string, { _id }: Order): Promise<string[]> {
  return until(`the order to be ${last}`, async () => {
    const { timeline } = await market.callApi<Order>('farmer', 'GET', `/orders/${_id}`);
    const statuses = timeline.flatMap((entry) => ('status' in entry ? [entry.status] : []));
    return statuses.at(-1) === last ? statuses : undefined;
  });
}

it('accepts an order without a network on its own page, and sends it when the connection is back', async () => {
  const { order, farmer } = await openOrder('Lovage');
  await goOffline(farmer);
  await button(farmer, /^Accept order/).click();
  const offlineToast = farmer.page.getByText("You're offline. We'll send this when you're back.");
  await offlineToast.waitFor();
  await note(farmer, 'Accepted').waitFor();
  await expect.poll(() => button(farmer, /^Update Status/).isDisabled()).toBe(true);

  await farmer.context.setOffline(false);
  await farmer.page.getByText('Order status updated to accepted').waitFor();
  await untilCount('nothing about the connection', offlineToast, 0);
  await button(farmer, /^Complete order/).waitFor();
  expect(await statusesUntil('accepted', order)).toEqual(['pending', 'accepted']);
});

it('rejects with a reason without a network, and sends it from another page', async () => {
  const product = await market.createProduct({ name: 'Sorrel', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const farmer = await market.open('farmer', `/farmer/orders?order=${order._id}`);
  const { page } = farmer;
  await page.getByRole('link', { name: 'Open order page' }).click();
  await page.getByRole('link', { name: 'Back to Orders' }).waitFor();
  await goOffline(farmer);
  await button(farmer, /^Reject order/).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason (optional)').fill('The hens were faster.');
  await dialog.getByRole('button', { name: 'Reject order' }).click();
  await dialog.waitFor({ state: 'detached' });
  await note(farmer, 'Rejected').waitFor();
  await until('the focus to be in the page', () =>
    page.evaluate(() => document.activeElement !== document.body),
  );
  await page.getByRole('link', { name: 'Back to Orders' }).click();
  await page.getByText("1 order not sent yet. We'll send it when you're back.").waitFor();
  await page.goBack();
  await note(farmer, 'Rejected').waitFor();

  await farmer.context.setOffline(false);
  await page.getByText('Order status updated to rejected').waitFor();
  expect(await statusesUntil('rejected', order)).toEqual(['pending', 'rejected']);
  await page.getByText('The hens were faster.').waitFor();
});

it('changes an order once whose answer was lost on the way', async () => {
  const { order, farmer } = await openOrder('Purslane');
  const { page } = farmer;
  let lost = 0;
  await page.route(`**/api/orders/${order._id}`, async (route) => {
    if (route.request().method() !== 'PUT' || lost > 0) return route.continue();
    await route.fetch();
    lost += 1;
    await route.abort('internetdisconnected');
  });
  await button(farmer, /^Accept order/).click();
  // Sent again by itself; the same status once more changes nothing.
  await page.getByText('Order status updated to accepted').waitFor();
  await button(farmer, /^Complete order/).waitFor();
  expect(lost).toBe(1);
  expect(await statusesUntil('accepted', order)).toEqual(['pending', 'accepted']);
});

it('sends with the next visit what was accepted before the tab was closed', async () => {
  const product = await market.createProduct({ name: 'Tansy', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const farmer = await market.open('farmer', `/farmer/orders?order=${order._id}`);
  await button(farmer, /^Accept order/).waitFor();
  await goOffline(farmer);
  await button(farmer, /^Accept order/).click();
  await button(farmer, /^(Undo|Take back)$/).waitFor();
  await farmer.page.close();
  await farmer.context.setOffline(false);

  const page = await farmer.context.newPage();
  await Promise.all([
    // Waited for from the start: it goes away by itself, and may be there before the page is loaded.
    page.getByText('Order status updated to accepted').waitFor(),
    page.goto('/farmer/dashboard'),
  ]);
  expect(await statusesUntil('accepted', order)).toEqual(['pending', 'accepted']);
});

it('says what became of an order that changed meanwhile', async () => {
  const { order, farmer } = await openOrder('Savory');
  await goOffline(farmer);
  await button(farmer, /^Reject order/).click();
  await farmer.page.getByRole('alertdialog').getByRole('button', { name: 'Reject order' }).click();
  await note(farmer, 'Rejected').waitFor();
  await market.callApi('consumer', 'PUT', `/orders/${order._id}`, { status: 'cancelled' });
  await farmer.context.setOffline(false);
  await farmer.page.getByText(/^Order #[0-9a-f]{8} could not be rejected\./).waitFor();
  await untilCount('no note', note(farmer, 'Rejected'), 0);
  expect(await statusesUntil('cancelled', order)).toEqual(['pending', 'cancelled']);
});

it('cancels as a customer without a network', async () => {
  const product = await market.createProduct({ name: 'Cress', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const consumer = await market.open('consumer', `/orders/${order._id}`);
  await button(consumer, /^Cancel order/).waitFor();
  await goOffline(consumer);
  await button(consumer, /^Cancel order/).click();
  await consumer.page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Cancel order' })
    .click();
  await note(consumer, 'Cancelled').waitFor();
  await consumer.context.setOffline(false);
  await consumer.page.getByText('Order status updated to cancelled').waitFor();
  expect(await statusesUntil('cancelled', order)).toEqual(['pending', 'cancelled']);
});
