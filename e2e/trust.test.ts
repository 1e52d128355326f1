import { expect, it } from 'vitest';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { PASSWORD } from './people.ts';

const market = openMarket();

it.each([
  ['a desktop', 1280],
  ['a phone', 360],
])('reports a product and is notified how it ended on %s', async (_, width) => {
  const farmer = await market.createFarm(`Report${width} Farm`);
  const product = await market.createProduct(farmer, { name: `Doubtful Pears ${width}` });
  const consumer = await market.register('consumer', `Reporter ${width}`);
  const admin = await market.visit({ as: 'admin', width });
  await admin.page.goto('/admin/reports');
  await admin.page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();

  // A visitor is led to sign in, and back to the open dialog.
  const { page } = await market.visit({ width });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('link', { name: 'Report this product' }).click();
  await page.getByLabel(/^Email/).fill(consumer.user.email);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const dialog = page.getByRole('dialog', { name: 'Report this product' });
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await dialog.getByText('Choose what is wrong.').waitFor();
  await dialog.getByRole('combobox', { name: /^What's wrong/ }).selectOption("It isn't safe");
  await dialog.getByRole('textbox').fill('They smell of petrol.');
  await dialog.getByRole('button', { name: 'Send report' }).click();
  await page.getByText("Thank you. We'll take a look.").waitFor();
  await dialog.waitFor({ state: 'hidden' });

  // It appears on the admin's open page.
  const card = admin.page.getByRole('article', { name: `Product reported by Reporter ${width}` });
  await card.getByText('They smell of petrol.').waitFor();
  await card.getByText(product.name).waitFor();
  await card.getByRole('button', { name: 'Something was done' }).click();
  const settling = admin.page.getByRole('dialog', { name: 'Settle this report?' });
  await settling.getByRole('textbox', { name: 'Note' }).fill('Talked to the farm.');
  await settling.getByRole('button', { name: 'Settle report' }).click();
  await card.waitFor({ state: 'hidden' });
  await admin.page.getByRole('button', { name: 'Settled', exact: true }).click();
  await card.getByText('Talked to the farm.').waitFor();

  // The person who reported it is notified, without the note.
  await page.getByRole('button', { name: /^Notifications, 1 unread|^Notifications.*1/ }).click();
  await page.getByText('We looked at your report').waitFor();
});

it('suspends a farm and brings it back', async () => {
  const farmer = await market.createFarm('Suspended Farm');
  const product = await market.createProduct(farmer, { name: 'Suspended Plums' });
  const grower = await market.visit({ as: farmer, allowedErrors: REFUSED });
  await grower.page.goto('/farmer/products');
  await grower.page.getByText('Suspended Plums').first().waitFor();
  const buyer = await market.visit({ allowedErrors: REFUSED });
  await buyer.page.goto('/products?search=Suspended');
  await buyer.page.getByText('Suspended Plums').first().waitFor();

  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto(`/admin/users/${farmer.user._id}`);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Suspend Owner of Suspended Farm/ });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Orders were never handed over.');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await toastOf(admin, 'Account suspended.').waitFor();
  await page.getByText(/^Suspended since/).waitFor();

  // The farmer is out, and reads why when they sign in again.
  await grower.page.waitForURL('**/login**');
  await grower.page.getByLabel(/^Email/).fill(farmer.user.email);
  await grower.page.getByLabel(/^Password/).fill(PASSWORD);
  await grower.page.getByRole('button', { name: 'Sign in' }).click();
  await grower.page
    .getByRole('alert')
    .getByText('Reason: Orders were never handed over.', { exact: false })
    .waitFor();
  // The list that somebody has open says so, and the farm's page is gone.
  await buyer.page.getByText('No longer on sale').first().waitFor();
  await buyer.page.goto(`/farmers/${farmer.user._id}`);
  await buyer.page.getByText('Farmer not found').waitFor();

  await page.goto('/admin/users?state=suspended');
  await page
    .getByRole('row', { name: /Owner of Suspended Farm/ })
    .getByText('Suspended', { exact: true })
    .waitFor();
  await page.goto(`/admin/users/${farmer.user._id}`);
  await page.getByRole('button', { name: 'Restore account' }).click();
  await toastOf(admin, 'Account restored.').waitFor();
  await buyer.page.goto(`/products/${product._id}`);
  await buyer.page.getByRole('heading', { name: 'Suspended Plums' }).waitFor();
  await grower.page.getByRole('button', { name: 'Sign in' }).click();
  await grower.page.waitForURL((url) => !url.pathname.startsWith('/login'));
  expect(grower.page.url()).not.toContain('/login');
});
