import { useAtom } from 'jotai';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isOneOf } from '../api/check.ts';
import { storedAtom } from '../session/stored-atom.ts';
import { listen } from './listen.ts';

/** The media query of windows as narrow as a phone's: below the width that `sm:` styles begin at. */
export const PHONE = '(max-width: 39.99rem)';

/**
 * Returns whether a media query such as `(min-width: 64rem)` matches. False in what the server renders, where
 * `useHydrated` says that it is not known.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => listen(window.matchMedia(query), ['change'], listener),
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** `system` follows the device's setting. */
export type Theme = 'light' | 'dark' | 'system';

const themeAtom = storedAtom<Theme>('theme', isOneOf(['light', 'dark', 'system']), 'system');

/** Returns the chosen theme and its setter, and applies the theme to the page. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useAtom(themeAtom);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme];
}
