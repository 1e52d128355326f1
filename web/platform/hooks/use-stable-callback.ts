import { useCallback, useEffect, useRef, useState } from 'react';

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

/**
 * Keeps which rows are ticked. `tickable` are the shown rows that can be ticked: one that is no longer
 * among them does not count. `all` are those that are ticked together; the others are ticked one by one.
 */
export function useTicks<Row extends { _id: string }>(
  tickable: readonly Row[],
  all: readonly Row[] = tickable,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useStableCallback((row: Row) =>
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(row._id)) after.add(row._id);
      return after;
    }),
  );
  return {
    /** The ticked rows, in the order of the list. */
    ticked: tickable.filter(({ _id }) => ids.has(_id)),
    isTicked: ({ _id }: Row) => ids.has(_id),
    toggle,
    /** Ticks all that are ticked together, beside what is ticked already; or nothing. */
    setAll: (isTicked: boolean) =>
      setIds((before) => new Set(isTicked ? [...before, ...all.map(({ _id }) => _id)] : [])),
  };
}
