import { calendarApi as calls } from '#contract/ordering/calendar/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { idParams, named, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** A file for a calendar, after RFC 5545. */
export const CalendarFile = named('CalendarFile', { fileName: z.string(), content: z.string() });
export type CalendarFile = z.infer<typeof CalendarFile>;

/** Where a calendar subscribes to the days of the caller's farm. */
export const FarmCalendar = named('FarmCalendar', {
  /** Anyone who has the address can read the calendar; null while there is none. */
  url: z.string().nullable(),
});
export type FarmCalendar = z.infer<typeof FarmCalendar>;

export const calendarApi = endpoints(calls, {
  order: {
    summary: 'The pickup or delivery of an order as a file for a calendar',
    access: ROLES,
    farmPermission: 'read',
    params: idParams(() => t('Order not found')),
    answer: one(CalendarFile),
  },
  farm: {
    ...forFarm('read'),
    summary: "The address of the caller's private calendar of the farm's days",
    answer: one(FarmCalendar),
  },
  openFarm: {
    ...forFarm('read'),
    summary: 'Make a new address for the private calendar; one made before ends',
    answer: one(FarmCalendar),
    notRepeatable: 'Its answer is a secret, which is stored nowhere.',
  },
  closeFarm: {
    ...forFarm('read'),
    summary: 'End the private calendar',
  },
});
