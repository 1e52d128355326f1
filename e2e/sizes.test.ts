import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { dayFromNow, openMarket, toastOf } from './open-market.ts';
import { injectAxe, sidewaysScroll, violations } from './page-list.ts';
import { ACCOUNTS, type Person, type Session, signIn } from './people.ts';

// What is sold in several sizes from one stock: chosen, ordered, changed and ordered again.

const market = openMarket({ hasWorker: false });

const SIZES = [
  { label: '1 kg bag', content: 1, price: 1.2 },
  { label: '2 kg bag', content: 2, price: 2.2 },
  { label: '5 kg sack', content: 5, price: 5 },
];

/** Creates potatoes of a farm of their own: 9 kg in bags of 1 and 2 kg and sacks of 5 kg. */
async function sellPotatoes(farmName: string) {
  const farmer = await market.createFarm(farmName);
  const product = await market.createProduct(farmer, {
    ...{ name: 'Potatoes', unit: 'kg', price: undefined, quantityAvailable: 9 },
    sizes: SIZES.map((size) => ({ ...size, isActive: true })),
  });
  return { farmer, product };
}

/** Turns sizes off, of a product as it is now; all others are on. */
async function turnOff(farmer: Session, { _id }: Product, ...off: string[]): Promise<void> {
  const { sizes = [] } = await market.ask<Product>('GET', `/products/${_id}`, { as: farmer });
  await market.call('PUT', `/products/${_id}`, {
    as: farmer,
    body: { sizes: sizes.map((size) => ({ ...size, isActive: !off.includes(size.label) })) },
  });
}

const size = ({ page }: Person, label: string) =>
  page.getByRole('group', { name: 'Size' }).getByRole('radio', { name: label });

async function expectAccessible({ page }: Person): Promise<void> {
  expect(await sidewaysScroll(page)).toBe(0);
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
}

