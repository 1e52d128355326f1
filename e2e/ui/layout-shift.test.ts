import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  fillCart,
  openPageFixture,
  type PageFixture,
  pages,
  viewers,
  waitUntilLoaded,
  waitUntilStill,
} from '../page-list.ts';
import { type Shift, watchShifts } from './shifts.ts';

const market = openMarket();
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** The most that a page may move by itself; 0.1 is what the web calls good. */
const MAX_SHIFT = 0.02;

/** A slow phone on a slow line: a processor four times slower, 1.6 Mbit/s, 150 ms. */
async function slowDown(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return devtools;
}

/** Waits until the page is loaded with its pictures and fonts, and returns what moved meanwhile. */
async function shiftsOf(page: Page): Promise<Shift[]> {
  await page.waitForLoadState('load');
  await waitUntilLoaded(page);
  await page.waitForFunction(() => document.fonts.status === 'loaded');
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await waitUntilStill(page);
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}

it.each(
  viewers.flatMap((viewer) => [
    { viewer, size: 'phone', viewport: { width: 360, height: 740 } },
    { viewer, size: 'laptop', viewport: { width: 1280, height: 800 } },
  ]),
)('moves nothing while a page of a $viewer loads on a slow $size', async ({ viewer, viewport }) => {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    ...viewport,
    allowedErrors: REFUSED,
  });
  if (viewer === 'consumer') await fillCart(page, fixture);
  await watchShifts(page);
  const devtools = await slowDown(page);
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    for (const cache of ['cold', 'warm'] as const) {
      if (cache === 'cold') await devtools.send('Network.clearBrowserCache');
      await page.goto(fixture.addressOf(path));
      const shifts = await shiftsOf(page);
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      if (total <= MAX_SHIFT) continue;
      const moved = shifts.flatMap(({ value, sources }) =>
        sources.map((source) => `${value.toFixed(3)} ${source}`),
      );
      wrong.push(`${path}, ${cache}: ${total.toFixed(3)}\n  ${moved.join('\n  ')}`);
    }
  }
  expect(wrong).toEqual([]);
});
