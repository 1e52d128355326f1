import { adminApi } from '#contract/admin';
import type { Platform } from '../http/platform.ts';
import { listAnswer, type Route, route } from '../http/route.ts';
import { audit } from '../process/audit.ts';
import { readFeed } from './feed.ts';
import { makeBoardCookie } from './queues-board.ts';
import { listAudit } from './service.ts';
import { readAdminStats } from './stats.ts';

/** Routes of the admin pages. */
export const adminRoutes = (platform: Platform): Route[] => [
  route(adminApi.stats, async () => ({ data: await readAdminStats(platform) })),
  route(adminApi.feed, async ({ query }) => listAnswer(await readFeed(platform, query))),
  route(adminApi.audit, async ({ query }) => listAnswer(await listAudit(platform, query))),
  route(adminApi.openQueues, async ({ user, ctx }) => {
    // Audited, since jobs can be retried and deleted on the board.
    await audit(platform.db, user, 'queues.opened', user.id);
    ctx.append('Set-Cookie', await makeBoardCookie(platform, user.id));
    return {};
  }),
];
