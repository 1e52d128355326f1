import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(tick, 1000);
    // A hidden tab's timer sleeps; whoever comes back should not read old waiting times.
    document.addEventListener('visibilitychange', tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', tick);
  };
}

/**
 * The present time in milliseconds, rounded down to `every` milliseconds. All users of the hook
 * share one timer, and a component renders again only when its own rounding moves on.
 */
export function useNow(every = 30_000): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / every) * every);
}
