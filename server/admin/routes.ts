import { adminApi } from '#contract/admin';
import type { Platform } from '../platform/platform.ts';
import { listAnswer, type Route, route } from '../platform/route.ts';
import { readFeed } from './feed.ts';
import { listAudit } from './service.ts';
import { readAdminStats } from './stats.ts';

/** What admins see of the whole market. */
export const adminRoutes = (platform: Platform): Route[] => [
  route(adminApi.stats, async () => ({ data: await readAdminStats(platform) })),
  route(adminApi.feed, async ({ query }) => listAnswer(await readFeed(platform, query))),
  route(adminApi.audit, async ({ query }) => listAnswer(await listAudit(platform, query))),
];
