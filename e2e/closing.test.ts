import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket } from './open-market.ts';

const market = openMarket();

it('asks about open orders before a day is closed, and tells their customers once that they stay', async () => {
  const farmer = await market.createFarm('Closing Farm');
  const kale = await market.createProduct(farmer, { name: 'Kale', price: 2 });
  const consumer = await market.register('consumer', 'Cleo Customer');
  const date = dayFromNow(4);
  const place = (time: string) =>
    market.call('POST', '/orders', {
      as: consumer,
      body: {
        farmer: farmer.user._id,
        items: [{ product: kale._id, quantity: 1 }],
        pickupDetails: { date, time, location: 'My house please' },
      },
    });
  for (const time of ['09:00', '10:00']) await place(time);

  const { page } = await market.visit({ as: farmer, width: 360, height: 740 });
  await page.goto('/farmer/settings?section=days');
  await page.getByRole('form', { name: 'Close days' }).getByLabel('From').fill(date);
  await page.getByRole('button', { name: 'Close these days' }).click();
  const dialog = page.getByRole('alertdialog', { name: '2 open orders are affected' });
  await dialog.waitFor();
  const overflow = () => document.documentElement.scrollWidth - window.innerWidth;
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
  await dialog.getByRole('button', { name: 'Go back' }).click();
  await page.getByText('Not saved yet. Your changes are still here.').waitFor();

  // One is cancelled, the other one stays.
  await page.getByRole('button', { name: 'Close these days' }).click();
  await dialog
    .getByLabel(/^Select Cleo Customer/)
    .first()
    .check();
  await dialog.getByRole('button', { name: 'Cancel 1 order' }).click();
  const question = page.getByRole('alertdialog', { name: 'Cancel 1 order?' });
  await question.getByLabel('Reason (optional)').fill('A holiday');
  await question.getByRole('button', { name: 'Cancel 1 order' }).click();
  await page.getByRole('button', { name: 'Save and keep this order' }).click();
  await page.getByRole('button', { name: /^Open again/ }).waitFor();

  const kinds = async () =>
    (await market.ask<{ kind: string }[]>('GET', '/notifications', { as: consumer })).map(
      ({ kind }) => kind,
    );
  await until('both are told', async () => (await kinds()).length === 2);
  expect((await kinds()).sort()).toEqual(['order.kept', 'order.statusChanged']);
  const { page: theirs } = await market.visit({ as: consumer });
  await theirs.goto('/about');
  await theirs.getByRole('button', { name: /^Notifications/ }).click();
  await theirs.getByText('Your order stays as you placed it').first().waitFor();

  // On a desktop the row of the order that stays says what to look at, and its time is whole.
  const { page: desk } = await market.visit({ as: farmer, width: 1280, height: 800 });
  await desk.goto('/farmer/orders?status=pending');
  const row = desk.locator('[data-order]').first();
  await row.getByText('Own place').waitFor();
  await row.getByText(/10:00 am$/).waitFor();
});
