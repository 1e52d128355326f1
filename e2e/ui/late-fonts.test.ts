import type { CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  openPageFixture,
  type PageFixture,
  pages,
  waitUntilLoaded,
  waitUntilStill,
} from '../page-list.ts';
import { holdRequests } from '../people.ts';
import { type Shift, watchShifts } from './shifts.ts';

const market = openMarket({ hasWorker: false });
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** The most that a page may move when its fonts come after everything else. */
const MAX_SHIFT = 0.01;

const WIDTHS = [320, 344, 360, 375, 390, 412, 430, 600, 768, 1024, 1280, 1920];

/** Every public page, without those of what is not there. */
const PATHS = pages.visitor.map(([path]) => path).filter((path) => !/nothing|nobody/.test(path));

/** Returns whether the heading of the page can be read: a box without letters has one colour. */
async function hasHeading(page: Page, devtools: CDPSession): Promise<boolean> {
  const box = await page.locator('main h1').first().boundingBox();
  // Playwright's own pictures wait for fonts.
  const { data } = await devtools.send('Page.captureScreenshot', {
    ...(box && { clip: { ...box, scale: 1 } }),
  });
  const { channels } = await sharp(Buffer.from(data, 'base64')).stats();
  return channels.some(({ stdev }) => stdev > 5);
}

it.each(WIDTHS)('shows text and moves nothing when fonts are late, %i px wide', async (width) => {
  const { page } = await market.visit({ width, height: 800, allowedErrors: REFUSED });
  await watchShifts(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const wrong: string[] = [];
  for (const path of PATHS) {
    const release = await holdRequests(page, '**/*.woff2');
    await page.goto(fixture.addressOf(path), { waitUntil: 'commit' });
    await waitUntilLoaded(page);
    if (path === '/' && !(await hasHeading(page, devtools))) wrong.push(`${path}: no text`);
    release();
    await page.waitForLoadState('load');
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    await waitUntilStill(page);
    await page.unroute('**/*.woff2');
    const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    if (total <= MAX_SHIFT) continue;
    const moved = shifts.flatMap(({ sources }) => sources);
    wrong.push(`${path}: ${total.toFixed(3)}\n  ${moved.join('\n  ')}`);
  }
  expect(wrong).toEqual([]);
});
