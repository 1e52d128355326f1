import { calendarApi } from '#contract/ordering/calendar/calendar';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { closeFarmCalendar, openFarmCalendar, readFarmCalendar, readOrderFile } from './service.ts';

/** Routes of calendars; the calendars themselves are served by `serve.ts`. */
export const calendarRoutes = (platform: Platform): Route[] => [
  route(calendarApi.order, async ({ params, user }) => ({
    data: await readOrderFile(platform, params.id, user),
  })),
  route(calendarApi.farm, async ({ user }) => ({ data: await readFarmCalendar(platform, user) })),
  route(calendarApi.openFarm, async ({ user }) => ({
    data: await openFarmCalendar(platform, user),
  })),
  route(calendarApi.closeFarm, async ({ user }) => {
    await closeFarmCalendar(platform, user);
    return {};
  }),
];
