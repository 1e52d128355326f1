import { setupApi } from '#contract/admin/setup/setup';
import { readSource } from '../../people/auth/sources.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { isSetupNeeded } from './link.ts';
import { setUpMarket } from './service.ts';

/** Routes that set up a market without an admin. */
export const setupRoutes = (platform: Platform): Route[] => [
  route(setupApi.state, async () => ({
    data: { isNeeded: await isSetupNeeded(platform.db) },
  })),
  route(setupApi.setUp, ({ body, ctx }) => setUpMarket(platform, body, readSource(ctx))),
];
