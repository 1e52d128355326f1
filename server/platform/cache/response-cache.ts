import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { InvalidatedBy } from '#contract/platform/http/endpoint';
import type { EventLog, Following } from '../events/event-log.ts';
import { cachedResponses } from '../metrics/metrics.ts';
import { retryWhileAway } from '../stores/postgres.ts';
import { type CachedResponse, chooseEncoding, createCachedResponse } from './cached-response.ts';

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

interface StoreLimits {
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

interface Entry extends Stored {
  route: string;
  /** In milliseconds since the epoch. */
  expiresAt: number;
  /** Rejects with what `load` threw, or with {@link NotAdmitted}. */
  loaded: Promise<CachedResponse>;
  /** Set when `loaded` resolves. */
  response: CachedResponse | undefined;
}

/** Has what is being loaded invalidated by these events too. Called before that is read. */
export type Depend = (invalidatedBy: InvalidatedBy | undefined, id: string | undefined) => void;

/** A public read and how to load it. */
export interface CacheRequest {
  /** The same for all requests with the same answer. */
  key: string;
  route: string;
  /** Undefined for what depends on other reads alone, which `load` names. */
  invalidatedBy: InvalidatedBy | undefined;
  /** The id in the path, in lower case as events have it. */
  id: string | undefined;
  /** Whether the URL has only known parameters, so that it may be indexed. */
  isPlainUrl: boolean;
  /** Called before this request loads the answer. Throws 429 when the client is over its limit. */
  admit: () => Promise<void>;
  headers: () => OutgoingHttpHeaders;
  /** Returns the body. */
  load: (depend: Depend) => Promise<string>;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

const LIMITS: StoreLimits = { entries: 2000, bytes: 64 * 1024 * 1024, urls: 4000 };
/** A language that somebody has chosen: `web/platform/format/own-language.ts`. */
const CHOICE = /\blanguage=/;
/** Approximate size of an entry without its bodies. */
const ENTRY_OVERHEAD_BYTES = 2048;
/** Longer keys and URLs, such as odd searches, are not cached. */
const KEY_LENGTH_MAX = 500;
const URL_LENGTH_MAX = 300;
/** Safety TTL in case an invalidation event is missed. */
const TTL_MS = 60_000;
/** Somewhere a day may begin at each quarter of an hour. */
const MIDNIGHTS_MS = 15 * 60_000;

/** The request that started loading the entry was rate limited; others may still load it. */
class NotAdmitted extends Error {}

const invalidationOf = (event: string, id?: string) =>
  id === undefined ? event : `${event} ${id}`;

/** Returns the names of what invalidates a read of this id. */
const namesOf = (invalidatedBy: InvalidatedBy | undefined, id: string | undefined): string[] =>
  Object.entries(invalidatedBy ?? {}).flatMap(([name, ids]) => {
    if (ids === 'never') return [];
    return [ids === 'anyId' ? invalidationOf(name) : invalidationOf(name, id)];
  });

/**
 * Creates the cache of public reads. Events of the log invalidate its entries; each process has its
 * own cache. Requests for an entry that is loading share that load.
 */
export function createResponseCache(eventLog: EventLog, limits: StoreLimits = LIMITS) {
  const store = createCacheStore<Entry>(limits);
  let following: Following | undefined;

  function invalidate(event: { name: string; data: unknown }): void {
    const { _id } = event.data as { _id?: string };
    store.invalidate(invalidationOf(event.name));
    if (_id !== undefined) store.invalidate(invalidationOf(event.name, _id));
  }

  // Invalidate synchronously so the writer reads its own write; the follower catches what this misses.
  const stopListening = eventLog.onBatch((events) => events.forEach(invalidate));

  /** Starts caching; until then each request loads its own answer. */
  async function start(): Promise<void> {
    const head = await retryWhileAway(() => eventLog.head());
    eventLog.keepUpFrom(head);
    following = eventLog.follow(head, invalidate);
  }

  function createEntry(cached: CacheRequest, request: IncomingMessage): Entry {
    const now = Date.now();
    const entry: Entry = {
      key: cached.key,
      route: cached.route,
      invalidatedBy: namesOf(cached.invalidatedBy, cached.id),
      // Products leave the catalogue at the end of their last day where their farm is.
      expiresAt: Math.min(now + TTL_MS, now - (now % MIDNIGHTS_MS) + MIDNIGHTS_MS),
      bytes: ENTRY_OVERHEAD_BYTES + cached.key.length,
      urls: new Set(),
      // Later than the rest of the entry, which it changes.
      loaded: Promise.resolve().then(() => load(cached, request, entry)),
      response: undefined,
    };
    // Add the entry before anything is read, so that an event during the load invalidates it.
    if (following && cached.key.length <= KEY_LENGTH_MAX) store.add(entry);
    entry.loaded.then(
      (response) => {
        entry.response = response;
      },
      () => store.remove(entry),
    );
    return entry;
  }

  async function load(
    cached: CacheRequest,
    request: IncomingMessage,
    entry: Entry,
  ): Promise<CachedResponse> {
    await cached.admit().catch((error: unknown) => {
      throw new NotAdmitted('Not admitted', { cause: error });
    });
    const text = await cached.load((invalidatedBy, id) =>
      store.depend(entry, namesOf(invalidatedBy, id)),
    );
    const response = createCachedResponse(text, cached.headers(), (bytes) =>
      store.grow(entry, bytes),
    );
    await response.prepare(chooseEncoding(request.headers['accept-encoding']));
    return response;
  }

  const isExpired = (entry: Entry): boolean => entry.expiresAt <= Date.now();

  /** Returns the body of a read that is cached, for this process itself; undefined when none is. */
  async function peek(key: string): Promise<string | undefined> {
    const entry = store.get(key);
    if (!entry || isExpired(entry)) return undefined;
    // The person who asked first may not have been admitted.
    return entry.loaded.then(
      (response) => response.text(),
      () => undefined,
    );
  }

  /**
   * Answers a public read from its entry, which it creates when needed.
   * Throws whatever `admit` throws for this request, or `load`.
   */
  async function answer(
    cached: CacheRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    for (;;) {
      const known = store.get(cached.key);
      const isLoadedHere = !known || isExpired(known);
      const entry = isLoadedHere ? createEntry(cached, request) : known;
      try {
        const ready = await entry.loaded;
        const url = request.url ?? '';
        if (cached.isPlainUrl && url.length <= URL_LENGTH_MAX) store.addUrl(url, entry);
        ready.send(request, response, chooseEncoding(request.headers['accept-encoding']));
        return;
      } catch (error) {
        if (!(error instanceof NotAdmitted)) throw error;
        // Another client's limit must not refuse this one: load again.
        if (isLoadedHere) throw error.cause;
      }
    }
  }

  /** Answers synchronously when the URL is indexed and its answer loaded. Returns whether it did. */
  function answerReady(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const url = request.url ?? '';
    // A page may lead to the one in the language that this browser has chosen.
    if (CHOICE.test(request.headers.cookie ?? '') && !url.startsWith('/api/')) return false;
    const entry = store.getByUrl(url);
    if (!entry?.response || isExpired(entry)) return false;
    entry.response.send(request, response, chooseEncoding(request.headers['accept-encoding']));
    cachedResponses.count(entry.route);
    return true;
  }

  async function close(): Promise<void> {
    stopListening();
    await following?.close();
  }

  return { start, peek, answer, answerReady, size: store.size, close };
}
