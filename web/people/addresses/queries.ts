import { queryOptions } from '@tanstack/react-query';
import { addressesApi } from '#contract/people/addresses/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The signed-in person's addresses, the one ordered to last first. */
export const addressesQuery = () =>
  queryOptions({ queryKey: ['addresses'], queryFn: dataOf(addressesApi.list) });

/** Keeps the person's own addresses current. */
export const addressReducers = {
  'account.changed': (cache) => refetch(cache, addressesQuery().queryKey),
} satisfies FeatureReducers;
