import { useState } from 'react';

/** What `value` was before it last changed; undefined while it has not. */
export function usePrevious<Value>(value: Value): Value | undefined {
  const [seen, setSeen] = useState<{ value: Value; before: Value | undefined }>({
    value,
    before: undefined,
  });
  if (Object.is(seen.value, value)) return seen.before;
  setSeen({ value, before: seen.value });
  return seen.value;
}
