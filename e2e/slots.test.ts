import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { WEEKDAYS } from '#contract/farm/farmers/constants';
import type { Place } from '#contract/farm/places/places';
import type { FarmSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays } from '#contract/platform/time/constants';
import { until } from '../testing/until.ts';
import { tabTo } from './keys.ts';
import { badge } from './live/helpers.ts';
import { dayFromNow, openMarket, REFUSED } from './open-market.ts';
import { injectAxe, sidewaysScroll, violations, waitUntilLoaded } from './page-list.ts';
import type { Session } from './people.ts';

// Pickup places and their slots, on the screens of consumers and of their farm; no page is reloaded.

const market = openMarket();

/** A farm with a product and a place that is open each morning for three slots of an hour. */
async function openFarm(farmName: string, capacity: number | null) {
  const farmer = await market.createFarm(farmName);
  const product = await market.createProduct(farmer, { name: `Leeks of ${farmName}` });
  const body = {
    name: 'Market square',
    address: { street: '1 Main St', city: 'Putney', state: 'VT', zipCode: '05346' },
    directions: 'Beside the fountain.',
    hours: WEEKDAYS.map((weekday) => ({
      weekday,
      from: '09:00',
      to: '12:00',
      slotMinutes: 60,
      capacity,
    })),
  };
  await market.call<{ data: Place }>('POST', '/farm/places', { as: farmer, body });
  const day = dayFromNow(3);
  const slots = await market.ask<FarmSlot[]>(
    'GET',
    `/farm/slots?from=${day}&to=${addDays(day, 1)}`,
    { as: farmer },
  );
  return { farmer, product, day, slots };
}

const orderIn = async (as: Session, product: Product, slot: FarmSlot | undefined) => {
  const body = {
    farmer: product.farmer._id,
    items: [{ product: product._id, quantity: 1, price: product.price }],
    pickupDetails: { slotId: slot?._id },
  };
  return await market.ask<Order>('POST', '/orders', { as, body });
};

/** Opens the checkout with the product in the cart, and chooses the day. */
async function toCheckout(page: Page, product: Product, day: string): Promise<void> {
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await page.getByRole('link', { name: 'Cart (1)' }).first().click();
  const label = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });
  const weekday = label.format(new Date(`${day}T00:00:00Z`));
  const days = page.getByRole('group', { name: 'Pickup day' });
  await days.getByText(weekday, { exact: true }).first().click();
}

const timeAt = (page: Page, from: string): Locator =>
  page
    .getByRole('group', { name: 'Pickup time' })
    .getByRole('radio', { name: new RegExp(`^${from}`) });

/** Chooses the time that begins then, by its card: the radio button itself is hidden. */
const choose = (page: Page, from: string): Promise<void> =>
  page
    .getByRole('group', { name: 'Pickup time' })
    .getByText(new RegExp(`^${from}`))
    .click();

const tileOf = (page: Page, slot: FarmSlot | undefined): Locator =>
  page.locator(`[data-slot="${slot?._id}"]`);

it('sells the last place of a slot once, on both screens and on that of the farm', async () => {
  const { farmer, product, day, slots } = await openFarm('Last Place Farm', 1);
  const [ann, ben] = await Promise.all([
    market.register('consumer', 'Ann First'),
    market.register('consumer', 'Ben Second'),
  ]);
  const [atFarm, atAnn, atBen] = await Promise.all([
    market.visit({ as: farmer }),
    market.visit({ as: ann }),
    market.visit({ as: ben, width: 360, height: 740, dark: true }),
  ]);
  const grid = atFarm.page;
  await grid.goto(`/farmer/slots?day=${day}`);
  await tileOf(grid, slots[1]).getByText('0 / 1').waitFor();
  for (const { page } of [atAnn, atBen]) {
    await toCheckout(page, product, day);
    await choose(page, '10:00');
    await page.getByText('1 left').first().waitFor();
  }
  const position = await timeAt(atBen.page, '10:00').boundingBox();

  await atAnn.page.getByRole('button', { name: 'Place Order' }).click();
  await atAnn.page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await atAnn.page.getByText('Market square, 1 Main St').first().waitFor();
  await tileOf(grid, slots[1]).getByText('1 / 1').waitFor();

  // Greyed in its place, announced, and two others offered.
  await atBen.page
    .getByText(/is full by now/)
    .first()
    .waitFor();
  await expect.poll(() => timeAt(atBen.page, '10:00').getAttribute('aria-disabled')).toBe('true');
  await expect.poll(() => timeAt(atBen.page, '10:00').boundingBox()).toEqual(position);
  await until('the announcement', async () =>
    (await atBen.page.locator('[aria-live="polite"]').allTextContents()).some((text) =>
      text.includes('is full by now'),
    ),
  );
  expect(await sidewaysScroll(atBen.page)).toBe(0);
  const offers = atBen.page.getByRole('button', { name: /\d+:00(\s[ap]m)?–\d+:00\s[ap]m$/ });
  await expect.poll(() => offers.count()).toBe(2);
  await offers.first().click();
  await atBen.page.getByRole('button', { name: 'Place Order' }).click();
  await atBen.page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await tileOf(grid, slots[0]).getByText('1 / 1').waitFor();

  // What is given back is free again.
  await atAnn.page.getByRole('button', { name: /^Cancel order/ }).click();
  const question = atAnn.page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Cancel order' }).click();
  await tileOf(grid, slots[1]).getByText('0 / 1').waitFor();
});

