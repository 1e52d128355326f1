import { refetchInFlightQueries } from './in-flight.ts';
import { setPresence } from './presence.ts';
import type { FeatureReducers } from './reducer.ts';

/** Events of the connection itself: presence, and whether the cache can be trusted. */
export const connectionReducers = {
  'presence.changed': (_, event) => setPresence(event.data),
  // Fetches in flight may have been read before the connection was live.
  synced: (cache) => refetchInFlightQueries(cache),
  // Events were missed: active queries are refetched, the others dropped.
  resync: (cache) => {
    cache.removeQueries({ type: 'inactive' });
    refetchInFlightQueries(cache);
    void cache.invalidateQueries(undefined, { cancelRefetch: false });
  },
} satisfies FeatureReducers;
