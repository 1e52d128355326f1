import {
  hashKey,
  matchQuery,
  type Query,
  type QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { resetMarketVersion } from '../format/market.ts';

/** Refetches of the same queries within this time become one. */
const REFETCH_DEBOUNCE_MS = 50;
const MIN_REFETCH_INTERVAL_MS = 500;

type Filter = { queryKey: QueryKey; exact: boolean };

/** What to do when the fetch of a query ends; `keepsData` keeps the data that events made. */
type Mark = { keepsData: boolean; data: unknown };

class FetchTracker {
  readonly #cache: QueryClient;
  readonly #marks = new Map<Query, Mark>();
  readonly #scheduled = new Map<string, Filter>();
  readonly #refetchedAt = new Map<string, number>();

  constructor(cache: QueryClient) {
    this.#cache = cache;
    cache.getQueryCache().subscribe((change) => {
      const query = change.query;
      const mark = this.#marks.get(query);
      if (!mark) return;
      if (change.type === 'removed') this.#marks.delete(query);
      if (change.type !== 'updated') return;
      if (query.state.fetchStatus !== 'idle') mark.data = query.state.data;
      else this.#onFetched(query, mark);
    });
  }

  mark(filter: Filter, keepsData: boolean): void {
    for (const query of this.#cache.getQueryCache().findAll({ ...filter, fetchStatus: 'fetching' }))
      this.#marks.set(query, {
        keepsData: keepsData || (this.#marks.get(query)?.keepsData ?? false),
        data: query.state.data,
      });
  }

  /**
   * The fetch was in flight when an event came, so its answer may be older than the event. Keeps the
   * event's data on the screen (observers are notified after this) and fetches again.
   */
  #onFetched(query: Query, mark: Mark): void {
    this.#marks.delete(query);
    if (mark.keepsData && mark.data !== undefined && mark.data !== query.state.data) {
      query.setData(mark.data, { manual: true });
    }
    this.refetch({ queryKey: query.queryKey, exact: true });
  }

  isOutdated(query: Query): boolean {
    if (query.state.isInvalidated) return true;
    return [...this.#scheduled.values()].some((filter) => matchQuery(filter, query));
  }

  refetch(filter: Filter): void {
    const name = `${filter.exact} ${hashKey(filter.queryKey)}`;
    if (this.#scheduled.has(name)) return;
    this.#scheduled.set(name, filter);
    const wait = Math.max(
      REFETCH_DEBOUNCE_MS,
      (this.#refetchedAt.get(name) ?? 0) + MIN_REFETCH_INTERVAL_MS - Date.now(),
    );
    setTimeout(() => {
      this.#scheduled.delete(name);
      this.#refetchedAt.set(name, Date.now());
      this.mark(filter, false);
      void this.#cache.invalidateQueries(filter, { cancelRefetch: false });
    }, wait);
  }
}

const trackers = new WeakMap<QueryClient, FetchTracker>();

function trackerOf(cache: QueryClient): FetchTracker {
  const tracker = trackers.get(cache) ?? new FetchTracker(cache);
  trackers.set(cache, tracker);
  return tracker;
}

/**
 * Call after an event changed what is cached under `queryKey` (or would have, had it been there): a
 * fetch in flight will not undo the event, and runs again. `upsert` and its like call it; only a
 * reducer that writes to the cache itself needs to.
 */
export function protectFromStaleFetch(cache: QueryClient, queryKey: QueryKey, exact = false): void {
  trackerOf(cache).mark({ queryKey, exact }, true);
}

/**
 * Refetches what is cached under `queryKey`: for what an event changes in a way that cannot be
 * computed here, such as sums. Inactive queries are refetched when they are next used. However many
 * events come, there are at most two refetches a second.
 */
export function refetch(cache: QueryClient, queryKey: QueryKey, exact = false): void {
  trackerOf(cache).refetch({ queryKey, exact });
}

/**
 * Returns whether an event has made the query's data outdated in a way that only a fetch repairs, which has not
 * answered yet.
 */
export const isOutdated = (cache: QueryClient, query: Query): boolean =>
  trackerOf(cache).isOutdated(query);

/** Repeats the fetches in flight: they may have been read before the connection was live. */
export function refetchInFlightQueries(cache: QueryClient): void {
  trackerOf(cache).mark({ queryKey: [], exact: false }, false);
}

/**
 * Call when the server's events are of another history: it was restored from a backup. Versions of the one before are
 * higher than those of the records they were restored to, and would hold on to what no longer is. So none of them
 * counts any more, what no page shows is dropped, and the rest is fetched again.
 */
export function beginOtherHistory(cache: QueryClient): void {
  const queries = cache.getQueryCache();
  for (const query of queries.getAll()) {
    if (query.getObserversCount() === 0) queries.remove(query);
    else query.setState({ data: withoutVersions(query.state.data) });
  }
  resetMarketVersion();
  void cache.invalidateQueries();
}

/** Returns an answer with versions that any other is newer than. */
const withoutVersions = (data: unknown): unknown =>
  data && JSON.parse(JSON.stringify(data), (key, value) => (key === 'version' ? 0 : value));
