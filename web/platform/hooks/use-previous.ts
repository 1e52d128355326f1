import { useState } from 'react';

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
