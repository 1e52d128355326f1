import { queryOptions } from '@tanstack/react-query';
import { scheduleApi } from '#contract/farm/schedule/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of farms' days in the query cache; each begins with `all`. */
export const scheduleKeys = {
  all: ['schedule'] as const,
  own: () => ['schedule', 'own'] as const,
  /** The days of whatever farm; `days(farmId)` begins with it. */
  allDays: () => ['schedule', 'days'] as const,
  days: (farmId: string) => ['schedule', 'days', farmId] as const,
};

/** The cut-off and closed days of the signed-in person's farm. */
export const ownScheduleQuery = () =>
  queryOptions({
    queryKey: scheduleKeys.own(),
    queryFn: dataOf(scheduleApi.own),
  });

/**
 * The days of the next month for which one can order from a farm. Cut-offs pass without an event, so it is
 * fetched each time it is shown, and its reader leaves out days whose `ordersUntil` has come.
 */
export const possibleDaysQuery = (farmId: string) =>
  queryOptions({
    queryKey: scheduleKeys.days(farmId),
    queryFn: dataOf(scheduleApi.days, { params: { id: farmId } }),
    staleTime: 0,
    refetchOnMount: 'always',
  });

/** Keeps farms' days current: hours, cut-offs and closed days all change with the farm. */
export const scheduleReducers = {
  'farmer.updated': (cache, event) => {
    refetch(cache, scheduleKeys.days(event.data._id));
    // It may be the user's own; a user without a farm has nothing to refetch.
    refetch(cache, scheduleKeys.own());
  },
  'farmer.deleted': (cache, event) => refetch(cache, scheduleKeys.days(event.data._id)),
  'farmer.listingChanged': (cache, event) => refetch(cache, scheduleKeys.days(event.data._id)),
} satisfies FeatureReducers;
