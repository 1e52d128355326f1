import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { isOneOf } from '../api/check.ts';
import { storedAtom } from '../session/stored-atom.ts';

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
