import { queryOptions } from '@tanstack/react-query';
import { addressesApi } from '#contract/people/addresses/constants';
import { call } from '../../platform/api/api.ts';
import { addressesKeys } from './keys.ts';

/** The signed-in person's addresses, the one ordered to last first. */
export const addressesQuery = () =>
  queryOptions({
    queryKey: addressesKeys.all,
    queryFn: async ({ signal }) => (await call(addressesApi.list, { signal })).data,
  });
