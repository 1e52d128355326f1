import { distrustFetches } from './in-flight.ts';
import { setPresence } from './presence.ts';
import type { FeatureReducers } from './reducer.ts';

/** What the connection itself tells: who is there, and how far one may trust what is cached. */
export const connectionReducers = {
  'presence.changed': (_, event) => setPresence(event.data),
  // Whatever is being fetched may have been read before we began to hear.
  synced: (cache) => distrustFetches(cache),
  // Nobody can say what was missed: what is shown is read again, and the rest is forgotten.
  resync: (cache) => {
    cache.removeQueries({ type: 'inactive' });
    distrustFetches(cache);
    void cache.invalidateQueries(undefined, { cancelRefetch: false });
  },
} satisfies FeatureReducers;
