import { queryOptions } from '@tanstack/react-query';
import { calendarApi } from '#contract/ordering/calendar/constants';
import { call, dataOf } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';

/** The keys of calendars in the query cache; each begins with `all`. */
export const calendarKeys = {
  all: ['calendar'] as const,
  farm: () => ['calendar', 'farm'] as const,
};

/** The address of the reader's private calendar of the farm's days. */
export const farmCalendarQuery = () =>
  queryOptions({
    queryKey: calendarKeys.farm(),
    queryFn: dataOf(calendarApi.farm),
  });

/** Makes a new address; one made before ends. */
export const useOpenFarmCalendar = () =>
  useCommand(() => call(calendarApi.openFarm), {
    onSuccess: (cache, { data }) => cache.setQueryData(calendarKeys.farm(), data),
  });

/** Ends the private calendar. */
export const useCloseFarmCalendar = () =>
  useCommand(() => call(calendarApi.closeFarm), {
    onSuccess: (cache) => cache.setQueryData(calendarKeys.farm(), { url: null }),
  });
