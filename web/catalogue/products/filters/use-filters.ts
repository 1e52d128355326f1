import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type FilterTexts, NO_FILTERS, readFilterTexts } from './filters.ts';

/**
 * Returns the choice that the address holds, and a function that changes parts of it, in place of the current history
 * entry. An empty text removes its parameter.
 */
export function useFilterTexts(): [FilterTexts, (change: Partial<FilterTexts>) => void] {
  const [path, navigate] = useLocation();
  const texts = readFilterTexts(useSearch());
  const change = (next: Partial<FilterTexts>) => {
    // Read from the location, so that changes in a row add up.
    const params = new URLSearchParams(window.location.search);
    for (const [name, text] of Object.entries(next)) {
      if (text === '') params.delete(name);
      else params.set(name, text);
    }
    // It belongs to the list before.
    params.delete('cursor');
    const query = params.toString();
    navigate(`${path}${query && `?${query}`}`, { replace: true });
  };
  return [texts, change];
}

/** The change that removes all filters but the search. */
export const withoutFilters = (): Partial<FilterTexts> => {
  const { search: _, ...filters } = NO_FILTERS;
  return filters;
};

/**
 * Returns `value` once it has not changed for `pauseMs`, and a function that does not wait for it.
 */
export function useSettled<Value>(value: Value, pauseMs: number): [Value, () => void] {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return [settled, () => setSettled(value)];
}
