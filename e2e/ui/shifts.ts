import type { Page } from 'playwright-core';

/** How much of the window moved, and what did. */
export type Shift = { value: number; sources: string[] };

/** Collects each layout shift that no input caused, with what moved. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        shifts.push({
          value: entry.value,
          sources: entry.sources.map(({ node, previousRect, currentRect }) => {
            const element = node instanceof Element ? node : node?.parentElement;
            const name = element?.outerHTML.slice(0, 90) ?? 'gone';
            return `${Math.round(previousRect.y)} → ${Math.round(currentRect.y)}: ${name}`;
          }),
        });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
