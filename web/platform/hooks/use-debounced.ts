import { useEffect, useEffectEvent, useState } from 'react';
import { useSearchParam } from './use-search-param.ts';

/** Returns `value` once it has not changed for `pauseMs`, and a function that does not wait for it. */
export function useSettled<Value>(value: Value, pauseMs: number): [Value, () => void] {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return [settled, () => setSettled(value)];
}

/** Returns `value` once it has not changed for `pauseMs`. */
export const useDebounced = <Value>(value: Value, pauseMs: number): Value =>
  useSettled(value, pauseMs)[0];

/**
 * State of a search box that is kept in the URL as `?search=`: its text, the setter, and the trimmed
 * text debounced by `pauseMs`.
 */
export function useSearchBox(pauseMs = 300) {
  const [inUrl, setInUrl] = useSearchParam('search');
  const [text, setText] = useState(inUrl);
  const search = useDebounced(text.trim(), pauseMs);

  const [seen, setSeen] = useState(inUrl);
  if (seen !== inUrl) {
    setSeen(inUrl);
    // Changed by navigation, not by this box.
    if (inUrl !== search) setText(inUrl);
  }

  const show = useEffectEvent(() => {
    if (inUrl !== search) setInUrl(search);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is shown in the URL
  useEffect(() => show(), [search]);

  return { text, setText, search };
}
