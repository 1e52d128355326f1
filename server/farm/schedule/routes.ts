import { scheduleApi } from '#contract/farm/schedule/schedule';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { readPossibleDays, readSchedule, updateSchedule } from './service.ts';

/** Routes of a farm's cut-off and closed days, and of the days that follow from them. */
export const scheduleRoutes = (platform: Platform): Route[] => [
  route(scheduleApi.own, async ({ user }) => ({ data: await readSchedule(platform, user) })),
  route(scheduleApi.update, async ({ user, body }) => ({
    data: await updateSchedule(platform, user, body),
  })),
  route(scheduleApi.days, async ({ params, query, user }) => ({
    data: await readPossibleDays(platform, params.id, query, user),
  })),
];
