import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest that one task may block the event loop, in milliseconds. */
const BLOCK_MAX_MS = 10;

/**
 * Returns a function to await between the steps of long work: it yields to the event loop once the
 * steps since the last yield took {@link BLOCK_MAX_MS}.
 */
export function createYielder(): () => Promise<void> | undefined {
  let blockedSince = performance.now();
  return () => {
    if (performance.now() - blockedSince < BLOCK_MAX_MS) return undefined;
    return nextTurn().then(() => {
      blockedSince = performance.now();
    });
  };
}
