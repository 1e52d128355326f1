import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  fillCart,
  openPageFixture,
  type PageFixture,
  waitUntilLoaded,
  waitUntilStill,
} from '../page-list.ts';
import { holdRequests } from '../people.ts';

const market = openMarket();
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** Opens the market with the reader's colours in place of ours. */
async function open(who?: 'consumer' | 'farmer' | 'admin', width = 1280): Promise<Page> {
  const { page } = await market.visit({
    ...(who && { as: fixture.sessions[who] }),
    allowedErrors: REFUSED,
    reducedMotion: true,
    width,
  });
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  return page;
}

/** Returns the computed value of a system colour. */
const systemColor = (page: Page, name: string) =>
  page.evaluate((color) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = `forced-color-adjust: none; background: ${color}`;
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  }, name);

const styleOf = (locator: Locator, property: string): Promise<string> =>
  locator
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** Waits until the element has the colours of a selection, text included. */
async function expectSelected(page: Page, chosen: Locator): Promise<void> {
  await chosen.first().waitFor();
  await waitUntilStill(page);
  expect(await styleOf(chosen, 'background-color')).toBe(await systemColor(page, 'Highlight'));
  expect(await styleOf(chosen, 'color')).toBe(await systemColor(page, 'HighlightText'));
}

/** Checks that the element does not look chosen. */
async function expectNotSelected(page: Page, other: Locator): Promise<void> {
  expect(await styleOf(other, 'background-color')).not.toBe(await systemColor(page, 'Highlight'));
}

it('shows the current page in each navigation', async () => {
  const farmer = await open('farmer');
  await farmer.goto('/farmer/orders');
  await waitUntilLoaded(farmer);
  const rail = farmer.getByRole('navigation', { name: 'Farm' });
  await expectSelected(farmer, rail.getByRole('link', { name: 'Orders' }));
  await expectNotSelected(farmer, rail.getByRole('link', { name: 'Products' }));

  const visitor = await open();
  await visitor.goto('/products');
  const bar = visitor.getByRole('navigation', { name: 'Main' });
  await expectSelected(visitor, bar.getByRole('link', { name: 'Products' }));
  await expectNotSelected(visitor, bar.getByRole('link', { name: 'About' }));
});

it('shows the chosen filter, tab, radio button and picture', async () => {
  const page = await open('consumer');
  await page.goto('/orders');
  await waitUntilLoaded(page);
  await expectSelected(page, page.getByRole('button', { name: 'All', exact: true }));
  await expectNotSelected(page, page.getByRole('button', { name: 'Pending' }));

  await fillCart(page, fixture);
  await page.getByRole('link', { name: 'Cart (1)' }).click();
  const choice = (name: string) => page.locator('label').filter({ hasText: name });
  await expectSelected(page, choice('Pickup'));
  await expectNotSelected(page, choice('Delivery'));
  await choice('Delivery').click();
  await expectSelected(page, choice('Delivery'));

  const farmer = await open('farmer');
  await farmer.goto('/farmer/profile');
  await expectSelected(farmer, farmer.getByRole('tab', { name: 'Farm Profile' }));
  await expectNotSelected(farmer, farmer.getByRole('tab', { name: 'General Information' }));
});

it('draws a border around buttons that have a background alone', async () => {
  const page = await open('farmer');
  await page.goto('/farmer/dashboard');
  await waitUntilLoaded(page);
  const button = page.getByRole('link', { name: 'Manage orders' });
  expect(await styleOf(button, 'border-top-width')).toBe('1px');
  expect(await styleOf(button, 'border-top-style')).toBe('solid');
});

it('shows own messages by their border, and the other side by another', async () => {
  const page = await open('consumer');
  await page.goto(fixture.addressOf('/messages/:farmer'));
  await waitUntilLoaded(page);
  const bubbles = page.getByRole('log').locator('li > div > div:has(p)');
  const own = bubbles.filter({ hasText: 'You: ' });
  const others = bubbles.filter({ hasText: ' wrote: ' });
  expect(await styleOf(own, 'border-top-color')).toBe(await systemColor(page, 'Highlight'));
  expect(await styleOf(own, 'border-top-width')).toBe('2px');
  expect(await styleOf(others, 'border-top-width')).toBe('1px');
});

it('keeps the colours of charts and shows skeletons', async () => {
  const page = await open('farmer');
  // The skeleton stays for as long as the figures do not come.
  const release = await holdRequests(page, '**/api/orders/stats/farmer');
  await page.goto('/farmer/dashboard');
  // From here on it is the page's own skeleton, which stays.
  await page.getByRole('heading', { name: 'Farmer Dashboard' }).waitFor();
  const skeleton = page.locator('main .skeleton');
  await skeleton.first().waitFor();
  expect(await styleOf(skeleton, 'background-color')).toBe(await systemColor(page, 'GrayText'));
  release();
  await waitUntilLoaded(page);
  const parts = page.locator('[data-keeps-colours] > span');
  const colours = await parts.evaluateAll((all) =>
    all.map((part) => getComputedStyle(part).backgroundColor),
  );
  expect(colours.length).toBeGreaterThan(2);
  expect(new Set(colours).size).toBe(colours.length);
});
