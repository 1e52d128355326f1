import { queryOptions } from '@tanstack/react-query';
import { slotsApi } from '#contract/constants/slots';
import { call } from '../lib/api.ts';
import { slotsKeys } from './keys.ts';

/** Days, both included, by the farm's clock. */
export interface Days {
  from: string;
  to: string;
}

/** The slots that a farm offers on these days. */
export const offeredSlotsQuery = (farmId: string, { from, to }: Days) =>
  queryOptions({
    queryKey: slotsKeys.offered(farmId, from, to),
    queryFn: async ({ signal }) =>
      (await call(slotsApi.offered, { params: { id: farmId }, query: { from, to }, signal })).data,
  });

/** All slots of the signed-in person's farm on these days. */
export const farmSlotsQuery = ({ from, to }: Days) =>
  queryOptions({
    queryKey: slotsKeys.ownOf(from, to),
    queryFn: async ({ signal }) =>
      (await call(slotsApi.list, { query: { from, to }, signal })).data,
  });
