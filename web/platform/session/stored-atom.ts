import { atom } from 'jotai';
import { atomWithStorage, type RESET } from 'jotai/utils';
import type { Check } from '../api/check.ts';
import { isHydratedAtom } from '../hooks/hydration.ts';

/** What an atom is set to, or how that follows from what it was. */
export type Update<Value> = Value | typeof RESET | ((before: Value) => Value | typeof RESET);

/** How a value is serialized: as JSON, or as plain text. */
export type StorageFormat = 'json' | 'text';

/**
 * Creates an atom that is kept in localStorage under `key` and follows other tabs. A stored value
 * that `isValid` rejects once `mend` has repaired it is removed and replaced by `initial`. If the storage is forbidden or full,
 * the atom keeps its value in memory. Writing `null` removes the key.
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

  const parse = (text: string | null): Value => {
    if (text === null) return initial;
    try {
      const value = mend(format === 'json' ? JSON.parse(text) : text);
      if (isValid(value)) return value;
    } catch {
      // Invalid JSON is removed like any other invalid value.
    }
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is forbidden: there is nothing to remove.
    }
    return initial;
  };

  const readStored = (): Value => {
    if (unsaved) return unsaved.value;
    try {
      return parse(localStorage.getItem(key));
    } catch {
      return initial;
    }
  };

  const stored = atomWithStorage<Value>(
    key,
    initial,
    {
      getItem: readStored,
      setItem: (_, value) => {
        unsaved = undefined;
        try {
          if (value === null) localStorage.removeItem(key);
          else localStorage.setItem(key, format === 'json' ? JSON.stringify(value) : String(value));
        } catch {
          unsaved = { value };
        }
      },
      removeItem: () => {
        unsaved = undefined;
        try {
          localStorage.removeItem(key);
        } catch {
          // Storage is forbidden: there is nothing to remove.
        }
      },
      subscribe: (_, changed) => {
        const listen = (event: StorageEvent) => {
          // A null key means that everything was cleared.
          if (event.storageArea !== localStorage || (event.key !== key && event.key !== null))
            return;
          changed(parse(event.key === null ? null : event.newValue));
        };
        window.addEventListener('storage', listen);
        return () => window.removeEventListener('storage', listen);
      },
    },
    { getOnInit: true },
  );
  const shown = atom(
    (get) => (get(isHydratedAtom) ? get(stored) : initial),
    (_, set, update: Update<Value>) => set(stored, update),
  );
  return Object.assign(shown, { stored, readStored });
}

/** What {@link storedAtom} makes. */
export type StoredAtom<Value> = ReturnType<typeof storedAtom<Value>>;
