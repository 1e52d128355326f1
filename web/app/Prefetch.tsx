import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useRouter } from 'wouter';
import { onFirstActivity } from '../platform/hooks/first-activity.ts';
import { whenIdle } from '../platform/hooks/when-idle.ts';
import { useAuth } from '../platform/session/use-auth.ts';
import { likelyNext } from './likely-next.ts';
import { type AppRoute, findRoute } from './routes.tsx';

/** A pointer that passes a link on its way elsewhere is no intent. */
const INTENT_DELAY_MS = 65;
/** As long as fetched data counts as current. */
const REPEAT_AFTER_MS = 30_000;
const IDLE_TIMEOUT_MS = 4_000;

/**
 * Prefetches a page when a link to it is hovered, touched or focused, and on idle the files of the pages that usually
 * follow. A failed prefetch is ignored; the page loads again on navigation.
 */
export function Prefetch({ route }: { route: AppRoute | undefined }) {
  const client = useQueryClient();
  const { parser } = useRouter();
  const role = useAuth().user?.role ?? null;

  useEffect(() => {
    const prefetchedAt = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const prefetch = (path: string, search: string) => {
      const address = path + search;
      if (Date.now() - (prefetchedAt.get(address) ?? 0) < REPEAT_AFTER_MS) return;
      const found = findRoute(parser, path);
      if (!found) return;
      prefetchedAt.set(address, Date.now());
      found.route
        .preload()
        .then((page) => page.prefetch?.(client, found.params, search))
        .catch(() => prefetchedAt.delete(address));
    };
    const onIntent = ({ target, type }: Pick<Event, 'target' | 'type'>) => {
      clearTimeout(timer);
      const link = (target as Element | null)?.closest?.('a[href]');
      if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return;
      const { pathname, search } = link;
      if (link.target || pathname === location.pathname) return;
      if (type === 'touchstart') prefetch(pathname, search);
      else timer = setTimeout(() => prefetch(pathname, search), INTENT_DELAY_MS);
    };
    const events = ['pointerover', 'touchstart', 'focusin'] as const;
    // What was pointed at while this file came.
    const pointedAt = document.querySelector('a[href]:hover');
    if (pointedAt) onIntent({ target: pointedAt, type: 'pointerover' });
    for (const name of events) document.addEventListener(name, onIntent, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of events) document.removeEventListener(name, onIntent);
    };
  }, [client, parser]);

  useEffect(() => {
    if (!route || mustSaveData()) return undefined;
    const paths = likelyNext(route.path, role);
    let cancel: (() => void) | undefined;
    const stop = onFirstActivity(() => {
      cancel = whenIdle(() => {
        for (const path of paths)
          void findRoute(parser, path)
            ?.route.preload()
            .catch(() => undefined);
      }, IDLE_TIMEOUT_MS);
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [route, role, parser]);

  return null;
}

/** Returns whether the reader pays for every byte, or waits for it; browsers without the API do not say. */
function mustSaveData(): boolean {
  const { connection } = navigator as {
    connection?: { saveData?: boolean; effectiveType?: string };
  };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
