import { calendarApi as calls } from '#contract/ordering/calendar/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoint } from '#contract/platform/http/endpoint';
import { Done, idParams, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** A file for a calendar, after RFC 5545. */
export const CalendarFile = z
  .object({ fileName: z.string(), content: z.string() })
  .meta({ id: 'CalendarFile' });
export type CalendarFile = z.infer<typeof CalendarFile>;

/** Where a calendar subscribes to the days of the caller's farm. */
export const FarmCalendar = z
  .object({
    /** Whoever has the address can read the calendar; null while there is none. */
    url: z.string().nullable(),
  })
  .meta({ id: 'FarmCalendar' });
export type FarmCalendar = z.infer<typeof FarmCalendar>;

const farmCalls = { access: ['farmer'], farmPermission: 'read' } as const;

export const calendarApi = {
  order: endpoint({
    ...calls.order,
    summary: 'The pickup or delivery of an order as a file for a calendar',
    access: ROLES,
    farmPermission: 'read',
    params: idParams('Order not found'),
    answer: one(CalendarFile),
    failures: [404],
  }),
  farm: endpoint({
    ...calls.farm,
    ...farmCalls,
    summary: "The address of the caller's private calendar of the farm's days",
    answer: one(FarmCalendar),
  }),
  openFarm: endpoint({
    ...calls.openFarm,
    ...farmCalls,
    summary: 'Make a new address for the private calendar; one made before ends',
    answer: one(FarmCalendar),
    rate: 'writes',
    notRepeatable: 'Its answer is a secret, which is stored nowhere.',
  }),
  closeFarm: endpoint({
    ...calls.closeFarm,
    ...farmCalls,
    summary: 'End the private calendar',
    answer: Done,
    rate: 'writes',
  }),
};

declare module '#contract/platform/http/endpoint' {
  interface ApiRegistry {
    calendar: typeof calendarApi;
  }
}
