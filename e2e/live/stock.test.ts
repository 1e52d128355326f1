import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import { nextSaturday } from '../faults/helpers.ts';
import { expectNoReload, openMarket } from './helpers.ts';

const market = openMarket({ workers: 0 });

it('updates stock and price on cards, product page, cart and checkout', async () => {
  const product = await market.createProduct({
    name: 'Moonlight figs',
    price: 4,
    quantityAvailable: 20,
  });
  const { name } = product;
  const [visitor, onFarm, viewer, consumer] = await Promise.all([
    market.visit('/products'),
    market.visit(`/farmers/${product.farmer._id}`),
    market.open('consumer', `/products/${product._id}`),
    market.open('consumer2', `/products/${product._id}`),
  ]);
  const cards = [visitor, onFarm].map(({ page }) =>
    page.getByRole('article').filter({ hasText: name }),
  );
  for (const card of cards) await card.waitFor();
  await viewer.page.getByRole('spinbutton', { name: 'Quantity' }).waitFor();

  await consumer.page.getByRole('spinbutton', { name: 'Quantity' }).fill('5');
  await consumer.page.getByRole('button', { name: 'Add to Cart' }).click();
  await consumer.page.getByText(`Added ${name} to your cart`).waitFor();
  await consumer.page.getByRole('link', { name: 'Cart (1)' }).click();
  const checkout = consumer.page;
  await checkout.getByRole('heading', { name: 'Checkout', level: 1 }).waitFor();
  await checkout.getByLabel('Pickup date').fill(nextSaturday());
  await checkout.getByLabel('Pickup time').fill('10:30');
  const reloadChecks = await Promise.all([visitor, onFarm, viewer, consumer].map(expectNoReload));

  // The farmer lowers the stock.
  await market.callApi('farmer', 'PUT', `/products/${product._id}`, { quantityAvailable: 3 });
  for (const card of cards) await card.getByText('Only 3 lb left').waitFor();
  await viewer.page.getByText('Only 3 lb left').first().waitFor();
  await checkout.getByText(`Only 3 lb of ${name} left; your cart has 5 lb.`).first().waitFor();

  // Another consumer takes the rest.
  await market.placeOrder('consumer', product, 3);
  for (const card of cards) await card.getByText('sold out').waitFor();
  await viewer.page.getByText('sold out').first().waitFor();
  await checkout.getByText(`${name} is sold out.`).first().waitFor();
  await until('the cart button to be disabled', () =>
    viewer.page.getByRole('button', { name: 'Add to Cart' }).isDisabled(),
  );

  // Restocked at another price, which is shown before the order is sent.
  const change = { quantityAvailable: 50, price: 4.5 };
  await market.callApi('farmer', 'PUT', `/products/${product._id}`, change);
  await viewer.page.getByText('The price has just changed from ₨4.00 to ₨4.50.').waitFor();
  for (const card of cards) await card.getByText('₨4.50').waitFor();
  await checkout.getByText(`${name} costs ₨4.50 now instead of ₨4.00.`).first().waitFor();
  const before = await market.callApi<Order[]>('consumer2', 'GET', '/orders/consumer');
  await checkout.getByRole('button', { name: 'Place Order' }).click();
  await until('the price notice to be focused', () =>
    checkout.evaluate(() => document.activeElement?.textContent?.includes('Update my cart')),
  );
  expect(await market.callApi<Order[]>('consumer2', 'GET', '/orders/consumer')).toEqual(before);
  await checkout.getByRole('button', { name: 'Update my cart' }).click();
  await checkout.getByRole('button', { name: 'Place Order' }).click();
  await checkout.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  const [placed] = await market.callApi<Order[]>('consumer2', 'GET', '/orders/consumer');
  expect(placed).toMatchObject({ totalAmount: 22.5, status: 'pending' });

  for (const check of reloadChecks) await check();
});

it('shows new and removed products and categories to everybody', async () => {
  const [shopper, home, farmer, admin] = await Promise.all([
    market.visit('/products?filters=open'),
    market.visit('/'),
    market.open('farmer', '/farmer/products'),
    market.open('admin', '/admin/categories'),
  ]);
  await shopper.page
    .getByText(/products?$/)
    .first()
    .waitFor();
  await home.page.getByRole('heading', { level: 1 }).waitFor();
  const reloadChecks = await Promise.all([shopper, home, farmer, admin].map(expectNoReload));

  await admin.page.getByRole('button', { name: 'Add category' }).first().click();
  const dialog = admin.page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Sea vegetables');
  await dialog.getByRole('button', { name: 'Add category' }).click();
  await admin.page.getByText('Category created successfully!').waitFor();
  const option = shopper.page
    .getByLabel('Category')
    .locator('option', { hasText: 'Sea vegetables' });
  await option.waitFor({ state: 'attached' });
  await home.page.getByRole('link', { name: /Sea vegetables/ }).waitFor();

  const categories = await market.callApi<{ _id: string; name: string }[]>(
    'admin',
    'GET',
    '/categories',
  );
  const category = categories.find(({ name }) => name === 'Sea vegetables')?._id ?? '';
  const product = await market.createProduct({ name: 'Samphire', category });
  // New products wait for a click, so that the list does not move.
  await shopper.page.getByRole('button', { name: '1 new' }).click();
  const card = shopper.page.getByRole('article').filter({ hasText: 'Samphire' });
  await card.waitFor();
  await farmer.page.getByText('Samphire').first().waitFor();

  const viewer = await market.visit(`/products/${product._id}`);
  await viewer.page.getByText('Sea vegetables').first().waitFor();
  await market.callApi('admin', 'PUT', `/categories/${category}`, { name: 'Shore vegetables' });
  await viewer.page.getByText('Shore vegetables').first().waitFor();
  await home.page.getByRole('link', { name: /Shore vegetables/ }).waitFor();
  await market.callApi('admin', 'DELETE', `/categories/${category}`);
  await viewer.page.getByText('General').first().waitFor();
  await home.page.getByRole('link', { name: /Shore vegetables/ }).waitFor({ state: 'detached' });

  await farmer.page.getByRole('searchbox').fill('Samphire');
  await farmer.page
    .getByRole('button', { name: /Delete/ })
    .first()
    .click();
  await farmer.page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Delete/ })
    .click();
  await farmer.page.getByText('Product deleted successfully!').waitFor();
  await card.getByText('no longer on sale').waitFor();
  await viewer.page.getByText('This product is no longer on the market.').waitFor();

  for (const check of reloadChecks) await check();
});
