import { weightsApi } from '#contract/ordering/weights/weights';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { WEIGH_TIMES_MS, weighLine, weighLines } from './weigh.ts';

/** The calls that say what the lines of orders weigh. */
export const weightsRoutes = (platform: Platform): Route[] => [
  route(weightsApi.weigh, async ({ params, user, body }) => ({
    data: await weighLine(platform, user, params.id, { ...body, lineId: params.lineId }),
  })),
  route(
    weightsApi.weighAll,
    async ({ user, body }) => ({ data: await weighLines(platform, user, body) }),
    { times: WEIGH_TIMES_MS },
  ),
];
