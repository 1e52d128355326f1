/**
 * Runs `run` while no other tab of this browser runs anything under the same name, but waits for another one no longer
 * than `waitMaxMs`: a tab that is frozen keeps what it holds.
 */
export async function inOneTab<Result>(
  name: string,
  run: () => Promise<Result>,
  waitMaxMs?: number,
): Promise<Result> {
  // Missing on pages without HTTPS.
  const locks: LockManager | null | undefined = navigator.locks;
  if (!locks) return run();
  if (waitMaxMs === undefined) return locks.request(name, run);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), waitMaxMs);
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    clearTimeout(timer);
    return run();
  };
  try {
    return await locks.request(name, { signal: limit.signal }, begin);
  } catch (error) {
    if (isBegun || !limit.signal.aborted) throw error;
    return run();
  } finally {
    clearTimeout(timer);
  }
}
