import { useEffect, useState } from 'react';

/** How often `value` has become another one since the component appeared. */
export function useChanges(value: unknown): number {
  const [seen, setSeen] = useState({ value, changes: 0 });
  if (Object.is(seen.value, value)) return seen.changes;
  const next = { value, changes: seen.changes + 1 };
  setSeen(next);
  return next.changes;
}

/** True for a moment (1.2 s) after `value` changed; not when the component first appears. */
export function useGlow(value: unknown): boolean {
  const changes = useChanges(value);
  const [glowing, setGlowing] = useState(false);
  useEffect(() => {
    if (changes === 0) return;
    setGlowing(true);
    const timer = setTimeout(() => setGlowing(false), 1200);
    return () => clearTimeout(timer);
  }, [changes]);
  return glowing;
}
