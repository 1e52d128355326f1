import { useCallback, useSyncExternalStore } from 'react';

/** The media query of windows as narrow as a phone's: below the width that `sm:` styles begin at. */
export const PHONE = '(max-width: 39.99rem)';

/**
 * Returns whether a media query such as `(min-width: 64rem)` matches. False in what the server renders, where
 * `useHydrated` says that it is not known.
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
