import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRouter } from 'wouter';
import { findRoute } from './routes.tsx';

/**
 * Prefetches a page when a link to it is hovered, touched or focused. A failed prefetch is ignored;
 * the page loads again on navigation.
 */
export function Prefetch() {
  const client = useQueryClient();
  const { parser } = useRouter();
  useEffect(() => {
    const prefetched = new Set<string>();
    const prefetchLinked = (event: Event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      if (prefetched.has(link.pathname) || link.pathname === location.pathname) return;
      const found = findRoute(parser, link.pathname);
      if (!found || link.target) return;
      prefetched.add(link.pathname);
      found.route
        .preload()
        .then((page) => page.prefetch?.(client, found.params))
        .catch(() => prefetched.delete(link.pathname));
    };
    const events = ['pointerover', 'touchstart', 'focusin'] as const;
    for (const name of events) document.addEventListener(name, prefetchLinked, { passive: true });
    return () => {
      for (const name of events) document.removeEventListener(name, prefetchLinked);
    };
  }, [client, parser]);
  return null;
}
