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
  // A Map iterates in insertion order: moving a used entry to the end keeps the oldest at the front.
  const entries = new Map<string, Entry>();
  const byUrl = new Map<string, Entry>();
  const byInvalidation = new Map<string, Set<Entry>>();
  let bytes = 0;
  let newestEntry: Entry | undefined;
  let newestUrl: string | undefined;

  const has = (entry: Entry): boolean => entries.get(entry.key) === entry;

  function touch(entry: Entry): void {
    if (entry === newestEntry) return;
    entries.delete(entry.key);
    entries.set(entry.key, entry);
    newestEntry = entry;
  }

  /** Returns an entry by key and marks it as used. */
  function get(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry) touch(entry);
    return entry;
  }

  /** Returns an entry by raw URL and marks both as used. */
  function getByUrl(url: string): Entry | undefined {
    const entry = byUrl.get(url);
    if (!entry) return undefined;
    if (url !== newestUrl) {
      byUrl.delete(url);
      byUrl.set(url, entry);
      newestUrl = url;
    }
    touch(entry);
    return entry;
  }

  function add(entry: Entry): void {
    const replaced = entries.get(entry.key);
    if (replaced) remove(replaced);
    entries.set(entry.key, entry);
    newestEntry = entry;
    indexNames(entry, entry.invalidatedBy);
    bytes += entry.bytes;
    evict();
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

  function remove(entry: Entry): void {
    if (!has(entry)) return;
    entries.delete(entry.key);
    if (newestEntry === entry) newestEntry = undefined;
    for (const url of entry.urls) byUrl.delete(url);
    entry.urls.clear();
    for (const name of entry.invalidatedBy) {
      const affected = byInvalidation.get(name);
      affected?.delete(entry);
      if (affected?.size === 0) byInvalidation.delete(name);
    }
    bytes -= entry.bytes;
  }

  /** Adds `more` bytes to an entry's size and evicts others beyond the limit. */
  function grow(entry: Entry, more: number): void {
    entry.bytes += more;
    if (!has(entry)) return;
    bytes += more;
    touch(entry);
    evict();
  }

  function evict(): void {
    for (const oldest of entries.values()) {
      if (entries.size <= limits.entries && bytes <= limits.bytes) return;
      remove(oldest);
    }
  }

  /** Maps a raw URL to an entry. */
  function addUrl(url: string, entry: Entry): void {
    if (!has(entry) || byUrl.get(url) === entry) return;
    byUrl.get(url)?.urls.delete(url);
    byUrl.set(url, entry);
    entry.urls.add(url);
    newestUrl = url;
    for (const [oldest, oldestEntry] of byUrl) {
      if (byUrl.size <= limits.urls) return;
      byUrl.delete(oldest);
      oldestEntry.urls.delete(oldest);
    }
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
    size: () => ({ entries: entries.size, bytes, urls: byUrl.size }),
  };
}
