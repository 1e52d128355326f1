import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRouter } from 'wouter';
import type { PagePath } from '#contract/edge/constants';
import type { Role } from '#contract/platform/http/http';
import { theReader } from '#contract/platform/text/constants/reader';
import { withoutLanguage } from '../../platform/format/address.ts';
import { useMarket } from '../../platform/format/market.ts';
import { listen, stopAll } from '../../platform/hooks/listen.ts';
import { onFirstActivity, whenIdle } from '../../platform/hooks/when-idle.ts';
import type { WorkerHandle } from '../../platform/offline/worker.ts';
import { useAuth } from '../../platform/session/session.ts';
import { type FocusPath, focusPathOf, restoreFocus } from '../../platform/ui/focus.ts';
import { optional } from '../../platform/ui/lazy-with-retry.tsx';
import { type AppRoute, findRoute } from '../routes.tsx';

const LanguageOffer = optional(() => import('./LanguageOffer.tsx'));

/** What helps anyone who uses the page, and is not fetched for tabs that nobody looks at. */
export default function InUse({
  route,
  role,
  path,
}: {
  route: AppRoute | undefined;
  role: Role | null;
  path: string;
}) {
  useFocusRecovery();
  const { languages } = useMarket();
  return (
    <>
      <Prefetch route={route} />
      {route?.isPublic && languages.length > 1 && <LanguageOffer />}
      <AppWorker role={role} path={path} />
    </>
  );
}

/** A pointer that passes a link on its way elsewhere is no intent. */
const INTENT_DELAY_MS = 65;
/** As long as fetched data counts as current. */
const REPEAT_AFTER_MS = 30_000;
const IDLE_TIMEOUT_MS = 4_000;

/**
 * Prefetches a page when a link to it is hovered, touched or focused, and on idle the files of the pages that usually
 * follow. A failed prefetch is ignored; the page loads again on navigation.
 */
function Prefetch({ route }: { route: AppRoute | undefined }) {
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
      if (link.target || link.pathname === location.pathname) return;
      const { search } = link;
      const path = withoutLanguage(link.pathname);
      if (type === 'touchstart') prefetch(path, search);
      else timer = setTimeout(() => prefetch(path, search), INTENT_DELAY_MS);
    };
    const events = ['pointerover', 'touchstart', 'focusin'];
    // What was pointed at while this file came.
    const pointedAt = document.querySelector('a[href]:hover');
    if (pointedAt) onIntent({ target: pointedAt, type: 'pointerover' });
    return stopAll(listen(document, events, onIntent, { passive: true }), () =>
      clearTimeout(timer),
    );
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
    return stopAll(stop, () => cancel?.());
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

/** Any id: which product or order follows, one cannot know. */
const ID = '00000000-0000-4000-8000-000000000000';

const FROM_HOME = ['/products', `/products/${ID}`];
const BUYERS = ['/checkout', '/orders', `/orders/${ID}`];

/** By the path of a page: where people usually go from there. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '/': FROM_HOME,
  '/about': FROM_HOME,
  '/products': [`/products/${ID}`, `/farmers/${ID}`],
  '/products/:id': [`/farmers/${ID}`, '/products'],
  '/farmers': [`/farmers/${ID}`],
  '/farmers/:id': [`/products/${ID}`],
  '/login': FROM_HOME,
  '/orders': [`/orders/${ID}`],
  '/orders/:id': ['/orders', `/messages/${ID}`],
  '/messages': [`/messages/${ID}`],
  '/farmer/dashboard': ['/farmer/orders', '/farmer/picklist', '/farmer/products'],
  '/farmer/orders': [`/orders/${ID}`, '/farmer/picklist', `/messages/${ID}`],
  '/farmer/products': ['/farmer/products/add', `/farmer/products/edit/${ID}`],
  '/admin/dashboard': ['/admin/orders', `/admin/orders/${ID}`, '/admin/users'],
  '/admin/orders': [`/admin/orders/${ID}`],
  '/admin/users': [`/admin/users/${ID}`],
} satisfies Partial<Record<PagePath, readonly string[]>>;

/** Returns the paths whose pages usually follow on a route's page, for somebody of this role. */
function likelyNext(pattern: string, role: Role | null): readonly string[] {
  const next = NEXT[pattern] ?? [];
  const isShopping = role === 'consumer' && /^\/(products.*)?$/.test(pattern);
  return isShopping ? [...next, ...BUYERS] : next;
}

