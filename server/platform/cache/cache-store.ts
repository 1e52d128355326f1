import { LRUCache } from 'lru-cache';

/** The fields of an entry that the store uses. */
export interface Stored {
  readonly key: string;
  /** Names of what invalidates the entry; see `invalidate`. Change it only through `depend`. */
  invalidatedBy: readonly string[];
  /** Size of the entry; change it only through `grow`. */
  bytes: number;
  /** Raw URLs that map to the entry without parsing. */
  readonly urls: Set<string>;
}

export interface StoreLimits {
  entries: number;
  bytes: number;
  /** Raw URLs remembered over all entries. */
  urls: number;
}

/**
 * Creates an LRU cache with limits on entries and bytes, and an index by what invalidates them. A
 * second, smaller index maps raw URLs to entries.
 */
export function createCacheStore<Entry extends Stored>(limits: StoreLimits) {
  // In an object of its own, because setting the same value again does not change its size.
  const entries = new LRUCache<string, { entry: Entry }>({
    max: limits.entries,
    maxSize: limits.bytes,
    sizeCalculation: ({ entry }) => entry.bytes,
    noDisposeOnSet: true,
    dispose: ({ entry }) => removeFromIndexes(entry),
  });
  const byUrl = new LRUCache<string, Entry>({
    max: limits.urls,
    dispose: (entry, url) => entry.urls.delete(url),
  });
  const byInvalidation = new Map<string, Set<Entry>>();

  const has = (entry: Entry): boolean => entries.peek(entry.key)?.entry === entry;

  /** Returns an entry by key and marks it as used. */
  const get = (key: string): Entry | undefined => entries.get(key)?.entry;

  /** Returns an entry by raw URL and marks both as used. */
  function getByUrl(url: string): Entry | undefined {
    const entry = byUrl.get(url);
    return entry && get(entry.key);
  }

  function add(entry: Entry): void {
    entries.delete(entry.key);
    entries.set(entry.key, { entry });
    if (has(entry)) indexNames(entry, entry.invalidatedBy);
  }

  function indexNames(entry: Entry, names: readonly string[]): void {
    for (const name of names) {
      const affected = byInvalidation.get(name);
      if (affected) affected.add(entry);
      else byInvalidation.set(name, new Set([entry]));
    }
  }

  /** Adds names to those that invalidate an entry. */
  function depend(entry: Entry, names: readonly string[]): void {
    const more = names.filter((name) => !entry.invalidatedBy.includes(name));
    if (more.length === 0) return;
    entry.invalidatedBy = [...entry.invalidatedBy, ...more];
    if (has(entry)) indexNames(entry, more);
  }

  function removeFromIndexes(entry: Entry): void {
    for (const url of entry.urls) byUrl.delete(url);
    for (const name of entry.invalidatedBy) {
      const affected = byInvalidation.get(name);
      affected?.delete(entry);
      if (affected?.size === 0) byInvalidation.delete(name);
    }
  }

  function remove(entry: Entry): void {
    if (has(entry)) entries.delete(entry.key);
  }

  /** Adds `more` bytes to an entry's size and evicts others beyond the limit. */
  function grow(entry: Entry, more: number): void {
    entry.bytes += more;
    if (has(entry)) entries.set(entry.key, { entry });
  }

  /** Maps a raw URL to an entry. */
  function addUrl(url: string, entry: Entry): void {
    if (!has(entry) || byUrl.peek(url) === entry) return;
    byUrl.set(url, entry);
    entry.urls.add(url);
  }

  /** Removes every entry that `name` invalidates. */
  function invalidate(name: string): void {
    for (const entry of [...(byInvalidation.get(name) ?? [])]) remove(entry);
  }

  return {
    has,
    get,
    getByUrl,
    add,
    remove,
    depend,
    grow,
    addUrl,
    invalidate,
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize, urls: byUrl.size }),
  };
}
