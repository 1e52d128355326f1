import { atom } from 'jotai';
import type { Check } from '../api/check.ts';
import { isHydratedAtom } from '../hooks/hydration.ts';
import { listen } from '../hooks/listen.ts';

/** What an atom is set to, or how that follows from what it was. */
export type Update<Value> = Value | ((before: Value) => Value);

/** How a value is serialized: as JSON, or as plain text. */
export type StorageFormat = 'json' | 'text';

/** Returns what `use` returns, or undefined where storage is forbidden or full. */
export function tryStorage<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/**
 * Creates an atom that is kept in localStorage under `key` and follows other tabs. A stored value that `isValid`
 * rejects once `mend` has repaired it is removed and replaced by `initial`. If the storage is forbidden or full, the
 * atom keeps its value in memory. Writing `null` removes the key.
 *
 * While a page of the server is being taken over the atom has its `initial` value, as it had there; `stored` is the
 * same without waiting. `readStored` returns what is stored at this moment, which other tabs may have written just now.
 */
export function storedAtom<Value>(
  key: string,
  isValid: Check<NonNullable<Value>>,
  initial: Value,
  format: StorageFormat = 'json',
  mend: (stored: unknown) => unknown = (stored) => stored,
) {
  // The last value that could not be stored.
  let unsaved: { value: Value } | undefined;
  const remove = () => void tryStorage(() => localStorage.removeItem(key));
  const parse = (text: string | null): Value => {
    if (text === null) return initial;
    try {
      const value = mend(format === 'json' ? JSON.parse(text) : text);
      if (isValid(value)) return value;
    } catch {
      // Invalid JSON is removed like any other invalid value.
    }
    remove();
    return initial;
  };
  const readStored = (): Value =>
    unsaved ? unsaved.value : parse(tryStorage(() => localStorage.getItem(key)) ?? null);

  const kept = atom(readStored());
  kept.onMount = (set) => {
    set(readStored());
    return listen<StorageEvent>(window, ['storage'], (event) => {
      // A null key means that everything was cleared.
      if (event.storageArea === localStorage && (event.key === key || event.key === null))
        set(parse(event.key === null ? null : event.newValue));
    });
  };
  const stored = atom(
    (get) => get(kept),
    (get, set, update: Update<Value>) => {
      const value = update instanceof Function ? update(get(kept)) : update;
      set(kept, value);
      unsaved = undefined;
      try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, format === 'json' ? JSON.stringify(value) : String(value));
      } catch {
        unsaved = { value };
      }
    },
  );
  const shown = atom(
    (get) => (get(isHydratedAtom) ? get(stored) : initial),
    (_, set, update: Update<Value>) => set(stored, update),
  );
  return Object.assign(shown, { stored, readStored });
}

/** What {@link storedAtom} makes. */
export type StoredAtom<Value> = ReturnType<typeof storedAtom<Value>>;

/** The name under which a browser keeps the sessions that are still to be ended on the server. */
export const LOGOUTS_KEY = 'logouts';

/** Returns whether localStorage has a list under this key that is not empty, without loading what knows the list. */
export const isListAt = (key: string): boolean =>
  (tryStorage(() => localStorage.getItem(key)) ?? '[]') !== '[]';
