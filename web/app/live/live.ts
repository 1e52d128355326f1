import { notifyManager } from '@tanstack/react-query';
import type { EventName } from '#contract/platform/events/event';
import { marketReducers } from '../../admin/market/queries.ts';
import { categoryReducers } from '../../catalogue/categories/queries.ts';
import { productReducers } from '../../catalogue/products/events.ts';
import { farmerReducers } from '../../farm/farmers/events.ts';
import { placeReducers } from '../../farm/places/queries.ts';
import { slotReducers } from '../../ordering/slots/events.ts';
import { isOwnCommand, noteOwnChange } from '../../platform/queries/use-changes.ts';
import { refetch, refetchInFlightQueries } from '../../platform/realtime/in-flight.ts';
import { type LiveEvents, liveConnection } from '../../platform/realtime/live.ts';
import { setPresence } from '../../platform/realtime/presence.ts';
import type { FeatureReducers, Reducer } from '../../platform/realtime/reducer.ts';

/** Events of the connection itself: presence, and whether the cache can be trusted. */
const connectionReducers = {
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

/** The reducers of all that a visitor receives; those of people who are signed in are in a file of their own. */
export const visitorReducers = [
  connectionReducers,
  productReducers,
  categoryReducers,
  farmerReducers,
  marketReducers,
  placeReducers,
  slotReducers,
] as const;

/**
 * Reads events by the schemas of all features, and applies them feature by feature. A reducer that fails does not stop
 * the others; everything is refetched then.
 */
export const eventsFor = (features: readonly FeatureReducers[]): LiveEvents => ({
  loadSchemas: () => import('#contract/app/registry'),
  apply: (cache, event) => {
    if (isOwnCommand(event.commandId)) noteOwnChange(event.data);
    notifyManager.batch(() => {
      for (const feature of features) {
        try {
          (feature[event.name] as Reducer<EventName> | undefined)?.(cache, event);
        } catch (error) {
          console.error(`A reducer failed on ${event.name}; refetching.`, error);
          refetch(cache, []);
        }
      }
    });
  },
});

/** Opens a visitor's live connection. Loaded after the first paint, which does not wait for it. */
export const openLiveConnection = liveConnection(eventsFor(visitorReducers));