it.each([360, 1280])(
  'orders two sizes of one stock, changes them and orders them again, at %i px',
  async (width) => {
    const { farmer, product } = await sellPotatoes(`Size Farm ${width}`);
    const consumer = await market.register('consumer', 'Sila Sizes');
    const buyer = await market.visit({ as: consumer, width, height: 780, bypassCSP: true });
    const { page } = buyer;

    // The first that is there is chosen, and the arrow keys choose another.
    await page.goto(`/products/${product._id}`);
    await expect.poll(() => size(buyer, '1 kg bag').isChecked()).toBe(true);
    await page.getByText('4 left').waitFor();
    await page.getByText('₨1.00 per kg').waitFor();
    await expectAccessible(buyer);
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await toastOf(buyer, 'Added Potatoes (1 kg bag) to your cart').waitFor();
    await size(buyer, '1 kg bag').press('ArrowDown');
    await size(buyer, '2 kg bag').press('ArrowDown');
    await expect.poll(() => size(buyer, '5 kg sack').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await toastOf(buyer, 'Added Potatoes (5 kg sack) to your cart').waitFor();

    // Each has what the other leaves of 9 kg.
    await page.goto('/checkout');
    const bags = page.getByRole('spinbutton', { name: 'Quantity of Potatoes (1 kg bag)' });
    await expect.poll(() => bags.getAttribute('aria-valuemax')).toBe('4');
    await bags.fill('3');
    await page.getByText('₨8.60').first().waitFor();
    await expectAccessible(buyer);
    await page.getByLabel('Pickup date').fill(dayFromNow(7));
    await page.getByLabel('Pickup time').fill('10:30');
    await page.getByRole('button', { name: 'Place Order' }).click();
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
    const orderId = page.url().split('/').at(-1) ?? '';
    const shown = (text: string | RegExp) =>
      page.getByText(text).filter({ visible: true }).first().waitFor();
    await shown('Potatoes (1 kg bag)');
    await shown('Potatoes (5 kg sack)');
    await shown('₨8.60');
    await expectAccessible(buyer);

    // One bag less makes room for a bag of 2 kg.
    await page.getByRole('button', { name: 'Change order' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change order' });
    await dialog.getByRole('button', { name: 'One less: Quantity of Potatoes (1 kg bag)' }).click();
    await dialog.getByRole('button', { name: /^Add from/ }).click();
    await dialog.getByRole('button', { name: /^Potatoes/ }).click();
    const others = dialog.getByRole('list', { name: 'Sizes of Potatoes' });
    await expect.poll(() => others.getByRole('listitem').count()).toBe(1);
    await expectAccessible(buyer);
    await dialog.getByRole('button', { name: 'Add nothing' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await shown('₨7.40');
    const order = await market.ask<Order>('GET', `/orders/${orderId}`, { as: consumer });
    expect(order.items.map(({ quantity, size: of }) => [quantity, of?.label])).toEqual([
      [2, '1 kg bag'],
      [1, '5 kg sack'],
    ]);
    const { quantityAvailable } = await market.ask<Product>('GET', `/products/${product._id}`);
    expect(quantityAvailable).toBe(2);

    // Again: a sack that is no longer sold is asked for in another size.
    await market.call('PUT', `/products/${product._id}`, {
      as: farmer,
      body: { quantityAvailable: 20 },
    });
    await turnOff(farmer, product, '5 kg sack');
    await page.getByRole('button', { name: /^Order again/ }).click();
    await page.waitForURL('**/checkout');
    await page
      .getByText(/^Potatoes \(5 kg sack\) is no longer sold in this size\./)
      .first()
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Update my cart' }).count()).toBe(0);
    await expectAccessible(buyer);
    await page.getByRole('list', { name: 'Sizes of Potatoes' }).getByRole('button').nth(1).click();
    await page.getByText('Some things in your cart have changed').waitFor({ state: 'detached' });
    // Two of 2 kg come nearest to 5 kg from below; a half is rounded up.
    const second = page.getByRole('spinbutton', { name: 'Quantity of Potatoes (2 kg bag)' });
    await expect.poll(() => second.inputValue()).toBe('3');
  },
);

it('says live what the farm does to the sizes of a cart and of an open page', async () => {
  const { farmer, product } = await sellPotatoes('Live Sizes');
  const consumer = await market.register('consumer', 'Lina Live');
  const buyer = await market.visit({ as: consumer, width: 412, height: 800 });
  const { page } = buyer;
  await page.goto(`/products/${product._id}`);
  await size(buyer, '5 kg sack').check();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(buyer, 'Added Potatoes (5 kg sack) to your cart').waitFor();

  // Less of the stock is less of each size; what is sold out stays in its place.
  const stock = (quantityAvailable: number) =>
    market.call('PUT', `/products/${product._id}`, { as: farmer, body: { quantityAvailable } });
  await stock(4);
  await page.getByText('2 left').waitFor();
  await page.getByRole('group', { name: 'Size' }).getByText('Sold out').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Add to Cart' }).isDisabled())
    .toBe(true);
  await size(buyer, '2 kg bag').check();
  await expect
    .poll(() => page.getByRole('button', { name: 'Add to Cart' }).isDisabled())
    .toBe(false);

  await page.getByRole('link', { name: 'Cart (1)' }).first().click();
  await page.getByText('Potatoes (5 kg sack) is sold out.').first().waitFor();
  await stock(9);
  await page.getByText('Potatoes (5 kg sack) is sold out.').first().waitFor({ state: 'detached' });
  await turnOff(farmer, product, '5 kg sack');
  const offered = page.getByRole('list', { name: 'Sizes of Potatoes' });
  await offered.waitFor();
  // What it cost in that size is not part of the total.
  await page.getByText('Without what still needs a size.').waitFor();
  await page.getByRole('definition').filter({ hasText: '₨0.00' }).waitFor();
  await page.getByRole('button', { name: 'Place Order' }).click();
  expect(new URL(page.url()).pathname).toBe('/checkout');
  await offered.getByRole('button', { name: /^1 kg bag/ }).click();
  const quantity = page.getByRole('spinbutton', { name: 'Quantity of Potatoes (1 kg bag)' });
  await expect.poll(() => quantity.inputValue()).toBe('5');

  // A size that contains less is another offer.
  const { sizes = [] } = await market.ask<Product>('GET', `/products/${product._id}`);
  await market.call('PUT', `/products/${product._id}`, {
    as: farmer,
    body: {
      sizes: sizes.map((each) =>
        each.label === '1 kg bag' ? { ...each, content: 0.9, price: 1.1 } : each,
      ),
    },
  });
  await page
    .getByText(
      'Potatoes (1 kg bag) contains 0.9 kg now instead of 1 kg. Potatoes (1 kg bag) costs ₨1.10 now instead of ₨1.20.',
    )
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Update my cart' }).click();
  await page.getByText('₨5.50').first().waitFor();
});

it('asks for a size of what was put into the cart before there were any', async () => {
  const farmer = await market.createFarm('Before Sizes');
  const product = await market.createProduct(farmer, {
    ...{ name: 'Carrots', unit: 'kg', price: 2, quantityAvailable: 20 },
  });
  const consumer = await market.register('consumer', 'Bea Before');
  const { page } = await market.visit({ as: consumer, width: 360, height: 780, bypassCSP: true });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('spinbutton', { name: 'Quantity' }).fill('4');
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).first().click();
  await page.getByRole('spinbutton', { name: 'Quantity of Carrots' }).waitFor();
  const sizes = SIZES.map((each) => ({ ...each, isActive: true }));
  await market.call('PUT', `/products/${product._id}`, { as: farmer, body: { sizes } });
  await page.getByText('Carrots is sold in sizes. Choose one.').first().waitFor();
  await page.getByRole('button', { name: /^2 kg bag/ }).click();
  const quantity = page.getByRole('spinbutton', { name: 'Quantity of Carrots (2 kg bag)' });
  await expect.poll(() => quantity.inputValue()).toBe('2');
  await page.getByText('₨4.40').first().waitFor();
});

it('reads from the right, with words of a farm and no figure of what is always there', async () => {
  const as = await signIn(market.url, ACCOUNTS.admin);
  await market.call('PUT', '/market', { as, body: { languages: ['en', 'ur'] } });
  const { product } = await sellPotatoes('Right Farm');
  const farmer = await market.createFarm('Jam Farm');
  const jam = await market.createProduct(farmer, {
    ...{ name: 'Jam', unit: 'each', price: 500, quantityAvailable: undefined },
    ...{ unitLabel: { one: 'jar', other: 'jars' }, net: { amount: 340, unit: 'g' } },
    ...{ availability: 'always', maxPerOrder: 3 },
  });
  const reader = await market.visit({ width: 360, height: 780, bypassCSP: true });
  const { page, context } = reader;
  await context.addCookies([{ name: 'language', value: 'ur', url: market.url }]);
  await page.goto(`/products/${product._id}`);
  await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
  await page.getByRole('radio', { name: '5 kg sack' }).check();
  await expectAccessible(reader);
  // The price stands at the end of its row, on the left.
  const row = page.locator('label').filter({ hasText: '5 kg sack' });
  const [label, price] = await Promise.all([
    row.getByText('5 kg sack').boundingBox(),
    row.locator('bdi').filter({ hasText: '5.00' }).boundingBox(),
  ]);
  expect(price?.x).toBeLessThan(label?.x ?? 0);
  await page.goto(`/products/${jam._id}`);
  await page.getByText('jar').first().waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/1,?000,?000/);
  await expectAccessible(reader);
});
