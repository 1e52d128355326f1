import { expect, it } from 'vitest';
import type { AdminStats } from '#contract/admin/admin/admin';
import type { Category } from '#contract/catalogue/categories/categories';
import { until } from '../testing/until.ts';

import { openMarket, REFUSED, shortId, toastOf } from './open-market.ts';
import { ACCOUNTS, PASSWORD, signIn } from './people.ts';

const market = openMarket();

it('finds, reads and deletes accounts', async () => {
  const consumer = await market.register('consumer', 'Walter Wanted');
  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto('/admin/users');
  const table = page.getByRole('table', { name: 'Users' });
  const roles = page.getByRole('group', { name: 'Role' });
  await roles.waitFor();
  expect(await roles.getByRole('button').allTextContents()).toEqual([
    'All',
    'Consumers',
    'Farmers',
    'Admins',
  ]);
  await roles.getByRole('button', { name: 'Admins' }).click();
  await table.getByText(ACCOUNTS.consumer).waitFor({ state: 'hidden' });
  await table.getByText(ACCOUNTS.admin).waitFor();
  expect(await table.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?role=admin');

  await roles.getByRole('button', { name: 'All' }).click();
  const search = page.getByRole('searchbox', { name: 'Search by name or email' });
  await search.fill('nobody of that name');
  await page.getByText('No users found').waitFor();
  await search.fill('WANTED');
  const row = table.getByRole('row', { name: /Walter Wanted/ });
  await row.getByText('Consumer', { exact: true }).waitFor();
  await row.getByText(String(new Date().getFullYear())).waitFor();
  await row.getByRole('button', { name: 'Details of Walter Wanted' }).click();
  await table.getByText('(802) 555-0100').waitFor();
  await table.getByText(/1 Mill Lane, Putney/).waitFor();

  await row.getByRole('button', { name: 'Delete Walter Wanted' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText(/This action cannot be undone\./).waitFor();
  await question.getByRole('button', { name: 'Delete user' }).click();
  await toastOf(admin, 'User deleted successfully!').waitFor();
  await row.waitFor({ state: 'hidden' });
  await expect(signIn(market.url, consumer.user.email)).rejects.toThrow();
});

it('adds, edits and deletes categories', async () => {
  const admin = await market.visit({ as: 'admin', allowedErrors: REFUSED });
  const { page } = admin;
  await page.goto('/admin/categories');
  const table = page.getByRole('table', { name: 'Categories' });
  await table.waitFor();
  await page.getByRole('button', { name: 'Add category' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add category' });
  const add = dialog.getByRole('button', { name: 'Add category' });
  await add.click();
  await dialog.getByText('Category name is required').waitFor();
  // A taken name is refused and stays in the field.
  const [taken] = await market.ask<Category[]>('GET', '/categories');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill(taken?.name ?? '');
  await add.click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Mushrooms');
  await dialog.getByRole('button', { name: '🌿' }).click();
  await add.click();
  await toastOf(admin, 'Category created successfully!').waitFor();
  const row = table.getByRole('row', { name: /Mushrooms/ });
  await row.getByText('🌿').waitFor();
  await row.getByText('No description provided').waitFor();

  await row.getByRole('button', { name: 'Edit Mushrooms' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit category' });
  await edit.getByLabel('Description').fill('Found in the woods.');
  await edit.getByRole('button', { name: 'Save category' }).click();
  await toastOf(admin, 'Category updated successfully!').waitFor();
  await row.getByText('Found in the woods.').waitFor();

  await row.getByRole('button', { name: 'Delete Mushrooms' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Delete Mushrooms' }).click();
  await question.getByRole('button', { name: 'Delete category' }).click();
  await toastOf(admin, 'Category deleted successfully!').waitFor();
  await row.waitFor({ state: 'hidden' });
});

it('finds orders and changes their status', async () => {
  const farmer = await market.createFarm('Overseen Farm');
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Peas' }),
    market.register('consumer', 'Ottilie Overseen'),
  ]);
  const order = await market.placeOrder(consumer, product);
  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto('/admin/orders');
  const search = page.getByRole('searchbox', { name: 'Search by id, customer or farmer' });
  const row = page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row', { name: new RegExp(shortId(order)) });
  for (const words of [shortId(order), 'ottilie', 'owner of overseen']) {
    await search.fill('no such order');
    await page.getByText('No Orders Found').waitFor();
    await search.fill(words);
    await row.waitFor();
  }
  const filters = page.getByRole('group', { name: 'Order status' });
  await filters.getByRole('button', { name: 'Completed' }).click();
  await page.getByText('No Orders Found').waitFor();
  await filters.getByRole('button', { name: 'All' }).click();

  await row.getByRole('button', { name: /^Update Status/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Update Status' });
  await expect.poll(() => dialog.getByRole('radio').count()).toBe(5);
  await dialog.getByRole('radio', { name: 'Accepted' }).check();
  await dialog.getByRole('button', { name: 'Update Status' }).click();
  await toastOf(admin, 'Order status updated to accepted').waitFor();
  await row.getByText('Accepted').waitFor();

  // The dialog dims the order's details behind it.
  await row.getByRole('button', { name: /^View Details/ }).click();
  const details = page.getByRole('dialog', { name: `Order #${shortId(order)}` });
  await details.getByText(consumer.user.email).waitFor();
  await details.getByRole('button', { name: /^Update Status/ }).click();
  await dialog.waitFor();
  const isDimmed = await page.evaluate(() => {
    const [below, above] = document.querySelectorAll('[data-scroll-lock] + [role=dialog]');
    const overlay = above?.previousElementSibling;
    if (!below || !overlay) return false;
    const isLater = below.compareDocumentPosition(overlay) & Node.DOCUMENT_POSITION_FOLLOWING;
    return isLater > 0 && getComputedStyle(overlay).zIndex >= getComputedStyle(below).zIndex;
  });
  expect(isDimmed).toBe(true);
  await dialog.getByRole('radio', { name: 'Completed' }).check();
  await dialog.getByRole('button', { name: 'Update Status' }).click();
  await toastOf(admin, 'Order status updated to completed').waitFor();
  await until('nothing more to follow', () =>
    details.getByRole('button', { name: /^Update Status/ }).isDisabled(),
  );
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'hidden' });
  await expect.poll(() => new URL(page.url()).searchParams.has('order')).toBe(false);
});

it('shows the figures of the market', async () => {
  const admin = await signIn(market.url, ACCOUNTS.admin);
  const stats = await market.ask<AdminStats>('GET', '/admin/stats', { as: admin });
  const { page } = await market.visit({ as: admin });
  await page.goto('/admin/dashboard');
  const main = page.locator('main');
  for (const [label, value] of [
    ['Total users', stats.totalUsers],
    ['Total orders', stats.totalOrders],
    ['Categories', stats.categoryCount],
  ] as const) {
    await main.getByText(label, { exact: true }).first().waitFor();
    await main.getByText(value.toLocaleString('en-US'), { exact: true }).first().waitFor();
  }
  await main.getByText('Total revenue', { exact: true }).waitFor();
  for (const panel of ['Orders by status', 'Users by role', 'Recent Orders', 'Recent products']) {
    await main.getByRole('heading', { name: panel }).waitFor();
  }

  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').click();
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Admin Dashboard',
    'Messages',
    'اردو',
    'Deutsch',
    'Logout',
  ]);
});

it('sends messages to any user', async () => {
  const consumer = await market.register('consumer', 'Anna Answer');
  const { page } = await market.visit({ as: 'admin' });
  await page.goto('/admin/messages');
  await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
  await page.goto(`/admin/messages/${consumer.user._id}`);
  await page.getByText('No messages yet. Start the conversation!').waitFor();
  await page.getByRole('textbox', { name: 'Message to Anna Answer' }).fill('Welcome.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Welcome.').last().waitFor();
  await until('the message to have arrived', async () => {
    const path = '/messages';
    const data = await market.ask<unknown[]>('GET', path, { as: consumer });
    return data.length === 1;
  });
});

it('opens the board of job queues, which other roles cannot open', async () => {
  const consumer = await market.visit({ as: 'consumer' });
  await consumer.page.goto('/admin/queues');
  // Other roles are redirected by the guards.
  await consumer.page.waitForURL(`${market.url}/`);
  const { page } = await market.visit({ as: 'admin' });
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Queues' }).click();
  await page.waitForURL(/\/admin\/queues/);
  await page.getByText('Farmgate queues').first().waitFor();
  await page.getByText('email').first().waitFor();
  // It asks for nothing from elsewhere: an error on the page would fail the test.
  await page.getByRole('link', { name: 'Back to Farmgate' }).click();
  await page.waitForURL(/\/admin\/dashboard/);
});

it('cannot be chosen at registration', async () => {
  const body = { name: 'Eve', email: 'eve@example.org', password: PASSWORD, role: 'admin' };
  await expect(market.call('POST', '/auth/register', { body })).rejects.toThrow();
});
