import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that stays the same and calls the latest `callback`, for the handlers of memoized
 * rows. Not to be called while rendering.
 */
export function useStableCallback<Args extends unknown[]>(
  callback: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  return useCallback((...args: Args) => latest.current(...args), []);
}
