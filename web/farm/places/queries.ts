import { queryOptions } from '@tanstack/react-query';
import { placesApi } from '#contract/farm/places/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The pickup places of the signed-in person's farm. */
export const placesQuery = () =>
  queryOptions({ queryKey: ['places'], queryFn: dataOf(placesApi.list) });

/** Keeps the places of the farm current. The event names only the place, so they are fetched again. */
export const placeReducers = {
  'place.changed': (cache) => refetch(cache, placesQuery().queryKey),
} satisfies FeatureReducers;
