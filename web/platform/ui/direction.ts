import { useSyncExternalStore } from 'react';

export type Direction = 'ltr' | 'rtl';

/** Returns the side from which the page is read, which the language of the page says. */
export const direction = (): Direction => (document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr');

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['dir'] });
  return () => observer.disconnect();
}

/**
 * For what CSS cannot mirror: drawings by coordinates, and parts of libraries that ask for the direction. What the server
 * renders is as if read from the left.
 */
export const useDirection = (): Direction =>
  useSyncExternalStore(subscribe, direction, () => 'ltr');

const MIRRORED: Partial<Record<string, string>> = {
  ArrowLeft: 'ArrowRight',
  ArrowRight: 'ArrowLeft',
};

/** Returns the key that moves the same way where one reads from the left: `ArrowRight` is always onwards. */
export const inReadingOrder = (key: string): string =>
  (direction() === 'rtl' && MIRRORED[key]) || key;
