import { queryOptions } from '@tanstack/react-query';
import { addressesApi } from '#contract/people/addresses/constants';
import { call } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The key of the signed-in person's addresses in the query cache. */
export const addressesKeys = { all: ['addresses'] as const };

/** The signed-in person's addresses, the one ordered to last first. */
export const addressesQuery = () =>
  queryOptions({
    queryKey: addressesKeys.all,
    queryFn: async ({ signal }) => (await call(addressesApi.list, { signal })).data,
  });

/** Keeps the person's own addresses current. */
export const addressReducers = {
  'account.changed': (cache) => refetch(cache, addressesKeys.all),
} satisfies FeatureReducers;
