import type { Calls } from '#contract/platform/http/constants/http';

/** Method and path of each call; `#contract/ordering/calendar/calendar` has the endpoints with their schemas. */
export const calendarApi = {
  order: { method: 'GET', path: '/orders/:id/calendar' },
  farm: { method: 'GET', path: '/farm/calendar' },
  openFarm: { method: 'POST', path: '/farm/calendar' },
  closeFarm: { method: 'DELETE', path: '/farm/calendar' },
} as const satisfies Calls;
