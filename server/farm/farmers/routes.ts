import { farmersApi } from '#contract/farm/farmers/farmers';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { listFarmers, readFarmer } from './service.ts';

/** Routes of farms, for everyone. */
export const farmersRoutes = (platform: Platform): Route[] => [
  route(farmersApi.list, async ({ query }) => listAnswer(await listFarmers(platform, query))),
  route(farmersApi.detail, async ({ params, user }) => ({
    data: await readFarmer(platform, params.id, user),
  })),
];
