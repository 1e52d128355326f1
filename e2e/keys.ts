import type { Locator, Page } from 'playwright-core';
import { until } from '../testing/until.ts';

// Pages used by keys alone.

/** Whether the target has the focus. */
export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);

/** Waits until an element other than the body has the focus. */
export const untilFocusIsKept = (page: Page) =>
  until('the focus to be in the page', () =>
    page.evaluate(
      () => document.activeElement !== null && document.activeElement !== document.body,
    ),
  );

/**
 * Presses Tab, or Shift+Tab with `back`, until the target has the focus. Returns how often.
 *
 * @throws when it is not reached, or the focus is lost on the way
 */
export async function tabTo(
  target: Locator,
  { back = false, most = 60 }: { back?: boolean; most?: number } = {},
): Promise<number> {
  const page = target.page();
  await target.waitFor();
  for (let stops = 0; stops <= most; stops++) {
    if (await isFocused(target)) return stops;
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    await untilFocusIsKept(page);
  }
  throw new Error(`Not reached within ${most} stops: ${target}`);
}

/** Reaches the target by Tab and presses Enter; the focus is still in the page afterwards. */
export async function press(
  target: Locator,
  options?: { back?: boolean; key?: string },
): Promise<void> {
  await tabTo(target, options);
  await target.page().keyboard.press(options?.key ?? 'Enter');
  await untilFocusIsKept(target.page());
}

/** Reaches a field by Tab and types into it. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.type(text);
}

/**
 * Presses Tab from the first control to the last. Returns the names of all that had the focus, in that order.
 *
 * @throws where the focus cannot be seen: without an outline, outside the window, or below something else
 */
export async function walk(first: Locator, last: Locator): Promise<string[]> {
  const page = first.page();
  await tabTo(first);
  const names: string[] = [];
  for (;;) {
    const { name, flaw } = await page.evaluate(describeFocus);
    if (flaw) throw new Error(`The focus on ${name} ${flaw}.`);
    names.push(name);
    if ((await isFocused(last)) || names.length > 100) return names;
    await page.keyboard.press('Tab');
    await untilFocusIsKept(page);
  }
}

/** Runs in the page: returns the name of what has the focus, and why one would not see it. */
function describeFocus(): { name: string; flaw: string } {
  const element = document.activeElement as HTMLElement;
  const [label] = (element as HTMLInputElement).labels ?? [];
  // biome-ignore lint/performance/useDomNodeTextContent: its lines separate the label from its hint
  const words = (label ?? element).innerText;
  const name = words
    .split('\n', 1)
    .join()
    .replace(/\s*\*$/, '')
    .trim();
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) {
    return { name, flaw: 'has no outline' };
  }
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const isSeen = there !== null && (element.contains(there) || label?.contains(there) === true);
  return { name, flaw: isSeen ? '' : 'is out of sight' };
}
