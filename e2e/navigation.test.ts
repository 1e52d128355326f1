import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket } from './open-market.ts';
import { holdRequests } from './people.ts';

const market = openMarket({ hasWorker: false });

const scrolledTo = (page: Page) => page.evaluate(() => window.scrollY);
const untilScrolledTo = (page: Page, position: number) =>
  until(`the page at ${position}`, async () => Math.abs((await scrolledTo(page)) - position) < 2);
/** Waits for two frames: cards that came near are laid out in the first one after a scroll. */
const untilPainted = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
const cards = (page: Page) => page.locator('main a[href^="/products/"]');
/** Opens a page and waits until it is live: with its first connection it asks again for all it has, once. */
async function openLive(page: Page, address: string, asksFor: string): Promise<void> {
  await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === asksFor),
    page.goto(address),
  ]);
}
/** How far below the window's edge a card begins, in CSS pixels. */
const topOf = (page: Page, index: number) =>
  cards(page)
    .nth(index)
    .evaluate((card) => Math.round(card.getBoundingClientRect().top));

it('goes back and forward to where the reader was, and stays there on a reload', async () => {
  const { page } = await market.visit();
  await page.goto('/products');
  await cards(page).nth(20).waitFor();
  for (const position of [700, 1400]) {
    await page.evaluate((top) => window.scrollTo(0, top), position);
    await untilScrolledTo(page, position);
    await untilPainted(page);
  }
  const place = await topOf(page, 12);
  await page.evaluate(() =>
    document.querySelector<HTMLElement>('main a[href^="/products/"]')?.click(),
  );
  await page.getByRole('link', { name: 'Back to Products' }).waitFor();
  await untilScrolledTo(page, 0);
  await page.goBack();
  await cards(page).nth(20).waitFor();
  await untilScrolledTo(page, 1400);
  // From the cache: nothing stood in for the list meanwhile.
  await page.goForward();
  await page.getByRole('link', { name: 'Back to Products' }).waitFor();
  await untilScrolledTo(page, 0);
  await page.goBack();
  await untilScrolledTo(page, 1400);
  await until('the same cards', async () => (await topOf(page, 12)) === place);
  await page.reload();
  await cards(page).nth(20).waitFor();
  await untilScrolledTo(page, 1400);
  await until('the same cards', async () => (await topOf(page, 12)) === place);
  // A link begins at the top.
  await page.getByRole('banner').getByRole('link', { name: 'Farmers' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await untilScrolledTo(page, 0);
});

it('lays out the cards of a phone as one comes near them, and all where one is led back', async () => {
  const { page } = await market.visit({ width: 390, height: 844 });
  await page.goto('/products');
  // The last of the first page: near the end of the list a second one follows.
  const last = page.locator('main li:has(article)').nth(23);
  await last.waitFor({ state: 'attached' });
  const isLaidOut = () =>
    last
      .locator('article')
      .evaluate((card) => card.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut()).toBe(false);
  // Cards grow when they are laid out, so that scrolling once may not reach it.
  await until('the last card', async () => {
    await last.evaluate((card) => card.scrollIntoView());
    return isLaidOut();
  });
  await page.evaluate(() => window.scrollTo(0, 0));
  await until('the last card to be far away', async () => !(await isLaidOut()));
  await page.reload();
  await until('all cards to be laid out', isLaidOut);
  await untilPainted(page);
  expect(await scrolledTo(page)).toBe(0);
  expect(await isLaidOut()).toBe(true);
});

it('shows a product as its list knows it until its own answer is there', async () => {
  const { page } = await market.visit();
  await page.goto('/products');
  const name = (await page.locator('main h3').first().textContent()) ?? '';
  expect(name).not.toBe('');
  const answer = await holdRequests(page, /\/api\/products\/[0-9a-f-]{36}$/);
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  answer();
  await page.unrouteAll({ behavior: 'wait' });
});

it('shows a farm as its list knows it until its own answer is there, and instead of it while that fails', async () => {
  const { page } = await market.visit({ allowedErrors: /503/ });
  await openLive(page, '/farmers', '/api/users/farmers');
  const name = (await page.locator('main h3').first().textContent()) ?? '';
  expect(name).not.toBe('');
  let answer = () => {};
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/api\/users\/farmers\/[0-9a-f-]{36}$/, async (route) => {
    await gate;
    await route.fulfill({ status: 503, body: '{}' });
  });
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('heading', { name: 'Products' }).waitFor();
  const contact = page.locator('#main').getByRole('heading', { name: 'Contact' });
  expect(await contact.count()).toBe(0);
  answer();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.getByRole('heading', { level: 1, name }).count()).toBe(1);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await contact.waitFor();
});

it('fetches a page on intent, and nothing for a tab that nobody uses', async () => {
  const { page } = await market.visit();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await openLive(page, '/', '/api/products');
  const link = page.locator('main a[href^="/products/"]').first();
  await link.waitFor();
  // What waits for an idle moment runs in the order of waiting.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestIdleCallback(() => requestIdleCallback(() => resolve())),
      ),
  );
  expect(requested.filter((path) => /ProductPage|ProductsPage|FarmerPage/.test(path))).toEqual([]);

  const path = (await link.getAttribute('href')) ?? '';
  await link.hover();
  await until('the data of the hovered page', async () => requested.includes(`/api${path}`));
  await until('the page that may follow', async () =>
    requested.some((file) => /\/ProductsPage-/.test(file)),
  );
  const before = requested.filter((each) => each === `/api${path}`).length;
  await link.click();
  await page.getByRole('link', { name: 'Back to Products' }).waitFor();
  expect(requested.filter((each) => each === `/api${path}`)).toHaveLength(before);
});

it.each([
  { reducedMotion: false, fades: 1 },
  { reducedMotion: true, fades: 0 },
])(
  'fades between loaded pages, unless motion is reduced ($reducedMotion)',
  async ({ reducedMotion, fades }) => {
    const { page } = await market.visit({ reducedMotion });
    await page.addInitScript(() => {
      const counted = Object.assign(window, { fades: 0 });
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        counted.fades++;
        return start(update);
      };
    });
    await page.goto('/');
    const about = page.getByRole('banner').getByRole('link', { name: 'About' });
    const farmers = page.getByRole('banner').getByRole('link', { name: 'Farmers' });
    // The file of a page is there after it was shown once.
    await about.click();
    await page.waitForURL('**/about');
    await page.getByRole('heading', { name: 'About Farmgate', level: 1 }).waitFor();
    await farmers.click();
    await page.waitForURL('**/farmers');
    await page.getByRole('heading', { name: 'Our Farmers', level: 1 }).waitFor();
    await page.evaluate(() => Object.assign(window, { fades: 0 }));
    await about.click();
    await page.waitForURL('**/about');
    // A click while the pages fade reaches the new page.
    await farmers.click();
    await page.waitForURL('**/farmers');
    const counted = await page.evaluate(() => (window as unknown as { fades: number }).fades);
    expect(counted).toBe(2 * fades);
  },
);
