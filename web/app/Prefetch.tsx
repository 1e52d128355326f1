import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRouter } from 'wouter';
import { findRoute } from './routes.tsx';

/**
 * Loads a page ahead when a link to it is hovered, touched or focused, wherever the link stands.
 * A page that failed to load ahead is simply tried again when one goes there.
 */
export function Prefetch() {
  const client = useQueryClient();
  const { parser } = useRouter();
  useEffect(() => {
    const done = new Set<string>();
    const ahead = (event: Event) => {
      const link = (event.target as Element | null)?.closest?.('a[href]');
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      if (done.has(link.pathname) || link.pathname === location.pathname) return;
      const found = findRoute(parser, link.pathname);
      if (!found || link.target) return;
      done.add(link.pathname);
      found.route
        .preload()
        .then((page) => page.prefetch?.(client, found.params))
        .catch(() => done.delete(link.pathname));
    };
    const events = ['pointerover', 'touchstart', 'focusin'] as const;
    for (const name of events) document.addEventListener(name, ahead, { passive: true });
    return () => {
      for (const name of events) document.removeEventListener(name, ahead);
    };
  }, [client, parser]);
  return null;
}
