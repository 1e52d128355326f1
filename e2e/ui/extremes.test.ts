import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openMarket, REFUSED } from '../open-market.ts';
import {
  fillCart,
  follow,
  openPageFixture,
  type PageFixture,
  pages,
  sidewaysScroll,
  viewers,
  waitUntilStill,
} from '../page-list.ts';
import { writeExtremes } from './extremes.ts';
import { openings } from './openings.ts';

// Every page, menu and dialog of a market whose people, farms, goods and places have names at the limits: nothing is
// wider than the window, lies over something else, or is cut where nothing tells the rest.

const market = openMarket({ hasWorker: false });
let fixture: PageFixture;
beforeAll(async () => {
  // Before anything is read, so that nothing has the old names.
  await writeExtremes(market.databaseUrl);
  fixture = await openPageFixture(market);
});

/** A phone, the widths at which two columns begin to stand beside each other, and those of most laptops. */
const WIDTHS = [360, 1280, 1366, 1440];

/**
 * Returns the texts that are cut although nothing tells the rest, that stand out of their card, cell or button, or
 * that lie over another text. What tells the rest of a text that is cut: the link, button or title that it is, the link of
 * the entry to its own page, a box that scrolls, or the same text whole somewhere else on the page.
 */
const unreadable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const TOLERANCE_PX = 2;
    const BOXES = '[data-card], td, th, button, dialog, [role="dialog"], li, aside, form';
    type Piece = { text: Text; rect: DOMRect; words: string };
    const pieces: Piece[] = [];
    const found = new Set<string>();
    const whole = new Set<string>();
    const cut = new Map<string, Element>();
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${(element.getAttribute('class') ?? '').slice(0, 60)}`;
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const parent = text.parentElement;
      const words = text.data.trim();
      if (!parent || words === '' || parent.closest('svg, option, select, [aria-live], noscript'))
        continue;
      const drawn = {
        visibilityProperty: true,
        opacityProperty: true,
        contentVisibilityAuto: true,
      };
      if (!parent.checkVisibility(drawn)) continue;
      if (parent.closest('.sr-only')) continue;
      range.selectNodeContents(text);
      const lines = [...range.getClientRects()].filter(({ width, height }) => width && height);
      if (lines.length === 0) continue;
      let clip = { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 };
      let cutBy: Element | null = null;
      let canScroll = false;
      let floats = false;
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { overflowX, overflowY, position, display } = getComputedStyle(box);
        if (display === 'inline' || display === 'contents') continue;
        const edges = box.getBoundingClientRect();
        if (overflowX !== 'visible' && box !== document.documentElement && box !== document.body) {
          canScroll ||= /auto|scroll/.test(`${overflowX} ${overflowY}`);
          const goesBeyond = ({ left, right, bottom }: DOMRect) =>
            left < edges.left - TOLERANCE_PX ||
            right > edges.right + TOLERANCE_PX ||
            bottom > edges.bottom + 4;
          if (!canScroll && lines.some(goesBeyond)) cutBy ??= box;
          clip = {
            left: Math.max(clip.left, edges.left),
            right: Math.min(clip.right, edges.right),
            top: Math.max(clip.top, edges.top),
            bottom: Math.min(clip.bottom, edges.bottom),
          };
        } else if (box.matches(BOXES) && !canScroll) {
          const spill = lines.some(
            ({ left, right }) =>
              Math.max(left, clip.left) < edges.left - TOLERANCE_PX ||
              Math.min(right, clip.right) > edges.right + TOLERANCE_PX,
          );
          if (spill && edges.width > 0)
            found.add(`"${words.slice(0, 50)}" stands out of ${nameOf(box)}`);
        }
        if (position === 'fixed' || position === 'sticky' || position === 'absolute') {
          floats = true;
          break;
        }
      }
      if (cutBy) cut.set(words, cutBy);
      else whole.add(words);
      if (floats || canScroll) continue;
      for (const line of lines) {
        const [left, right] = [Math.max(line.left, clip.left), Math.min(line.right, clip.right)];
        // Lines are higher than their letters.
        const inset = line.height * 0.2;
        const [top, bottom] = [
          Math.max(line.top + inset, clip.top),
          Math.min(line.bottom - inset, clip.bottom),
        ];
        if (right - left > 3 && bottom - top > 3)
          pieces.push({ text, words, rect: new DOMRect(left, top, right - left, bottom - top) });
      }
    }
    for (const [words, box] of cut) {
      const isTold =
        box.closest('a[href], button, summary, [title]') ??
        box.closest('li, tr, article')?.querySelector('a[href]');
      if (!isTold && ![...whole].some((each) => each.includes(words)))
        found.add(`"${words.slice(0, 50)}" is cut in ${nameOf(box)}`);
    }
    pieces.sort((one, other) => one.rect.top - other.rect.top);
    for (const [nth, one] of pieces.entries()) {
      for (let next = nth + 1; next < pieces.length; next++) {
        const other = pieces[next] as Piece;
        if (other.rect.top >= one.rect.bottom) break;
        if (one.text === other.text) continue;
        const across =
          Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const down =
          Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        if (across > TOLERANCE_PX && down > TOLERANCE_PX)
          found.add(`"${one.words.slice(0, 40)}" and "${other.words.slice(0, 40)}" overlap`);
      }
    }
    return [...found];
  });

/** Looks at the open page at these widths. */
async function lookAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const wrong = new Map<string, number[]>();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await waitUntilStill(page);
    const found = await unreadable(page);
    const excess = await sidewaysScroll(page);
    if (excess > 0) found.push(`the page is ${excess} px wider than the window`);
    for (const what of found) wrong.set(what, [...(wrong.get(what) ?? []), width]);
  }
  return [...wrong].map(([what, at]) => `${what} at ${at.join(', ')} px`);
}

it.each(viewers)('a %s reads names of any length and script on every page', async (viewer) => {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: fixture.sessions[viewer] }),
    allowedErrors: REFUSED,
    reducedMotion: true,
  });
  if (viewer === 'consumer') await fillCart(page, fixture);
  else await page.goto(fixture.addressOf(pages[viewer][0]?.[0] ?? '/'));
  const wrong: string[] = [];
  for (const [path] of pages[viewer]) {
    await follow(page, fixture.addressOf(path));
    wrong.push(...(await lookAt(page, WIDTHS)).map((what) => `${path}: ${what}`));
  }
  for (const { name, path, open, only } of openings[viewer]) {
    const widths = only === 'narrow' ? [360] : only === 'wide' ? [1280] : [1280, 360];
    await page.setViewportSize({ width: widths[0] ?? 1280, height: 800 });
    await page.goto(fixture.addressOf(path));
    await open(page);
    wrong.push(...(await lookAt(page, widths)).map((what) => `${path}, ${name}: ${what}`));
  }
  expect([...new Set(wrong)]).toEqual([]);
});
