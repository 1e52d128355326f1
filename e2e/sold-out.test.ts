import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, toastOf } from './open-market.ts';
import { PASSWORD } from './people.ts';

const market = openMarket();

it('offers what is alike and in stock in place of what is sold out', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Quince Farm'),
    market.register('consumer', 'Quentin Customer'),
  ]);
  const other = await market.createFarm('Other Quince Farm');
  const categories = await market.ask<{ _id: string }[]>('GET', '/categories');
  // A category of its own, so that only the kind finds these.
  const far = categories.at(-1)?._id ?? '';
  const wanted = await market.createProduct(farmer, {
    name: 'Golden Quinces',
    quantityAvailable: 1,
  });
  const same = await market.createProduct(farmer, { name: 'Quince', category: far });
  await market.createProduct(other, { name: 'Ripe Quinces', category: far });
  await market.createProduct(other, {
    name: 'Last Quinces',
    quantityAvailable: 5,
    isActive: false,
  });

  const buyer = await market.visit({ as: consumer });
  const { page } = buyer;
  await page.goto(`/products/${wanted._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor();
  const similar = page.getByRole('region', { name: 'Similar and in stock' });
  expect(await similar.count()).toBe(0);

  // It sells out while the page is open.
  await market.placeOrder(await market.register('consumer', 'Quick Customer'), wanted);
  const cards = similar.getByRole('article');
  await cards.first().waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Add to Cart', exact: true }).isDisabled())
    .toBe(true);
  const names = () => cards.getByRole('heading').allTextContents();
  await until('its kind first, the own farm first', async () => {
    const [first, second] = await names();
    return first === 'Quince' && second === 'Ripe Quinces';
  });
  expect(await names()).not.toContain('Golden Quinces');
  expect(await names()).not.toContain('Last Quinces');

  // What sells out among them keeps its place, and the others can be had from here.
  await market.call('PUT', `/products/${same._id}`, { as: farmer, body: { quantityAvailable: 0 } });
  await cards.first().getByText('no longer in stock').waitFor();
  await cards
    .nth(1)
    .getByRole('button', { name: /to cart/ })
    .click();
  await toastOf(buyer, 'Added Ripe Quinces to your cart').waitFor();

  // A farmer cannot order, and sees none of it.
  const grower = await market.visit({ as: farmer });
  await grower.page.goto(`/products/${wanted._id}`);
  await grower.page.getByRole('heading', { name: 'Golden Quinces', level: 1 }).waitFor();
  await grower.page.getByText('Similar and in stock').waitFor({ state: 'hidden' });
});

it('notifies a customer who asked that it is back, on any page and once', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Medlar Farm'),
    market.register('consumer', 'Mia Customer'),
  ]);
  const wanted = await market.createProduct(farmer, { name: 'Medlars', quantityAvailable: 1 });
  const stock = (quantityAvailable: number) =>
    market.call('PUT', `/products/${wanted._id}`, { as: farmer, body: { quantityAvailable } });
  await stock(0);
  // As a visitor: what was asked for survives the sign-in.
  const { page } = await market.visit({ width: 360 });
  await page.goto(`/products/${wanted._id}`);
  await page.getByRole('link', { name: "Tell me when it's back" }).click();
  await page.getByLabel('Email').fill(consumer.user.email);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**/products/${wanted._id}`);
  const button = page.getByRole('button', { name: "Tell me when it's back", pressed: true });
  await button.waitFor();

  // Another device knows of it, and of its end.
  const other = await market.visit({ as: consumer });
  await other.page.goto(`/products/${wanted._id}`);
  await other.page.getByText("We'll send you one message.").waitFor();

  await page.goto('/about');
  await page.getByRole('button', { name: /^Notifications/ }).waitFor();
  await stock(4);
  // The page that shows it counts as the notification.
  await other.page.getByRole('button', { name: "Tell me when it's back" }).waitFor({
    state: 'hidden',
  });
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByText('Medlars is back in stock').click();
  await page.waitForURL(`**/products/${wanted._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await stock(0);
  await page.getByRole('button', { name: "Tell me when it's back", pressed: false }).waitFor();
});
