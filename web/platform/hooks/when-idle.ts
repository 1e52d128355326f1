import { useEffect, useState } from 'react';
import { useHydrated } from './hydration.ts';
import { listen } from './listen.ts';

/** The delay in browsers without `requestIdleCallback`. */
const START_DELAY_MS = 200;

/** Calls `run` when the browser is idle, at the latest after `timeoutMs`. Returns a cancel function. */
export function whenIdle(run: () => unknown, timeoutMs: number): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, START_DELAY_MS);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, { timeout: timeoutMs });
  return () => cancelIdleCallback(idle);
}

const EVENTS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'scroll', 'wheel'] as const;

let isActive = false;

/**
 * Calls `listener` once somebody uses the page with pointer, touch or keyboard, at once if that has happened: what is
 * fetched in advance is not fetched for tabs that nobody looks at. Returns how to stop.
 */
export function onFirstActivity(listener: () => void): () => void {
  if (isActive) {
    listener();
    return () => {};
  }
  const onActivity = () => {
    isActive = true;
    stop();
    listener();
  };
  const stop = listen(window, EVENTS, onActivity, { passive: true, capture: true });
  return stop;
}

/** Whether somebody has used the page with pointer, touch or keyboard. */
export function useIsUsed(): boolean {
  const isHydrated = useHydrated();
  const [isUsed, setIsUsed] = useState(isActive);
  useEffect(() => onFirstActivity(() => setIsUsed(true)), []);
  return isHydrated && isUsed;
}
