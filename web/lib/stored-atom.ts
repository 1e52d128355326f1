import { atomWithStorage } from 'jotai/utils';
import type { Check } from './check.ts';

/** How a value is serialized: as JSON, or as plain text. */
export type StorageFormat = 'json' | 'text';

/**
 * Creates an atom that is kept in localStorage under `key` and follows other tabs. A stored value
 * that `isValid` rejects is removed and replaced by `initial`. If the storage is forbidden or full,
 * the atom keeps its value in memory. Writing `null` removes the key.
 */
export function storedAtom<Value>(
  key: string,
  isValid: Check<NonNullable<Value>>,
  initial: Value,
  format: StorageFormat = 'json',
) {
  // The last value that could not be stored.
  let unsaved: { value: Value } | undefined;

  const parse = (text: string | null): Value => {
    if (text === null) return initial;
    try {
      const value: unknown = format === 'json' ? JSON.parse(text) : text;
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

  return atomWithStorage<Value>(
    key,
    initial,
    {
      getItem: () => {
        if (unsaved) return unsaved.value;
        try {
          return parse(localStorage.getItem(key));
        } catch {
          return initial;
        }
      },
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
}
