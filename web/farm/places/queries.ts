import { queryOptions } from '@tanstack/react-query';
import { placesApi } from '#contract/farm/places/constants';
import { call } from '../../platform/api/api.ts';
import { placesKeys } from './keys.ts';

/** The pickup places of the signed-in person's farm. */
export const placesQuery = () =>
  queryOptions({
    queryKey: placesKeys.list(),
    queryFn: async ({ signal }) => (await call(placesApi.list, { signal })).data,
  });
