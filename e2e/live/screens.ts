import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What a page says: the part that has one focus of its own, and the lines of the rest. */
export interface Screen {
  lines: string[];
  /** The server has more of the list than is shown: how much of it is loaded may differ. */
  hasMore: boolean;
}

/**
 * Reads a page as a person would, without what depends on the moment of reading: how long ago
 * something was, what has just changed, who is connected, and where one stopped reading.
 */
export function readScreen(page: Page): Promise<Screen> {
  return page.evaluate(() => {
    const momentary = [
      'time',
      'svg',
      'del',
      'script',
      '.animate-fade-in',
      '[aria-label="Connected now"]',
      '[role=status]',
      'button[aria-expanded]',
    ].join();
    const lines: string[] = [];
    const words = new Set(['Live', 'New', 'Load more', 'Latest', 'Older messages']);
    let hasMore = false;
    const read = (node: Node) => {
      if (node instanceof Text) {
        const text = node.data.trim();
        if (text === 'Load more' || text === 'Older messages') hasMore = true;
        if (text !== '' && !words.has(text)) lines.push(text);
      }
      if (node instanceof Element) {
        if (node.matches(momentary)) return;
        // How long an order waits is told in a badge of its own.
        if (node.firstElementChild?.textContent === 'Waiting for ') return;
        if (node.classList.contains('animate-tick') && node.previousSibling) return;
        // Presence and last seen.
        if (/^· (Online|Last seen|is typing)/.test(node.textContent ?? '')) return;
      }
      for (const child of node.childNodes) read(child);
    };
    const main = document.querySelector('main');
    const details = main?.querySelectorAll('section[aria-label^="Order "]') ?? [];
    // The chosen order first: it stands behind a list that may be of any length.
    for (const detail of details) read(detail);
    const list = main?.cloneNode(true) as Element | undefined;
    for (const detail of list?.querySelectorAll('section[aria-label^="Order "]') ?? []) {
      detail.remove();
    }
    if (list) read(list);
    // What stands in the bar: counts of all kinds.
    const bar = document.querySelector('header');
    for (const badge of bar?.querySelectorAll('nav, a[aria-label], button') ?? []) {
      lines.push((badge.getAttribute('aria-label') ?? badge.textContent ?? '').trim());
    }
    return { lines, hasMore };
  });
}

/** The same part of both: all of it, or as much as both have loaded. */
function comparable(live: Screen, fresh: Screen): [string[], string[]] {
  if (!live.hasMore && !fresh.hasMore) return [live.lines, fresh.lines];
  const length = Math.min(live.lines.length, fresh.lines.length);
  // The bar's lines stand at the end, which is not where the shorter list ends.
  const part = Math.max(0, length - 12);
  return [live.lines.slice(0, part), fresh.lines.slice(0, part)];
}

/**
 * Loads the page's address anew beside it, and waits until both say the same. @throws with the
 * difference when they do not in time
 */
export async function expectFresh(page: Page, withinMs = 60_000): Promise<void> {
  const fresh = await page.context().newPage();
  try {
    await fresh.goto(page.url());
    await fresh.locator('main h1').first().waitFor();
    const end = Date.now() + withinMs;
    for (;;) {
      const [live, anew] = comparable(await readScreen(page), await readScreen(fresh));
      if (anew.length > 0 && live.join('\n') === anew.join('\n')) return;
      if (Date.now() > end) expect(live, page.url()).toEqual(anew);
      await page.waitForTimeout(200);
    }
  } finally {
    await fresh.close();
  }
}
