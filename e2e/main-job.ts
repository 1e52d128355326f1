import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { badge, expectNoReload } from './live/helpers.ts';
import { ACCOUNTS, openPerson, PASSWORD, type Person } from './people.ts';

/**
 * Does the main job on the demo market at this address: an order from the cart to the farmer's answer, live on the
 * screens of consumer, farmer and admin, and messages between the first two.
 */
export async function doMainJob(browser: Browser, url: string): Promise<void> {
  const people = await Promise.all([
    openPerson(browser, url),
    openPerson(browser, url, { as: 'farmer' }),
    openPerson(browser, url, { as: 'admin' }),
  ]);
  const [consumer, farmer, admin] = people;

  // The admin watches the orders; the farmer is on another page.
  await admin.page.goto('/admin/orders');
  await admin.page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await farmer.page.goto('/farmer/products');
  await farmer.page.getByRole('heading', { level: 1 }).waitFor();
  // Orders that came before the page was live are no news.
  await badge(farmer, 'Live').waitFor();

  // The consumer signs in, finds a product of the farm and orders two of it.
  const buyer = consumer.page;
  await buyer.goto('/login');
  await buyer.getByRole('textbox', { name: 'Email', exact: true }).fill(ACCOUNTS.consumer);
  await buyer.locator('input[name=password]').fill(PASSWORD);
  await buyer.getByRole('button', { name: 'Sign in' }).click();
  await buyer.getByText('Login successful!').waitFor();
  await buyer.getByRole('link', { name: 'Farmers', exact: true }).first().click();
  await buyer
    .getByRole('link', { name: /Green Valley Farm/ })
    .first()
    .click();
  await buyer.getByRole('heading', { name: 'Green Valley Farm', level: 1 }).waitFor();
  const reloadChecks = await Promise.all([consumer, farmer, admin].map(expectNoReload));

  await buyer.locator('a[href^="/products/"]').first().click();
  await buyer.waitForURL('**/products/*');
  // With it the heading is the product's, no longer the farm's.
  await buyer.getByRole('spinbutton', { name: 'Quantity' }).fill('2');
  const name = (await buyer.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await buyer.getByRole('button', { name: 'Add to Cart' }).click();
  await buyer.getByText(`Added ${name} to your cart`).waitFor();
  await buyer.getByRole('link', { name: /^Cart/ }).first().click();
  await buyer.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
  // The farm is closed on Sundays, so tomorrow may not do; the second of its next days always does.
  await buyer
    .getByRole('group', { name: 'Next pickup days' })
    .getByRole('radio')
    .nth(1)
    .check({ force: true });
  await buyer.getByLabel('Pickup time').fill('10:30');
  await buyer.getByRole('button', { name: 'Place Order' }).dblclick();
  await buyer.getByText('Order placed successfully!').waitFor();
  await buyer.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  const id = new URL(buyer.url()).pathname.split('/').at(-1) ?? '';
  const short = id.slice(0, 8);
  await buyer.getByText('Pending').first().waitFor();

  // The farmer is alerted on the current page; the admin's list shows the order.
  await farmer.page
    .getByText(/New order/i)
    .first()
    .waitFor();
  await admin.page.getByText(`#${short}`).first().waitFor();

  // The farmer opens the order and accepts it.
  await farmer.page
    .locator('[data-sonner-toast]')
    .filter({ hasText: 'New order' })
    .getByRole('button', { name: 'View' })
    .click();
  await farmer.page.getByText(`#${short}`).first().waitFor();
  await farmer.page
    .getByRole('button', { name: /^Accept/ })
    .first()
    .click();
  await farmer.page.getByText('Order status updated to accepted').waitFor();

  // The consumer's badge and the admin's row change live.
  await buyer.getByText('Accepted').first().waitFor();
  await admin.page
    .getByRole('row', { name: new RegExp(short) })
    .getByText('Accepted')
    .waitFor();

  // Both have the conversation open and exchange messages.
  const farmerId = await farmer.page.evaluate(
    () => JSON.parse(localStorage.getItem('user') ?? '{}')._id as string,
  );
  const consumerId = await buyer.evaluate(
    () => JSON.parse(localStorage.getItem('user') ?? '{}')._id as string,
  );
  await buyer.getByRole('link', { name: 'Open conversation' }).click();
  await buyer.waitForURL(`**/messages/${farmerId}`);
  await farmer.page.evaluate((to) => {
    history.pushState(null, '', `/messages/${to}`);
  }, consumerId);
  await farmer.page.waitForURL(`**/messages/${consumerId}`);
  const write = async ({ page }: Person, text: string) => {
    await page.getByRole('textbox', { name: /message/i }).fill(text);
    await page.getByRole('button', { name: /send/i }).click();
  };
  await write(consumer, 'Shall I bring a crate?');
  await farmer.page.getByText('Shall I bring a crate?').last().waitFor();
  await write(farmer, 'Yes, please.');
  await buyer.getByText('Yes, please.').last().waitFor();

  for (const check of reloadChecks) await check();
  for (const { pageErrors } of people) expect(pageErrors).toEqual([]);
  await Promise.all(people.map(({ context }) => context.close()));
}
