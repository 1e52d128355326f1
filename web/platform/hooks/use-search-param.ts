import { useLocation, useSearch } from 'wouter';

/**
 * Returns a function that sets parameters of the URL, in place of the current history entry. An empty text removes its
 * parameter.
 */
export function useSetSearchParams(): (next: Readonly<Record<string, string>>) => void {
  const [path, navigate] = useLocation();
  return (next) => {
    // Read from the location, so that changes in a row add up.
    const params = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(next)) {
      if (value === '') params.delete(name);
      else params.set(name, value);
    }
    const text = params.toString();
    navigate(`${path}${text && `?${text}`}`, { replace: true });
  };
}

/** Returns a query parameter of the URL (`?search=plums`) and its setter, as {@link useSetSearchParams}. */
export function useSearchParam(name: string): [string, (value: string) => void] {
  const search = useSearch();
  const set = useSetSearchParams();
  return [new URLSearchParams(search).get(name) ?? '', (value) => set({ [name]: value })];
}

/** Returns the query of an address with one parameter set: `?search=plums&sort=newest`. */
export function withParam(search: string, name: string, value: string): string {
  const params = new URLSearchParams(search);
  params.set(name, value);
  return `?${params}`;
}

/**
 * Like {@link useSearchParam} for one of several choices. A missing or unknown value means
 * `fallback`; choosing `fallback` removes the parameter.
 */
export function useSearchParamChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): [Choice, (choice: Choice) => void] {
  const [text, setText] = useSearchParam(name);
  const choice = choices.find((one) => one === text) ?? fallback;
  return [choice, (next) => setText(next === fallback ? '' : next)];
}
