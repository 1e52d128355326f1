import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Milliseconds in which several reasons to ask again become one question. */
const SOON = 50;
/** Milliseconds between two questions about the same thing, however much happens. */
const APART = 500;

type Filter = { queryKey: QueryKey; exact: boolean };

/** What is to be done when the fetch of a query ends. `hold` keeps the data the events made. */
type Mark = { hold: boolean; data: unknown };

class Watcher {
  readonly #cache: QueryClient;
  readonly #marks = new Map<Query, Mark>();
  readonly #waiting = new Set<string>();
  readonly #asked = new Map<string, number>();

  constructor(cache: QueryClient) {
    this.#cache = cache;
    cache.getQueryCache().subscribe((change) => {
      const query = change.query;
      const mark = this.#marks.get(query);
      if (!mark) return;
      if (change.type === 'removed') this.#marks.delete(query);
      if (change.type !== 'updated') return;
      if (query.state.fetchStatus !== 'idle') mark.data = query.state.data;
      else this.#landed(query, mark);
    });
  }

  mark(filter: Filter, hold: boolean): void {
    for (const query of this.#cache.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' }))
      this.#marks.set(query, {
        hold: hold || (this.#marks.get(query)?.hold ?? false),
        data: query.state.data,
      });
  }

  /**
   * The answer was on its way when an event came, so nobody knows whether it knows of the event.
   * What the event made stays on the screen (observers are told after this), and we ask again.
   */
  #landed(query: Query, mark: Mark): void {
    this.#marks.delete(query);
    if (mark.hold && mark.data !== undefined && mark.data !== query.state.data) {
      query.setData(mark.data, { manual: true });
    }
    this.ask({ queryKey: query.queryKey, exact: true });
  }

  ask(filter: Filter): void {
    const name = `${filter.exact} ${hashKey(filter.queryKey)}`;
    if (this.#waiting.has(name)) return;
    this.#waiting.add(name);
    const wait = Math.max(SOON, (this.#asked.get(name) ?? 0) + APART - Date.now());
    setTimeout(() => {
      this.#waiting.delete(name);
      this.#asked.set(name, Date.now());
      this.mark(filter, false);
      void this.#cache.invalidateQueries(filter, { cancelRefetch: false });
    }, wait);
  }
}

const watchers = new WeakMap<QueryClient, Watcher>();

function watcherOf(cache: QueryClient): Watcher {
  let watcher = watchers.get(cache);
  if (!watcher) {
    watcher = new Watcher(cache);
    watchers.set(cache, watcher);
  }
  return watcher;
}

/**
 * To be called when an event has changed what is cached under `queryKey` (or would have, had it
 * been there): a fetch under it that is on its way will not undo the event, and is done again.
 * {@link upsert} and its like call it; only a reducer that writes to the cache itself need do so.
 */
export function touched(cache: QueryClient, queryKey: QueryKey, exact = false): void {
  watcherOf(cache).mark({ queryKey, exact }, true);
}

/**
 * Asks the server again for what is cached under `queryKey`: for what an event changes in a way
 * that cannot be worked out here, such as sums. What is not on the screen is asked for when it next
 * is. Storms of events become two questions a second.
 */
export function refetch(cache: QueryClient, queryKey: QueryKey, exact = false): void {
  watcherOf(cache).ask({ queryKey, exact });
}

/**
 * Does all over again what is being fetched at this moment: it may have been read before we began
 * to hear of changes.
 */
export function distrustFetches(cache: QueryClient): void {
  watcherOf(cache).mark({ queryKey: [], exact: false }, false);
}
