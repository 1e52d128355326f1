import { useSyncExternalStore } from 'react';
import { clockMs } from '#contract/platform/time/constants';
import { localToday } from '../format/format.ts';
import { renderedNow, renderedToday } from './hydration.ts';
import { listen, stopAll } from './listen.ts';

const TICK_INTERVAL_MS = 1_000;

const listeners = new Set<() => void>();
let stopClock = () => {};

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    const tick = () => {
      for (const each of listeners) each();
    };
    const timer = setInterval(tick, TICK_INTERVAL_MS);
    // Browsers throttle timers of hidden tabs, so the time is updated when the tab is shown again.
    stopClock = stopAll(listen(document, ['visibilitychange'], tick), () => clearInterval(timer));
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopClock();
  };
}

/**
 * Returns the current time in milliseconds, by the server's clock, rounded down to a multiple of `stepMs`. All
 * components share one timer; each renders again only when its rounded time changes. Hooks of libraries run one timer
 * each and render at every tick.
 */
export function useNow(stepMs = 30_000): number {
  const floor = (at: number) => Math.floor(at / stepMs) * stepMs;
  return useSyncExternalStore(
    subscribe,
    () => floor(clockMs()),
    () => floor(renderedNow()),
  );
}

/** Returns today in the reader's time zone as `YYYY-MM-DD`; renders again at midnight alone. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => localToday(), renderedToday);
}
