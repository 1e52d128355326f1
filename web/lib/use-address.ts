import { useLocation, useSearch } from 'wouter';

/**
 * One parameter of the address (`?search=plums`), so that a view can be reloaded, shared and come
 * back to. Setting it puts the new address in the old one's place; an empty text takes it away.
 */
export function useAddressText(name: string): [string, (value: string) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const set = (value: string) => {
    // Read at this moment, so that two parameters can be set one after the other.
    const params = new URLSearchParams(window.location.search);
    if (value === '') params.delete(name);
    else params.set(name, value);
    const text = params.toString();
    navigate(`${path}${text && `?${text}`}`, { replace: true });
  };
  return [new URLSearchParams(search).get(name) ?? '', set];
}

/**
 * Like {@link useAddressText} for one of several choices. `fallback` is what an address without the
 * parameter means, and one with something unknown; choosing it takes the parameter away.
 */
export function useAddressChoice<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): [Choice, (choice: Choice) => void] {
  const [text, setText] = useAddressText(name);
  const choice = choices.find((one) => one === text) ?? fallback;
  return [choice, (next) => setText(next === fallback ? '' : next)];
}
