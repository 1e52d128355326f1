import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, toastOf } from './open-market.ts';
import { PASSWORD } from './people.ts';

// Who waits is told at once, instead of after two minutes.
const market = openMarket({ env: { STOCK_WAVE_AFTER_SECONDS: '0' } });

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

it('keeps favorites on the home page, what is in stock first, and tells of a return', async () => {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Damson Farm'),
    market.register('consumer', 'Dora Customer'),
  ]);
  const [damsons, sloes] = await Promise.all(
    ['Damsons', 'Sloes'].map((name) =>
      market.createProduct(farmer, { name, quantityAvailable: 3 }),
    ),
  );
  const stock = (quantityAvailable: number) =>
    market.call('PUT', `/products/${damsons?._id}`, { as: farmer, body: { quantityAvailable } });
  // As a visitor: what was pressed survives the sign-in.
  const { page } = await market.visit({ width: 360 });
  await page.goto(`/products/${damsons?._id}`);
  await page.getByRole('link', { name: 'Favorite' }).click();
  await page.getByLabel('Email').fill(consumer.user.email);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**/products/${damsons?._id}`);
  await page.getByRole('button', { name: 'Favorite', pressed: true }).waitFor();
  await page.goto(`/products/${sloes?._id}`);
  await page.getByRole('button', { name: 'Favorite' }).click();
  await page.getByText("We'll tell you when it's back after it was sold out.").waitFor();
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();

  await page.goto('/');
  const favorites = page.getByRole('region', { name: 'Your favorites' });
  await favorites.getByRole('link', { name: 'Damson Farm' }).waitFor();
  const order = async () =>
    (await favorites.getByRole('article').getByRole('heading').allTextContents()).join();
  expect(await order()).toBe('Sloes,Damsons');
  await market.call('PUT', `/products/${sloes?._id}`, {
    as: farmer,
    body: { quantityAvailable: 0 },
  });
  await until('what is in stock first', async () => (await order()) === 'Damsons,Sloes');
  await stock(0);
  await favorites
    .getByRole('article')
    .filter({ hasText: 'Damsons' })
    .getByText('Sold out')
    .waitFor();
  await stock(12);
  await page.getByRole('button', { name: /^Notifications.*1/ }).waitFor();
  await until('it in stock', async () => {
    const sold = favorites
      .getByRole('article')
      .filter({ hasText: 'Damsons' })
      .getByText('Sold out');
    return (await sold.count()) === 0 && (await order()) === 'Damsons,Sloes';
  });

  await favorites.getByRole('link', { name: 'All favorites' }).click();
  await page.getByRole('heading', { name: 'Your favorites', level: 1 }).waitFor();
  await page.getByRole('region', { name: 'In stock now' }).getByText('Damsons').waitFor();
  await page.getByRole('button', { name: 'Unfollow Damson Farm' }).click();
  await page.getByRole('region', { name: 'Farms' }).waitFor({ state: 'detached' });
  for (const name of ['Damsons', 'Sloes']) {
    await page.getByRole('button', { name: `Unfollow ${name}` }).click();
    await page.getByText(name).waitFor({ state: 'detached' });
  }
  await page.getByRole('heading', { name: 'No favorites yet' }).waitFor();
});
