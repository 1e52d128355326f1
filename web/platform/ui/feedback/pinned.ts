import type { RefCallback } from 'react';

// What sticks to the lower edge of the window: the bar of a page, the question of a farm. They stand on each other, the
// last in the page lowest, and toasts of phones on them all. `pinned` in theme.css is their look.

const pinned = new Set<HTMLElement>();
const sizes = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(stack);

function stack(): void {
  const upwards = [...pinned].sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1,
  );
  let height = 0;
  for (const element of upwards) {
    element.style.setProperty('--pinned-below', `${height}px`);
    height += element.offsetHeight;
  }
  document.documentElement.style.setProperty('--pinned-height', `${height}px`);
}

/** A ref for what is `pinned`, or stands there by itself: keeps it from lying on others that are. */
export const pin: RefCallback<HTMLElement> = (element) => {
  if (!element) return undefined;
  pinned.add(element);
  sizes?.observe(element);
  stack();
  return () => {
    pinned.delete(element);
    sizes?.unobserve(element);
    stack();
  };
};
