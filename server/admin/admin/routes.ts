import { adminApi } from '#contract/admin/admin/admin';
import { listHiddenProducts } from '../../catalogue/products/read.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { audit } from '../../platform/stores/audit.ts';
import { listAudit } from './audit.ts';
import { exportAudit, exportOrders, exportUsers } from './exports.ts';
import { readFeed } from './feed.ts';
import { addNote, listNotes, ORDER_NOTES, readOrderMessages, USER_NOTES } from './notes.ts';
import { getPerson, listPersonOrders, listPersonProducts } from './person.ts';
import { makeBoardCookie } from './queues-board.ts';
import { readAdminStats } from './stats.ts';

/** Routes of the admin pages. */
export const adminRoutes = (platform: Platform): Route[] => [
  route(adminApi.stats, async () => ({ data: await readAdminStats(platform) })),
  route(adminApi.feed, async ({ query }) => listAnswer(await readFeed(platform, query))),
  route(adminApi.audit, async ({ query }) => listAnswer(await listAudit(platform, query))),
  route(adminApi.openQueues, async ({ user, ctx }) => {
    // Audited, since jobs can be retried and deleted on the board.
    await audit(platform.db, user, 'queues.opened', user.id);
    ctx.append('Set-Cookie', await makeBoardCookie(platform, user));
    return {};
  }),
  route(adminApi.notes, async ({ params, query }) =>
    listAnswer(await listNotes(platform, ORDER_NOTES, params.id, query)),
  ),
  route(adminApi.addNote, async ({ user, params, body }) => ({
    data: await addNote(platform, user, ORDER_NOTES, params.id, body),
  })),
  route(adminApi.userNotes, async ({ params, query }) =>
    listAnswer(await listNotes(platform, USER_NOTES, params.id, query)),
  ),
  route(adminApi.addUserNote, async ({ user, params, body }) => ({
    data: await addNote(platform, user, USER_NOTES, params.id, body),
  })),
  route(adminApi.orderMessages, async ({ user, params, query }) => {
    const { messages, nextCursor } = await readOrderMessages(platform, user, params.id, query);
    return listAnswer({ items: messages, nextCursor });
  }),
  route(adminApi.person, async ({ params }) => ({ data: await getPerson(platform, params.id) })),
  route(adminApi.personOrders, async ({ params, query }) =>
    listAnswer(await listPersonOrders(platform, params.id, query)),
  ),
  route(adminApi.personProducts, async ({ params, query }) =>
    listAnswer(await listPersonProducts(platform, params.id, query)),
  ),
  route(adminApi.hiddenProducts, async ({ query }) =>
    listAnswer(await listHiddenProducts(platform, query)),
  ),
  route(adminApi.exportOrders, async ({ user, query }) => ({
    data: await exportOrders(platform, user, query),
  })),
  route(adminApi.exportUsers, async ({ user, query }) => ({
    data: await exportUsers(platform, user, query),
  })),
  route(adminApi.exportAudit, async ({ user, query }) => ({
    data: await exportAudit(platform, user, query),
  })),
];
