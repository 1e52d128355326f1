const WINDOW_MS = 60_000;

/**
 * Limits log lines per minute. @returns a function that returns whether one more line may be written at
 * `now` (milliseconds); `onDropped` is called after a window with the count of dropped lines
 */
export function createLogBudget(linesPerMinute: number, onDropped: (count: number) => void) {
  let windowStart = Number.NEGATIVE_INFINITY;
  let written = 0;
  let dropped = 0;
  return (now: number = Date.now()): boolean => {
    if (now - windowStart >= WINDOW_MS) {
      if (dropped > 0) onDropped(dropped);
      windowStart = now;
      written = 0;
      dropped = 0;
    }
    if (written < linesPerMinute) {
      written += 1;
      return true;
    }
    dropped += 1;
    return false;
  };
}
