import { farmersApi } from '#contract/farmers';
import type { Platform } from '../http/platform.ts';
import { listAnswer, type Route, route } from '../http/route.ts';
import { listFarmers, readFarmer, updateFarmProfile } from './service.ts';

/** Routes of farms, for everyone, and of a farmer's own profile. */
export const farmersRoutes = (platform: Platform): Route[] => [
  route(farmersApi.list, async ({ query }) => listAnswer(await listFarmers(platform, query))),
  route(farmersApi.updateProfile, async ({ user, body }) => ({
    data: await updateFarmProfile(platform, user.id, body),
  })),
  route(farmersApi.detail, async ({ params }) => ({ data: await readFarmer(platform, params.id) })),
];
