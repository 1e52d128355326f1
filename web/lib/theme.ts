import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { storedAtom } from './stored-atom.ts';

/** Light, dark, or whatever the device says. */
export type Theme = 'light' | 'dark' | 'system';

const themes: readonly unknown[] = ['light', 'dark', 'system'];

const themeAtom = storedAtom<Theme>(
  'theme',
  {
    safeParse: (value) =>
      themes.includes(value) ? { success: true, data: value as Theme } : { success: false },
  },
  'system',
);

/** The chosen theme and how to choose another; applied to the page at once, in every tab. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useAtom(themeAtom);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return [theme, setTheme];
}
