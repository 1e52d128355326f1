import { useLocation, useSearch } from 'wouter';

/**
 * Returns a query parameter of the URL (`?search=plums`) and its setter, which replaces the current
 * history entry. The empty string removes the parameter.
 */
export function useSearchParam(name: string): [string, (value: string) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const set = (value: string) => {
    // Read from the location, so that several parameters can be set in a row.
    const params = new URLSearchParams(window.location.search);
    if (value === '') params.delete(name);
    else params.set(name, value);
    const text = params.toString();
    navigate(`${path}${text && `?${text}`}`, { replace: true });
  };
  return [new URLSearchParams(search).get(name) ?? '', set];
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
