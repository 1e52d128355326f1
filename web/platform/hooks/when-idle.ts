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
