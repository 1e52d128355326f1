import { expect, it } from 'vitest';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { until } from '../testing/until.ts';
import { openMarket } from './open-market.ts';

const market = openMarket({ hasWorker: false });

const hours = { open: '08:00', close: '18:00' };

/** Creates a farm that is open each day, with a product. */
async function openFarm(farmName: string) {
  const farmer = await market.createFarm(farmName);
  const businessHours = Object.fromEntries(WEEKDAYS.map((day) => [day, hours]));
  const body = { farmName, description: 'Vegetables from the hill.', businessHours };
  await market.call('PUT', '/users/farmers/profile', { as: farmer, body });
  return { farmer, product: await market.createProduct(farmer, { name: `Kale of ${farmName}` }) };
}

/** Returns how far the page is wider than its window. */
const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

it('shows a cut-off and closed days on every device of the farm and to who is ordering, at once', async () => {
  const { farmer, product } = await openFarm('Early Farm');
  const consumer = await market.register('consumer', 'Dana Days');
  const [{ page: settings }, { page: phone }, { page }, { page: stock }] = await Promise.all([
    market.visit({ as: farmer }),
    market.visit({ as: farmer, width: 360, height: 740 }),
    market.visit({ as: consumer, width: 360, height: 740 }),
    market.visit(),
  ]);
  await stock.goto(`/products?search=${encodeURIComponent(product.name)}`);
  const nextOnCard = stock.locator('article', { hasText: product.name }).getByText(/^Next pickup /);
  for (const device of [settings, phone]) await device.goto('/farmer/settings?section=days');
  await phone.getByText('Customers can order until your farm closes.').waitFor();

  await settings.getByLabel('Orders for a day close').selectOption({ label: 'The day before' });
  await settings.getByLabel(/^At/).fill('18:00');
  await settings.getByText('Accept them').click();
  await settings
    .getByRole('form', { name: 'When orders close' })
    .getByRole('button', { name: 'Save' })
    .click();
  await phone.getByText(/^For Sat, .* customers can order until Fri, .* at 6:00 pm\.$/).waitFor();
  await expect
    .poll(() => phone.getByRole('radio', { name: /^Accept them/ }).isChecked())
    .toBe(true);
  expect(await phone.evaluate(overflow)).toBeLessThanOrEqual(0);

  await page.goto(`/products/${product._id}`);
  await page.getByText(/^Next pickup .* 8 am–6 pm, order until /).waitFor();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.goto('/checkout');
  const days = page.getByRole('group', { name: 'Next pickup days' });
  const chosen = days.locator('input:checked');
  const first = await chosen.inputValue();
  await expect.poll(() => page.getByLabel('Pickup date').inputValue()).toBe(first);
  await expect.poll(() => page.getByLabel('Pickup time').inputValue()).toBe('08:00');
  await days
    .getByText(/^order until/)
    .first()
    .waitFor();
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);

  // The farm closes the chosen day while the consumer looks at it, and somebody else at the stock.
  const nextBefore = await nextOnCard.textContent();
  expect(nextBefore).toMatch(/^Next pickup .* 8 am–6 pm$/);
  await phone.getByRole('form', { name: 'Close days' }).getByLabel('From').fill(first);
  await phone.getByRole('button', { name: 'Close these days' }).click();
  await settings.getByRole('button', { name: /^Open again/ }).waitFor();
  await page.getByText(/^You can't order for .* Your cart is kept\.$/).waitFor();
  await until('another day', async () => (await nextOnCard.textContent()) !== nextBefore);
  await page.getByRole('button', { name: /^Choose / }).click();
  await until('a later day', async () => {
    return (await page.getByLabel('Pickup date').inputValue()) > first;
  });
  await page.getByRole('button', { name: '10:00 am' }).click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/orders/*');

  await settings.getByRole('button', { name: /^Open again/ }).click();
  await phone.getByText('No closed days ahead.').waitFor();
});

it('lets the person who ordered there before order again with one press', async () => {
  const { farmer, product } = await openFarm('Return Farm');
  // The first day is tomorrow at the earliest, with all its hours ahead.
  const schedule = {
    mode: 'notice',
    cutoff: { daysBefore: 1, time: '23:59' },
    atCutoff: 'accept',
  };
  await market.call('PUT', '/farm/schedule', { as: farmer, body: schedule });
  const consumer = await market.register('consumer', 'Rita Return');
  const at = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await market.call('POST', '/orders', {
    as: consumer,
    body: {
      farmer: farmer.user._id,
      items: [{ product: product._id, quantity: 1 }],
      paymentMethod: 'bank_transfer',
      pickupDetails: { date: at, time: '16:30', location: 'The blue door' },
    },
  });
  const { page } = await market.visit({ as: consumer, width: 360, height: 740 });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.goto('/checkout');
  await page.getByRole('group', { name: 'Next pickup days' }).waitFor();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/orders/*');
  const id = page.url().split('/').at(-1);
  const { data } = await until('the order', () =>
    market.call<{
      data: {
        paymentMethod: string;
        pickupDetails: { date: string; time: string; location: string };
      };
    }>('GET', `/orders/${id}`, { as: consumer }),
  );
  expect(data).toMatchObject({
    paymentMethod: 'bank_transfer',
    pickupDetails: { time: '16:30', location: 'The blue door' },
  });
});
