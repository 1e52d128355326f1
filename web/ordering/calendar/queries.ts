import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { calendarApi } from '#contract/ordering/calendar/constants';
import { call } from '../../platform/api/api.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';

/** The keys of calendars in the query cache; each begins with `all`. */
export const calendarKeys = {
  all: ['calendar'] as const,
  farm: () => ['calendar', 'farm'] as const,
};

/** The address of the reader's private calendar of the farm's days. */
export const farmCalendarQuery = () =>
  queryOptions({
    queryKey: calendarKeys.farm(),
    queryFn: async ({ signal }) => (await call(calendarApi.farm, { signal })).data,
  });

/** Makes a new address; one made before ends. */
export function useOpenFarmCalendar() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(calendarApi.openFarm),
    onSuccess: ({ data }) => cache.setQueryData(calendarKeys.farm(), data),
    onError: toastError,
  });
}

/** Ends the private calendar. */
export function useCloseFarmCalendar() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => call(calendarApi.closeFarm),
    onSuccess: () => cache.setQueryData(calendarKeys.farm(), { url: null }),
    onError: toastError,
  });
}
