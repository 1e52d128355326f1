import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../../testing/until.ts';

/** The text of a page, line by line. */
export interface Screen {
  lines: string[];
  /** True when the list has more pages, so the loaded part may differ. */
  hasMore: boolean;
}

/**
 * Reads the text of a page without what depends on the moment: relative times, highlights, presence and the
 * unread line.
 */
export function readScreen(page: Page): Promise<Screen> {
  return page.evaluate(() => {
    const momentarySelectors = [
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
    const ignoredTexts = new Set(['Up to date', 'New', 'Load more', 'Latest', 'Older messages']);
    let hasMore = false;
    const read = (node: Node) => {
      if (node instanceof Text) {
        const text = node.data.trim();
        if (text === 'Load more' || text === 'Older messages') hasMore = true;
        if (text !== '' && !ignoredTexts.has(text)) lines.push(text);
      }
      if (node instanceof Element) {
        if (node.matches(momentarySelectors)) return;
        // The badge with an order's waiting time.
        if (node.firstElementChild?.textContent === 'Waiting for ') return;
        if (node.classList.contains('animate-tick') && node.previousSibling) return;
        // Presence and last seen.
        if (/^· (Online|Last seen|is typing)/.test(node.textContent ?? '')) return;
      }
      for (const child of node.childNodes) read(child);
    };
    const main = document.querySelector('main');
    const details = main?.querySelectorAll('section[aria-label^="Order "]') ?? [];
    // The selected order first, because the list before it may have any length.
    for (const detail of details) read(detail);
    const list = main?.cloneNode(true) as Element | undefined;
    for (const detail of list?.querySelectorAll('section[aria-label^="Order "]') ?? []) {
      detail.remove();
    }
    if (list) read(list);
    // The bar with its counts.
    const bar = document.querySelector('header');
    for (const badge of bar?.querySelectorAll('nav, a[aria-label], button') ?? []) {
      lines.push((badge.getAttribute('aria-label') ?? badge.textContent ?? '').trim());
    }
    return { lines, hasMore };
  });
}

/** Returns the comparable part of both: everything, or as much as both have loaded. */
function comparable(live: Screen, fresh: Screen): [string[], string[]] {
  if (!live.hasMore && !fresh.hasMore) return [live.lines, fresh.lines];
  const length = Math.min(live.lines.length, fresh.lines.length);
  // The bar's lines are at the end, so they are cut off with the longer list.
  const part = Math.max(0, length - 12);
  return [live.lines.slice(0, part), fresh.lines.slice(0, part)];
}

/**
 * Loads the page's address in a second page and waits until both show the same. @throws with the difference
 * when they never do
 */
export async function expectFresh(page: Page): Promise<void> {
  const fresh = await page.context().newPage();
  try {
    await fresh.goto(page.url());
    await fresh.locator('main h1').first().waitFor();
    const compare = async () => comparable(await readScreen(page), await readScreen(fresh));
    await until('the page to show what a fresh one shows', async () => {
      const [live, expected] = await compare();
      return expected.length > 0 && live.join('\n') === expected.join('\n');
    }).catch(async (error: unknown) => {
      const [live, expected] = await compare();
      expect(live, page.url()).toEqual(expected);
      throw error;
    });
  } finally {
    await fresh.close();
  }
}
