import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { dayFromNow, openMarket, REFUSED } from './open-market.ts';
import { injectAxe, sidewaysScroll, violations } from './page-list.ts';
import type { Session } from './people.ts';

const market = openMarket();
const DAY = dayFromNow(7);

/** Opens a farm with three products, and an accepted order of two of them. */
async function openOrder(name: string) {
  const [farmer, consumer] = await Promise.all([
    market.createFarm(name),
    market.register('consumer', 'Ann Asked'),
  ]);
  const [carrots, kale, chard] = await Promise.all(
    ['Carrots', 'Kale', 'Chard'].map((each) =>
      market.createProduct(farmer, { name: each, price: 2, quantityAvailable: 20 }),
    ),
  );
  if (!carrots || !kale || !chard) throw new Error('The products are missing.');
  const order = await place(consumer, [
    [carrots, 5],
    [kale, 2],
  ]);
  await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'accepted' } });
  return { farmer, consumer, carrots, kale, chard, order };
}

const place = async (as: Session, lines: [Product, number][]): Promise<Order> =>
  await market.ask<Order>('POST', '/orders', {
    as,
    body: {
      farmer: lines[0]?.[0].farmer._id,
      items: lines.map(([product, quantity]) => ({
        product: product._id,
        quantity,
        price: product.price,
      })),
      pickupDetails: { date: DAY, time: '10:30', location: '1 Mill Lane' },
    },
  });

/** The row of a product in the dialog of what a farm is short of. */
const rowOf = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('listitem').filter({ hasText: name }).first();

const accept = (page: Page) => page.getByRole('button', { name: 'Accept all' });

it('asks the customer on whatever page, who answers in two taps, which the farm sees at once', async () => {
  const { farmer, consumer, order } = await openOrder('Asking Farm');
  const [{ page: farm }, { page }] = await Promise.all([
    market.visit({ as: farmer, bypassCSP: true }),
    market.visit({ as: consumer, width: 360, height: 740, bypassCSP: true }),
  ]);
  await page.goto('/products');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await farm.goto(`/orders/${order._id}`);

  await farm.getByRole('button', { name: 'Short on something?' }).click();
  await rowOf(farm, 'Carrots').getByText('Less', { exact: true }).click();
  await rowOf(farm, 'Kale').getByText('Instead', { exact: true }).click();
  await farm.getByRole('list', { name: 'Instead of Kale' }).getByText('Chard').click();
  await injectAxe(farm);
  expect(await violations(farm)).toEqual([]);
  await farm.getByRole('button', { name: 'Ask Ann Asked' }).click();
  await farm.getByText("Waiting for Ann Asked's answer").first().waitFor();
  // It waits for the answer, and says so.
  await expect
    .poll(() =>
      farm
        .getByRole('button', { name: /^Complete order/ })
        .first()
        .isDisabled(),
    )
    .toBe(true);

  await page.getByRole('link', { name: 'Answer', exact: true }).click();
  await accept(page).waitFor();
  await page.getByText('4 lb of Carrots').filter({ visible: true }).first().waitFor();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
  // Survives a reload.
  await page.reload();
  await accept(page).click();
  await page
    .getByText(/^Change accepted/)
    .first()
    .waitFor();

  await farm.getByText('Ann Asked accepted the change.').waitFor();
  await farm.getByText('Instead of Kale').filter({ visible: true }).first().waitFor();
  await farm.getByText('₨12.00').filter({ visible: true }).first().waitFor();
  await expect
    .poll(() =>
      farm
        .getByRole('button', { name: /^Complete order/ })
        .first()
        .isDisabled(),
    )
    .toBe(false);
});

it('shows the customer under their finger that a change was replaced, and taken back', async () => {
  const { farmer, consumer, order } = await openOrder('Changing Farm');
  const propose = (newQuantity: number, expectedVersion?: number) =>
    market.call<{ data: Order }>('POST', `/orders/${order._id}/changes`, {
      as: farmer,
      body: {
        items: [{ lineId: order.items[0]?._id, action: 'reduce', newQuantity, reason: 'damaged' }],
        expectedVersion,
      },
    });
  const { data: first } = await propose(4);
  const { page } = await market.visit({ as: consumer, allowedErrors: REFUSED });
  await page.goto(`/orders/${order._id}`);
  await page.getByText('4 lb of Carrots').filter({ visible: true }).first().waitFor();
  const { data: second } = await propose(1, first.version);
  await page.getByText(/replaced its change with another one/).waitFor();
  await page.getByText('1 lb of Carrots').filter({ visible: true }).first().waitFor();
  await accept(page).waitFor();
  await market.call('DELETE', `/orders/${order._id}/changes/${second.openChange?._id}`, {
    as: farmer,
  });
  await page.getByText(/took the change back/).waitFor();
  await expect.poll(() => accept(page).count()).toBe(0);
});

it('shares a shortage among the orders of a day, after a preview', async () => {
  const { farmer, consumer, carrots } = await openOrder('Short Farm');
  const ben = await market.register('consumer', 'Ben Second');
  await place(ben, [[carrots, 3]]);
  const [{ page: farm }, { page }] = await Promise.all([
    market.visit({ as: farmer, width: 360, height: 740 }),
    market.visit({ as: consumer }),
  ]);
  await page.goto('/orders');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await farm.goto('/farmer/products');
  await farm.getByRole('button', { name: 'Short of Carrots' }).click();
  const dialog = farm.getByRole('dialog');
  await dialog.getByLabel('From').fill(DAY);
  await dialog.getByLabel(/^How much is there/).fill('4');
  await dialog.getByText('8 lb ordered, 4 lb shared').waitFor();
  await dialog.getByRole('button', { name: 'Share among 2 orders' }).click();
  await dialog.getByText('2 orders asked.').waitFor();
  await page.getByRole('link', { name: 'Answer', exact: true }).waitFor();
});

it('lets a customer change an order, which the farm sees, and add a cart to it', async () => {
  const { farmer, consumer, order, chard } = await openOrder('Bending Farm');
  const [{ page: farm }, { page }] = await Promise.all([
    market.visit({ as: farmer }),
    market.visit({ as: consumer, width: 360, height: 740, bypassCSP: true }),
  ]);
  await farm.goto(`/orders/${order._id}`);
  await farm.getByText('Kale').filter({ visible: true }).first().waitFor();
  await page.goto(`/orders/${order._id}`);
  await page.getByRole('button', { name: 'Change order' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change order' });
  await dialog.getByRole('button', { name: 'One more: Quantity of Carrots' }).click();
  await dialog.getByRole('button', { name: 'Remove Kale' }).click();
  await dialog.getByText('₨12.00').filter({ visible: true }).first().waitFor();
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  await farm.getByText(/^Order changed/).waitFor();
  await farm.getByText('6 lb').filter({ visible: true }).first().waitFor();

  await page.goto(`/products/${chard._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('link', { name: 'Cart (1)' }).first().click();
  await page.getByRole('button', { name: /^Add to your order of/ }).click();
  await page.waitForURL(`**/orders/${order._id}`);
  await farm.getByText('Chard').filter({ visible: true }).first().waitFor();
  await farm.getByText('₨14.00').filter({ visible: true }).first().waitFor();
});
