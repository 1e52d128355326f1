import { useLayoutEffect, useRef } from 'react';
import { scrollOnArrival, wasTraversal } from '../../platform/hooks/scroll-memory.ts';

/**
 * Scrolls to the top and focuses the main element after each navigation. After back, forward and a reload it scrolls to
 * where the reader was. The page's address for search engines follows.
 */
export function useScrollAndFocus(path: string): void {
  const last = useRef<string>(undefined);
  useLayoutEffect(() => {
    const isFirst = last.current === undefined;
    if (last.current === path) return;
    last.current = path;
    const isReturn = wasTraversal();
    const stop = scrollOnArrival(isFirst ? 'load' : isReturn ? 'return' : 'link');
    if (!isFirst) {
      const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
      if (canonical) canonical.href = window.location.origin + path;
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    return stop;
  }, [path]);
}
