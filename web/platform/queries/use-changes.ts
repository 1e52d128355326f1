import { useEffect, useState } from 'react';
import { isOwnChange } from './own-changes.ts';

const HIGHLIGHT_MS = 1_200;

/** Returns how often `value` has changed since the component was mounted. */
export function useChangeCount(value: unknown): number {
  const [seen, setSeen] = useState({ value, changes: 0 });
  if (Object.is(seen.value, value)) return seen.changes;
  const next = { value, changes: seen.changes + 1 };
  setSeen(next);
  return next.changes;
}

/**
 * Returns true for `HIGHLIGHT_MS` after `value` changed, but not on mount, and not when this tab itself changed what
 * has this id.
 */
export function useHighlight(value: unknown, id: string): boolean {
  const changes = useChangeCount(value);
  const [isHighlighted, setHighlighted] = useState(false);
  useEffect(() => {
    if (changes === 0 || isOwnChange(id)) return;
    setHighlighted(true);
    const timer = setTimeout(() => setHighlighted(false), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [changes, id]);
  return isHighlighted;
}

/** Returns `value` as it was before its last change, undefined if it has not changed. */
export function usePrevious<Value>(value: Value): Value | undefined {
  const [seen, setSeen] = useState<{ value: Value; before: Value | undefined }>({
    value,
    before: undefined,
  });
  if (Object.is(seen.value, value)) return seen.before;
  setSeen({ value, before: seen.value });
  return seen.value;
}
