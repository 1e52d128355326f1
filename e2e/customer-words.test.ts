import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { wallClockIn } from '#contract/platform/time/constants';
import { press, tabTo, typeInto } from './keys.ts';
import { openMarket, REFUSED, shortId, toastOf } from './open-market.ts';
import { ACCOUNTS, type Session, signIn } from './people.ts';

// What a customer reads while the farm has not answered, and can tell it once the goods are there.
const market = openMarket();

const answer = (farmer: Session, order: Order, status: string) =>
  market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status } });

/** Returns an order that its farm has handed over, of two products. */
async function handedOver(farmer: Session, consumer: Session): Promise<Order> {
  const kale = await market.createProduct(farmer, { name: 'Kale', price: 2, unit: 'bunch' });
  const order = await market.placeOrder(consumer, kale, 3);
  await answer(farmer, order, 'accepted');
  await answer(farmer, order, 'completed');
  return order;
}

it('tells the farm alone what was wrong, by keys on the narrowest phone, and without a connection', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Wordy Farm'),
    market.register('consumer', 'Wanda Wordless'),
  ]);
  const order = await handedOver(farmer, consumer);
  const buyer = await market.visit({ as: consumer, width: 320, allowedErrors: /./ });
  const { page, context } = buyer;
  await page.goto(`/orders/${order._id}`);
  const entry = page.getByRole('button', { name: 'Was anything wrong?' });
  await press(entry);
  const dialog = page.getByRole('dialog', { name: 'Was anything wrong?' });
  await press(dialog.getByRole('checkbox', { name: '3 bunches Kale' }), { key: 'Space' });
  await tabTo(dialog.getByLabel('What was wrong: Kale'));
  await page.keyboard.type('It was damaged');
  await typeInto(dialog.getByLabel('In your own words: Kale'), 'Yellow leaves');
  await dialog.getByText('• 3 bunches Kale: damaged. Yellow leaves').waitFor();
  expect(
    await page.evaluate(() => document.scrollingElement?.scrollWidth ?? 0),
  ).toBeLessThanOrEqual(320);
  await press(dialog.getByRole('button', { name: 'Send to Wordy Farm' }));
  await page.waitForURL(`**/messages/${farmer.user._id}`);
  await page.getByRole('log').getByText('damaged. Yellow leaves').waitFor();

  const farm = await market.visit({ as: farmer });
  await farm.page.goto(`/messages/${consumer.user._id}`);
  await farm.page.getByRole('log').getByText('• 3 bunches Kale: damaged. Yellow leaves').waitFor();
  await farm.page.getByRole('link', { name: `About order ${shortId(order)}` }).click();
  await farm.page.waitForURL(`**/orders/${order._id}`);

  // Without a connection it waits, and arrives by itself.
  await page.goto(`/orders/${order._id}`);
  await entry.click();
  await dialog.getByLabel('Anything else').fill('The crate was wet.');
  await context.setOffline(true);
  await dialog.getByRole('button', { name: 'Send to Wordy Farm' }).click();
  await toastOf(buyer, /^Not sent yet/).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await context.setOffline(false);
  await farm.page.goto(`/messages/${consumer.user._id}`);
  await farm.page.getByRole('log').getByText('The crate was wet.').waitFor();
});

it('says who helps where the farm was suspended before anything was written', async () => {
  const [farmer, consumer, admin] = await Promise.all([
    market.createFarm('Gone Farm'),
    market.register('consumer', 'Wilma Waiting'),
    signIn(market.url, ACCOUNTS.admin),
  ]);
  const order = await handedOver(farmer, consumer);
  await market.call('PUT', `/users/${farmer.user._id}/suspension`, {
    as: admin,
    body: { suspended: true, reason: 'Checks' },
  });
  const { page } = await market.visit({ as: consumer, allowedErrors: REFUSED });
  await page.goto(`/orders/${order._id}`);
  await page.getByRole('button', { name: 'Was anything wrong?' }).click();
  await page.getByText('You cannot write to Gone Farm.').waitFor();
  await page
    .getByText(/Report a problem with this order/)
    .last()
    .waitFor();
});

it('says by itself that a farm has not answered, from when it does, and nothing of it once it has', async () => {
  const [farmer, consumer, admin] = await Promise.all([
    market.createFarm('Slow Farm'),
    market.register('consumer', 'Wim Waiter'),
    signIn(market.url, ACCOUNTS.admin),
  ]);
  // Somewhere it is late in the evening.
  const timeZone = Intl.supportedValuesOf('timeZone').find((zone) => {
    const { time } = wallClockIn(zone, Date.now());
    return time >= '21:30' && time < '23:00';
  });
  await market.call('PUT', '/users/farmers/profile', {
    as: farmer,
    body: { farmName: 'Slow Farm', description: 'Snails.', timeZone },
  });
  const quietHours = { from: '21:00', to: '07:00' };
  await market.call('PUT', '/farm/escalation', { as: farmer, body: { quietHours } });
  const kale = await market.createProduct(farmer, { name: 'Kale', price: 2, unit: 'bunch' });
  const order = await market.placeOrder(consumer, kale, 1);

  const { page } = await market.visit({ as: consumer, ...(timeZone && { timezoneId: timeZone }) });
  await page.goto(`/orders/${order._id}`);
  await page.getByRole('heading', { name: "We've told Slow Farm" }).waitFor();
  await page.getByText(/^Slow Farm answers from 7:00\sam tomorrow\. We'll let you know/i).waitFor();

  await market.call('PUT', '/market', { as: admin, body: { unansweredMinutes: 1 / 60 } });
  await page.getByRole('heading', { name: 'Slow Farm has not answered yet' }).waitFor();
  await page.getByText(/You can cancel free of charge\. Pickup would be/).waitFor();
  await page.getByRole('button', { name: /^Cancel order/ }).waitFor();

  await answer(farmer, order, 'accepted');
  await page.getByRole('heading', { name: 'Slow Farm has accepted your order' }).waitFor();
  expect(await page.getByText('You can cancel free of charge').count()).toBe(0);

  // What to write is prepared; it is read before it is sent.
  await page.getByRole('button', { name: 'Ask to cancel' }).click();
  const field = page.getByLabel(/^Message to/);
  await expect
    .poll(() => field.inputValue())
    .toBe(`Please cancel my order #${shortId(order)}: 1 bunch Kale.`);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await page.getByText('Message sent').waitFor();
});