it('moves all orders of a slot with a reason, which its customer reads, and the farm sees so', async () => {
  const { farmer, product, day, slots } = await openFarm('Moving Farm', null);
  const consumer = await market.register('consumer', 'Mia Mover');
  const order = await orderIn(consumer, product, slots[0]);
  const [{ page: farm }, atConsumer] = await Promise.all([
    market.visit({ as: farmer, width: 360, height: 740 }),
    market.visit({ as: consumer }),
  ]);
  const { page } = atConsumer;
  await page.goto('/products');
  // What happened before the page was live is no news.
  await badge(atConsumer, 'Live').waitFor();
  await farm.goto(`/farmer/slots?day=${day}`);
  await tileOf(farm, slots[0]).getByRole('button', { name: /taken/ }).click();
  await farm.getByRole('button', { name: 'Move all' }).click();
  const dialog = farm.getByRole('dialog', { name: 'Move 1 order' });
  await choose(farm, '11:00');
  await dialog.getByLabel('Reason').fill('The bridge is closed until ten.');
  await Promise.all([
    // Waited for from the start, since it goes away by itself.
    page.getByText(/Moving Farm moved your order: pickup/).waitFor(),
    dialog.getByRole('button', { name: 'Move 1 order' }).click(),
  ]);
  await farm.getByText('Moved; not seen by the customer yet').waitFor();
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByText(/^Your pickup was moved from .+ to /).waitFor();
  await page.goto(`/orders/${order._id}`);
  await page.getByText(/Moving Farm moved your pickup/).waitFor();
  await page.getByText('The bridge is closed until ten.').first().waitFor();
  await page.getByText(/^11:00\sam–12:00\spm$/).waitFor();
  await farm.getByText('Moved; the customer has seen it').waitFor();

  // The consumer takes another time, which the farm sees at once.
  await page.getByRole('button', { name: 'Change the time' }).click();
  await choose(page, '10:00');
  await page.getByRole('button', { name: 'Save the time' }).click();
  await page.getByText(/^10:00–11:00\sam$/).waitFor();
  await farm.getByText('Nobody comes at this time yet.').waitFor();
});

it('sets up a place by keyboard, which another device shows at once', async () => {
  const farmer = await market.createFarm('Keys Farm');
  const [{ page }, { page: other }] = await Promise.all([
    market.visit({ as: farmer }),
    market.visit({ as: farmer }),
  ]);
  for (const each of [page, other]) {
    await each.goto('/farmer/settings?section=places');
    await each.getByText('No pickup places yet').waitFor();
  }
  const enter = async (target: Locator, key = 'Enter') => {
    await tabTo(target);
    await page.keyboard.press(key);
  };
  const type = async (label: RegExp, text: string) => {
    await tabTo(page.getByLabel(label).first());
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
  };
  await enter(page.getByRole('button', { name: 'Add a place' }));
  await type(/^Name/, 'Farm gate');
  await type(/^Street/, '40 Mill Lane');
  await type(/^City/, 'Putney');
  await enter(page.getByRole('checkbox', { name: 'Saturday' }), 'Space');
  await type(/^Orders per slot/, '5');
  await page.getByText('6 slots, 30 orders in all').waitFor();
  await enter(page.getByRole('button', { name: 'Save place' }));
  await other.getByRole('heading', { name: 'Farm gate' }).waitFor();
  await other.getByText('Sat 9 am–12 pm').waitFor();

  // Closed and opened by keys; the other device follows.
  const saturday = nextSaturday();
  await page.goto(`/farmer/slots?day=${saturday}`);
  await other.goto(`/farmer/slots?day=${saturday}`);
  const close = page.getByRole('button', { name: /^Close 9:00/ });
  await enter(close, 'Space');
  await other.getByRole('button', { name: /^Open 9:00/ }).waitFor();
  // Live before its answer, until which a second press is ignored.
  await enter(page.getByRole('button', { name: /^Open 9:00/, disabled: false }), 'Space');
  await other.getByRole('button', { name: /^Close 9:00/ }).waitFor();
});

/** Returns the Saturday after the coming week, on which nothing has begun. */
function nextSaturday(): string {
  let day = dayFromNow(3);
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 6) day = addDays(day, 1);
  return day;
}

it('has no faults that axe finds, and fits a phone', async () => {
  const { farmer, product, day, slots } = await openFarm('Clean Farm', 1);
  const consumer = await market.register('consumer', 'Cleo Clean');
  await orderIn(consumer, product, slots[0]);
  const found: string[] = [];
  for (const [width, dark] of [
    [1280, false],
    [360, true],
  ] as const) {
    const options = { width, height: 800, dark, bypassCSP: true, allowedErrors: REFUSED };
    const { page: farm } = await market.visit({ as: farmer, ...options });
    const check = async (page: Page, name: string) => {
      await waitUntilLoaded(page);
      await injectAxe(page);
      for (const fault of await violations(page)) found.push(`${name} at ${width}: ${fault}`);
      const px = await sidewaysScroll(page);
      if (px > 0) found.push(`${name} at ${width} is ${px} px too wide`);
    };
    await farm.goto(`/farmer/slots?day=${day}`);
    await tileOf(farm, slots[0]).waitFor();
    await check(farm, 'the week');
    await tileOf(farm, slots[0]).getByRole('button', { name: /taken/ }).click();
    await farm.getByRole('link', { name: /^Cleo Clean/ }).waitFor();
    await check(farm, 'a slot');
    await farm.getByRole('button', { name: 'Move all' }).click();
    await farm.getByRole('group', { name: 'Pickup time' }).waitFor();
    await check(farm, 'the move');
    await farm.goto('/farmer/settings?section=places');
    await farm.getByRole('button', { name: 'Edit Market square' }).click();
    await farm.getByRole('form', { name: 'Edit Market square' }).waitFor();
    await check(farm, 'a place');
    const { page } = await market.visit({ as: consumer, ...options });
    await toCheckout(page, product, day);
    await timeAt(page, '9:00').waitFor();
    await check(page, 'the checkout');
  }
  expect(found).toEqual([]);
});
