import { farmersApi } from '#contract/farm/farmers/farmers';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { updateFarmProfile } from './service.ts';

/** Route of a farmer's own profile. */
export const farmProfileRoutes = (platform: Platform): Route[] => [
  route(farmersApi.updateProfile, async ({ user, body }) => ({
    data: await updateFarmProfile(platform, user, body),
  })),
];
