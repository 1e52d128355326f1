import { useLayoutEffect, useRef } from 'react';
import { isListOf, isText } from '../api/check.ts';
import { toAddress } from '../format/address.ts';
import { ownedInTab, readOwner } from '../session/owned.ts';
import { listen } from './listen.ts';

/** The most history entries of a tab that are remembered, the latest. */
const ENTRIES_MAX = 50;
/** How long a page may take to become as high as it was, in milliseconds. */
const RESTORE_TIMEOUT_MS = 5_000;
/** With these the reader takes the scrolling over. */
const TAKEOVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** The part of the Navigation API that is used; it is missing in older browsers. */
type HistoryEntries = { currentEntry?: { key: string } | null };

/** The scroll position of each history entry in CSS pixels, by its key. */
type Positions = Map<string, number>;

const isPosition = (value: unknown): value is [string, number] =>
  Array.isArray(value) && isText(value[0]) && typeof value[1] === 'number';
const kept = ownedInTab<[string, number][]>('scroll-positions', isListOf(isPosition));

/** Where each person was who has used this tab. */
const positionsByOwner = new Map<string, Positions>();
let wasPopped = false;
/** The position that the page is not high enough for yet. */
let pending: number | undefined;

/** Names the present entry of the tab's history, also after a reload. Undefined on the server and in older browsers. */
const currentKey = (): string | undefined =>
  (globalThis as { navigation?: HistoryEntries }).navigation?.currentEntry?.key;

if (currentKey() !== undefined) {
  // The browser would scroll before the page is there.
  history.scrollRestoration = 'manual';
  window.addEventListener('popstate', () => {
    wasPopped = true;
    document.documentElement.dataset.returned = '';
  });
  window.addEventListener(
    'scroll',
    () => {
      if (pending === undefined) note(window.scrollY);
    },
    { passive: true },
  );
  window.addEventListener('pagehide', store);
}

/** Returns whether the navigation that is being rendered went back or forward: the reader is led to where they were. */
export const isTraversal = (): boolean => wasPopped;

/** Like {@link isTraversal}, and resets it. */
export function wasTraversal(): boolean {
  const was = wasPopped;
  wasPopped = false;
  return was;
}

/** How a page was reached: by loading it, by going back or forward, or by a link. */
export type Arrival = 'load' | 'return' | 'link';

/**
 * Scrolls a page that is rendered now: to the top after a link, and otherwise to where the reader was on it, as soon as
 * it is high enough. Returns how to stop waiting for that.
 */
export function scrollOnArrival(arrival: Arrival): () => void {
  if (arrival === 'link') delete document.documentElement.dataset.returned;
  const key = currentKey();
  const known = key === undefined || arrival === 'link' ? undefined : positionsNow().get(key);
  if (known !== undefined) return restore(known);
  // A page that is loaded is at its top, or at what its address names.
  if (arrival !== 'load') window.scrollTo(0, 0);
  return () => {};
}

function restore(target: number): () => void {
  const attempt = () => {
    window.scrollTo(0, target);
    const room = document.documentElement.scrollHeight - window.innerHeight;
    if (room >= target) stop();
  };
  const observer = new ResizeObserver(attempt);
  const timer = setTimeout(() => stop(), RESTORE_TIMEOUT_MS);
  const stop = () => {
    pending = undefined;
    observer.disconnect();
    clearTimeout(timer);
    stopListening();
  };
  pending = target;
  const stopListening = listen(window, TAKEOVER, stop, { passive: true });
  observer.observe(document.body);
  attempt();
  return stop;
}

function positionsNow(): Positions {
  const owner = readOwner();
  const positions = positionsByOwner.get(owner) ?? new Map(kept.read(owner));
  positionsByOwner.set(owner, positions);
  return positions;
}

function note(position: number): void {
  const key = currentKey();
  if (key === undefined) return;
  const positions = positionsNow();
  // Deleted first, so that it comes last in the map's order.
  positions.delete(key);
  positions.set(key, position);
}

function store(): void {
  for (const [owner, positions] of positionsByOwner) {
    kept.write([...positions].slice(-ENTRIES_MAX), owner);
  }
}

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
      if (canonical) canonical.href = window.location.origin + toAddress(path);
      document.getElementById('main')?.focus({ preventScroll: true });
    }
    return stop;
  }, [path]);
}
