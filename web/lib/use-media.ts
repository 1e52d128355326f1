import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns whether a media query such as `(min-width: 64rem)` matches. False in what the server renders, where
 * `useHydrated` tells that nobody knows.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}
