import type { QueryClient } from '@tanstack/react-query';
import { resetMarketVersion } from '../format/market.ts';

/**
 * Call when the server's events are of another history: it was restored from a backup. Versions of the one before are
 * higher than those of the records they were restored to, and would hold on to what no longer is. So none of them counts
 * any more, what no page shows is dropped, and the rest is fetched again.
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
