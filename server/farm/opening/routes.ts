import { openingApi } from '#contract/farm/opening/opening';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { actingFarm } from '../../platform/sessions/lock-caller.ts';
import { askForApproval, decideApproval } from './commands.ts';
import { listFarms, presentOpening, readFarm } from './read.ts';

/** Routes of a farm's way into the market. */
export const openingRoutes = (platform: Platform): Route[] => [
  route(openingApi.own, async ({ user }) => ({
    data: presentOpening(await readFarm(platform.db, actingFarm(user))),
  })),
  route(openingApi.ask, async ({ user }) => ({ data: await askForApproval(platform, user) })),
  route(openingApi.farms, async ({ query }) => listAnswer(await listFarms(platform, query))),
  route(openingApi.decide, async ({ params, user, body }) => ({
    data: await decideApproval(platform, user, params.id, body),
  })),
];
