import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { placesKeys } from './keys.ts';

/** Keeps the places of the farm current. The event names only the place, so they are fetched again. */
export const placeReducers = {
  'place.changed': (cache) => refetch(cache, placesKeys.list()),
} satisfies FeatureReducers;
