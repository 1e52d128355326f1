import { atomWithStorage } from 'jotai/utils';

/** What a schema must be able to do here; every zod schema can. */
type Schema<Value> = {
  safeParse: (value: unknown) => { success: true; data: Value } | { success: false };
};

/** How a value is written: as JSON, or as the bare text it is. */
export type Writing = 'json' | 'text';

/**
 * An atom kept in the browser's storage under `key`. What is read is checked against `schema`: a
 * value that is broken, or older than today's form, is dropped and `initial` stands instead. Other
 * tabs of the same browser follow. Where storage is forbidden or full, the atom still works and is
 * forgotten with the page. `null` is written as nothing at all.
 */
export function storedAtom<Value>(
  key: string,
  schema: Schema<NonNullable<Value>>,
  initial: Value,
  writing: Writing = 'json',
) {
  // What this page wrote while the storage refused it.
  let unsaved: { value: Value } | undefined;

  const parse = (text: string | null): Value => {
    if (text === null) return initial;
    try {
      const parsed = schema.safeParse(writing === 'json' ? JSON.parse(text) : text);
      if (parsed.success) return parsed.data;
    } catch {
      // Not JSON: as broken as anything else that does not fit.
    }
    try {
      localStorage.removeItem(key);
    } catch {
      // Storage is forbidden: there is nothing to drop.
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
          else
            localStorage.setItem(key, writing === 'json' ? JSON.stringify(value) : String(value));
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