/**
 * Moves the focus to what stands nearest when the focused element leaves the page: a button whose
 * action is done, a line that was removed. Otherwise the keyboard would start at the top of the page
 * again. When a toast goes, the focus returns to where it was before. Dialogs and menus restore it themselves.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    /** What has the focus. */
    let focused: HTMLElement | null = null;
    /** Where the focus is to go when that is gone: to what stood beside it or, from a toast, back to the page. */
    let path: FocusPath | null = null;
    const onFocusIn = ({ target }: Pick<FocusEvent, 'target'>) => {
      const isOwn =
        target instanceof HTMLElement &&
        target !== document.body &&
        !target.closest('[role$="dialog"], [role="menu"]');
      focused = isOwn ? target : null;
      if (isOwn && target.closest('[data-sonner-toaster]')) return;
      path = isOwn ? focusPathOf(target) : null;
    };
    const onFocusOut = ({ target }: FocusEvent) => {
      // Anyone who leaves an element that stays there does so on purpose. Asked later, because removing an
      // element takes the focus away first.
      queueMicrotask(() => {
        if (focused === target && focused?.isConnected) focused = null;
      });
    };
    const observer = new MutationObserver(() => {
      if (!focused || focused.isConnected) return;
      focused = null;
      if (path && document.activeElement === document.body) restoreFocus(path);
    });
    // What was focused before this code came.
    onFocusIn({ target: document.activeElement });
    // While they go down: see the toaster.
    observer.observe(document.body, { childList: true, subtree: true });
    return stopAll(
      listen(document, ['focusin'], onFocusIn, true),
      listen(document, ['focusout'], onFocusOut, true),
      () => observer.disconnect(),
    );
  }, []);
}

/** The worker comes after everything that the page itself waits for. */
const WORKER_IDLE_TIMEOUT_MS = 5_000;

/** What the application is called and begins with when it is installed. All are the same application. */
const MANIFESTS: Readonly<Record<Role, string>> = {
  consumer: '/manifest.webmanifest',
  farmer: '/manifest-farmer.webmanifest',
  admin: '/manifest-admin.webmanifest',
};

/**
 * Lets a service worker keep the application, so that it opens without waiting for the network: all of it for people
 * who are signed in, and for visitors who use the page the files that they need. In development there is no worker.
 * Names the manifest of the reader's role.
 */
function AppWorker({ role, path }: { role: Role | null; path: string }) {
  const cache = useQueryClient();
  const isSignedIn = role !== null;
  const [worker, setWorker] = useState<WorkerHandle>();
  const { language } = theReader();

  useEffect(() => {
    if (!import.meta.env.PROD) return undefined;
    const start = async () => {
      const { startWorker } = await import('../../platform/offline/worker.ts');
      setWorker(await startWorker(cache));
    };
    // Without its file the page works as before.
    const startWhenIdle = () =>
      whenIdle(() => start().catch(() => undefined), WORKER_IDLE_TIMEOUT_MS);
    if (isSignedIn) return startWhenIdle();
    let cancel: (() => void) | undefined;
    const stop = onFirstActivity(() => {
      cancel = startWhenIdle();
    });
    return () => {
      stop();
      cancel?.();
    };
  }, [cache, isSignedIn]);

  useEffect(() => {
    worker?.keep(language, isSignedIn);
  }, [worker, isSignedIn, language]);

  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    if (link) link.href = MANIFESTS[role ?? 'consumer'];
  }, [role]);

  const renderedPath = useRef(path);
  useEffect(() => {
    // The languages that the server named are of the page that it rendered.
    if (path === renderedPath.current) return;
    for (const link of document.querySelectorAll('link[hreflang]')) link.remove();
  }, [path]);

  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    worker?.onNavigation();
  }, [worker, path]);

  return null;
}
