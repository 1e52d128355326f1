import { queryOptions } from '@tanstack/react-query';
import { scheduleApi } from '#contract/farm/schedule/constants';
import { call } from '../../platform/api/api.ts';
import { scheduleKeys } from './keys.ts';

/** The cut-off and closed days of the signed-in person's farm. */
export const ownScheduleQuery = () =>
  queryOptions({
    queryKey: scheduleKeys.own(),
    queryFn: async ({ signal }) => (await call(scheduleApi.own, { signal })).data,
  });

/**
 * The days of the next month for which one can order from a farm. Cut-offs pass without an event, so it is
 * fetched each time it is shown, and whoever shows it leaves out days whose `ordersUntil` has come.
 */
export const possibleDaysQuery = (farmId: string) =>
  queryOptions({
    queryKey: scheduleKeys.days(farmId),
    queryFn: async ({ signal }) =>
      (await call(scheduleApi.days, { params: { id: farmId }, signal })).data,
    staleTime: 0,
    refetchOnMount: 'always',
  });
