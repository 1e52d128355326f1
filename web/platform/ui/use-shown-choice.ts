import { type RefObject, useEffect, useRef } from 'react';

/**
 * Scrolls a row so that its selected part can be seen, when `changed` does. Only the row scrolls:
 * `scrollIntoView` would move the page too.
 * @param selector finds the selected part
 * @param changed what the selection or the width of the row's parts follows from
 * @returns the ref of the row
 */
export function useShownChoice(
  selector: string,
  changed: string,
): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selected part is read from the page.
  useEffect(() => {
    const box = row.current;
    const selected = box?.querySelector<HTMLElement>(selector);
    if (!box || !selected) return;
    const [own, its] = [box.getBoundingClientRect(), selected.getBoundingClientRect()];
    if (its.left < own.left || its.right > own.right) {
      box.scrollLeft += its.left - own.left - (own.width - its.width) / 2;
    }
  }, [selector, changed]);
  return row;
}
