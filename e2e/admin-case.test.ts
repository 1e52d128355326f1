import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Notification } from '#contract/people/notifications/notifications';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, shortId, toastOf } from './open-market.ts';

const market = openMarket();

/** A farm with a product, and an order about which its parties wrote to each other. */
async function dispute(name: string) {
  const farmer = await market.createFarm(`${name} Farm`);
  const [product, consumer] = await Promise.all([
    market.createProduct(farmer, { name: `${name} Pears`, description: 'From our own trees.' }),
    market.register('consumer', `${name} Customer`),
  ]);
  const order = await market.placeOrder(consumer, product);
  const write = (from: typeof farmer, to: typeof farmer, content: string) =>
    market.call('POST', '/messages', {
      as: from,
      body: { receiver: to.user._id, content, relatedOrder: order._id },
    });
  await write(consumer, farmer, 'These are supermarket pears.');
  await write(farmer, consumer, 'They are ours.');
  return { farmer, consumer, product, order };
}

it.each([
  ['a desktop', 1280],
  ['a phone', 360],
])('settles a dispute from the feed to the audit on %s', async (_, width) => {
  const { farmer, consumer, product, order } = await dispute(`Case${width}`);
  const admin = await market.visit({ as: 'admin', width });
  const colleague = await market.visit({ as: 'admin' });
  await colleague.page.goto(`/admin/orders/${order._id}`);
  await colleague.page.getByText('No notes yet.').waitFor();

  // From the feed to the case.
  const { page } = admin;
  await page.goto('/admin/dashboard');
  const feed = page.getByRole('region', { name: 'Live feed' });
  await feed
    .getByRole('link', { name: `#${shortId(order)}` })
    .first()
    .click();
  await page.waitForURL(`**/admin/orders/${order._id}`);
  await page.getByRole('heading', { name: `Order #${shortId(order)}`, level: 1 }).waitFor();
  const words = page.getByRole('log', { name: /^Messages between/ });
  await words.getByText('These are supermarket pears.').waitFor();
  await words.getByText('They are ours.').waitFor();
  expect(await words.getByText('About this order').count()).toBe(2);

  // A note, which another admin sees at once.
  const note = page.getByRole('textbox', { name: 'Add a note' });
  await note.fill('The farm has no pear trees.');
  await page.getByRole('button', { name: 'Save note' }).click();
  for (const each of [page, colleague.page]) {
    await each.getByRole('list', { name: 'Notes' }).getByText('no pear trees').waitFor();
  }
  // The note may come live before its answer, which empties the field.
  await until('the field to be empty', async () => (await note.inputValue()) === '');

  // The farmer's page leads to the product.
  await page
    .getByRole('region', { name: /^Farmer: / })
    .getByRole('link', { name: farmer.user.name, exact: true })
    .click();
  await page.waitForURL(`**/admin/users/${farmer.user._id}`);
  const orders = page.getByRole('table', { name: `Orders of ${farmer.user.name}` });
  await orders.getByRole('link', { name: `#${shortId(order)}` }).waitFor();
  const products = page.getByRole('table', { name: `Products of ${farmer.user.name}` });
  await products.getByRole('link', { name: product.name }).click();
  await page.waitForURL(`**/admin/products/${product._id}`);

  // Hiding needs a reason. The farmer reads it; consumers no longer find the product.
  const hide = page.getByRole('button', { name: 'Hide product' });
  await hide.click();
  await page.getByText('Tell the farmer why.').waitFor();
  await page.getByRole('textbox', { name: 'Reason for hiding' }).fill('Not from this farm.');
  await hide.click();
  await toastOf(admin, "Product hidden. We've told the farmer.").waitFor();
  await page.getByText('Hidden from the market').waitFor();
  const buyer = await market.visit({ as: consumer, allowedErrors: REFUSED });
  await buyer.page.goto(`/products/${product._id}`);
  await buyer.page.getByRole('link', { name: 'Back to Products' }).waitFor();
  await until('the farmer to be notified', async () => {
    const path = '/notifications';
    const data = await market.ask<Notification[]>('GET', path, { as: farmer });
    return data.some(
      ({ kind, params }) => kind === 'product.hidden' && params?.reason === 'Not from this farm.',
    );
  });
  const grower = await market.visit({ as: farmer, width });
  await grower.page.goto(`/farmer/products/edit/${product._id}`);
  await grower.page.getByText('An admin has hidden this product from the market.').waitFor();
  await grower.page.getByText('Reason: Not from this farm.').waitFor();
  expect(await grower.page.getByRole('checkbox', { name: 'Active' }).count()).toBe(0);
  await grower.page.goto('/farmer/products');
  await grower.page.getByText('Hidden by an admin').waitFor();

  // All of it is in the audit, which leads back to the case.
  await page.goto('/admin/audit');
  const audit = page.getByRole('table', { name: 'Audit' });
  await audit.getByRole('row', { name: new RegExp(`Product hidden.*${product.name}`) }).waitFor();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Note added');
  await audit.getByText('Product hidden').first().waitFor({ state: 'hidden' });
  await audit.getByRole('link', { name: `#${shortId(order)}` }).click();
  await page.waitForURL(`**/admin/orders/${order._id}`);

  // Shown again, it is on the market as before.
  await page.goto(`/admin/products/${product._id}`);
  await page.getByRole('button', { name: 'Show again' }).click();
  await toastOf(admin, 'Product shown again.').waitFor();
  await buyer.page.reload();
  await buyer.page.getByRole('heading', { name: product.name }).waitFor();
});

it('edits a product of a farm and stays on its page', async () => {
  const { product } = await dispute('Edited');
  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto(`/admin/products/${product._id}`);
  const name = page.getByRole('textbox', { name: 'Product name' });
  const save = page.getByRole('button', { name: 'Save changes' });
  for (const words of ['Bought Pears', 'Traded Pears']) {
    await name.fill(words);
    await save.click();
    await toastOf(admin, 'Product updated successfully!').waitFor();
    await page.getByRole('heading', { name: words, level: 1 }).waitFor();
    // The name may come live before the answer, with which the form starts over.
    await save.waitFor();
  }
});

it('sorts, limits by days, finds by phone and product, and exports what is shown', async () => {
  const { order, product } = await dispute('Exported');
  const admin = await market.visit({ as: 'admin' });
  const { page } = admin;
  await page.goto('/admin/orders');
  const search = page.getByRole('searchbox', { name: 'Search by id, customer or farmer' });
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await search.fill(product.name);
  await page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row', { name: new RegExp(shortId(order)) })
    .waitFor();
  await rows.nth(2).waitFor({ state: 'hidden' });

  await page.getByLabel('From', { exact: true }).fill(order.createdAt.slice(0, 10));
  await page.getByLabel('To', { exact: true }).fill('2020-01-01');
  await page.getByText("The last day can't be before the first.").waitFor();
  await page.getByLabel('To', { exact: true }).fill('');
  await page.getByRole('combobox', { name: 'Sort' }).selectOption('Total: High to Low');
  await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('total-desc');
  await page
    .getByRole('table', { name: 'Orders' })
    .getByRole('row', { name: new RegExp(shortId(order)) })
    .waitFor();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  // Before the file is read, since it goes away by itself.
  await toastOf(admin, 'Exported 1 row.').waitFor();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^farmgate-orders-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  const lines = text.split('\r\n');
  expect(lines[0]).toMatch(/^\uFEFFOrder,Placed \([\w/]+\),/);
  expect(lines[1]).toContain(order._id);
  expect(lines).toHaveLength(3);
});
