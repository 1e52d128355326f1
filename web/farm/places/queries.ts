import { queryOptions } from '@tanstack/react-query';
import { placesApi } from '#contract/farm/places/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of a farm's pickup places in the query cache; each begins with `all`. */
export const placesKeys = {
  all: ['places'] as const,
  list: () => ['places', 'list'] as const,
};

/** The pickup places of the signed-in person's farm. */
export const placesQuery = () =>
  queryOptions({
    queryKey: placesKeys.list(),
    queryFn: async ({ signal }) => (await call(placesApi.list, { signal })).data,
  });

/** Keeps the places of the farm current. The event names only the place, so they are fetched again. */
export const placeReducers = {
  'place.changed': (cache) => refetch(cache, placesKeys.list()),
} satisfies FeatureReducers;
