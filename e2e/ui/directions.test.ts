import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  fillCart,
  follow,
  injectAxe,
  openPageFixture,
  type PageFixture,
  pages,
  sidewaysScroll,
  viewers,
  violations,
  waitUntilStill,
} from '../page-list.ts';

const market = openMarket();
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** Makes each document one of a language that is read from the right, before any script of the page runs. */
const readFromTheRight = (page: Page) =>
  page.addInitScript(() => {
    const set = () => document.documentElement?.setAttribute('dir', 'rtl');
    new MutationObserver((_, observer) => {
      if (!document.documentElement) return;
      observer.disconnect();
      set();
    }).observe(document, { childList: true });
    set();
  });

const setDirection = (page: Page, dir: 'ltr' | 'rtl'): Promise<void> =>
  page.evaluate((to) => {
    document.documentElement.dir = to;
  }, dir);

/** Returns the texts of which a part lies outside of the window or of what clips it, unless one can scroll there. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const cut: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const parent = text.parentElement;
      if (!parent || text.data.trim() === '') continue;
      if (!parent.checkVisibility({ visibilityProperty: true })) continue;
      range.selectNodeContents(text);
      const { left, right, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      let [from, to] = [0, innerWidth];
      let canScroll = false;
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { overflowX, position } = getComputedStyle(box);
        if (overflowX === 'auto' || overflowX === 'scroll') canScroll = true;
        if (overflowX !== 'visible' && box !== document.documentElement) {
          const edges = box.getBoundingClientRect();
          [from, to] = [Math.max(from, edges.left), Math.min(to, edges.right)];
        }
        if (position === 'fixed') break;
      }
      if (!canScroll && (left < from - 1.5 || right > to + 1.5)) {
        cut.push(`"${text.data.trim().slice(0, 60)}" in ${parent.outerHTML.slice(0, 80)}`);
      }
    }
    return cut;
  });

it.each(viewers)('every page of a %s is whole where one reads from the right', async (viewer) => {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    bypassCSP: true,
    allowedErrors: REFUSED,
  });
  await readFromTheRight(page);
  if (viewer === 'consumer') await fillCart(page, fixture);
  else await page.goto(fixture.addressOf(pages[viewer][0]?.[0] ?? '/'));
  expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
  await injectAxe(page);
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    await follow(page, fixture.addressOf(path));
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await setDirection(page, 'ltr');
      await waitUntilStill(page);
      const cutAnyhow = new Set(await cutTexts(page));
      await setDirection(page, 'rtl');
      await waitUntilStill(page);
      const found = (await cutTexts(page)).filter((text) => !cutAnyhow.has(text));
      const sideways = await sidewaysScroll(page);
      if (sideways > 0) found.push(`${sideways} px wider than the window`);
      found.push(...(await violations(page)));
      wrong.push(...found.map((what) => `${path} at ${width} px: ${what}`));
    }
  }
  expect(wrong).toEqual([]);
});
