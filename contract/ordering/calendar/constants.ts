import type { Calls } from '#contract/platform/http/constants';

export const calendarApi = {
  order: { method: 'GET', path: '/orders/:id/calendar' },
  farm: { method: 'GET', path: '/farm/calendar' },
  openFarm: { method: 'POST', path: '/farm/calendar' },
  closeFarm: { method: 'DELETE', path: '/farm/calendar' },
} as const satisfies Calls;
