import { Readable } from 'node:stream';
import { accountExportApi } from '#contract/admin/account-export/account-export';
import { adminApi } from '#contract/admin/admin/admin';
import { healthApi } from '#contract/admin/health/health';
import { marketPagesApi } from '#contract/admin/market-pages/market-pages';
import { moderationApi } from '#contract/admin/moderation/moderation';
import { setupApi } from '#contract/admin/setup/setup';
import { membersApi } from '#contract/farm/members/members';
import { usersApi } from '#contract/people/users/users';
import { theMarket } from '#contract/platform/market/constants';
import { marketApi } from '#contract/platform/market/market';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { clockMs, dayIn } from '#contract/platform/time/constants';
import { listHiddenProducts } from '../catalogue/products/read.ts';
import { readSource } from '../people/auth/sources.ts';
import type { Platform } from '../platform/http/platform.ts';
import {
  dataRoute,
  fileRoute,
  listAnswer,
  listRoute,
  type Route,
  route,
} from '../platform/http/route.ts';
import { readMarket } from '../platform/market/settings.ts';
import { lockCaller } from '../platform/sessions/lock-caller.ts';
import { audit } from '../platform/stores/audit.ts';
import { settleDeliveries } from '../platform/stores/held-deliveries.ts';
import { transact } from '../platform/stores/postgres.ts';
import {
  deleteOwnAccount,
  leaveFarm,
  readDeletionOutlook,
} from './account-deletion/own-account.ts';
import { DELETION_TIMES_MS, deleteUser } from './account-deletion/service.ts';
import { exportAccount } from './account-export/export.ts';
import { listAudit } from './admin/audit.ts';
import { exportAudit, exportOrders, exportUsers } from './admin/exports.ts';
import { addNote, listNotes, ORDER_NOTES, readOrderMessages, USER_NOTES } from './admin/notes.ts';
import { getPerson, listPersonOrders, listPersonProducts } from './admin/person.ts';
import { makeBoardCookie } from './admin/queues-board.ts';
import { readAdminStats, readFeed } from './admin/stats.ts';
import { judgeHealth } from './health/judge.ts';
import { measureHealth } from './health/measure.ts';
import { sendTestMailFor } from './health/test-mail.ts';
import { readPage, removePage, savePage } from './market/pages.ts';
import { announce, MARKET_TRANSACTION_MS, updateMarket } from './market/service.ts';
import {
  listReports,
  makeReport,
  readReportedMessages,
  settleReport,
} from './moderation/reports.ts';
import { SUSPENSION_TIMES_MS, setSuspension } from './moderation/suspend.ts';
import { isSetupNeeded, setUpMarket } from './setup/service.ts';

/** Routes of admins, and those that reach into all that stands below. */
export const adminRoutes = (platform: Platform): Route[] => [
  // Deleting an account and leaving a farm, which reach into orders and messages and so stand above them.
  dataRoute(usersApi.outlook, ({ user }) => readDeletionOutlook(platform, user)),
  // Before the path with an id.
  route(
    usersApi.removeOwn,
    ({ user, body, ctx }) => deleteOwnAccount(platform, user, body, readSource(ctx)),
    { times: DELETION_TIMES_MS },
  ),
  route(
    usersApi.remove,
    ({ user, params, query }) => deleteUser(platform, user, params.id, query),
    { times: DELETION_TIMES_MS },
  ),
  route(membersApi.remove, ({ user, params }) => leaveFarm(platform, user, params.id), {
    times: DELETION_TIMES_MS,
  }),

  // The export of one's own account, which reads from orders and messages and so stands above them.
  fileRoute(accountExportApi.read, async ({ user, ctx }) => {
    const text = await exportAccount(platform, user);
    ctx.attachment(marketFileName(`my-data-${dayIn(theMarket().timeZone)}.json`));
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = Readable.from(text);
  }),

  // Routes of the market's settings and texts.
  dataRoute(marketApi.read, () => readMarket(platform.db)),
  dataRoute(marketApi.update, ({ user, body }) => updateMarket(platform, user, body), {
    times: MARKET_TRANSACTION_MS,
  }),
  dataRoute(marketPagesApi.read, ({ params, query }) => readPage(platform, params.slug, query)),
  dataRoute(marketPagesApi.save, ({ user, params, body }) =>
    savePage(platform, user, params.slug, body),
  ),
  route(marketPagesApi.remove, ({ user, params, query }) =>
    removePage(platform, user, params.slug, query),
  ),
  dataRoute(marketPagesApi.announce, ({ user, body }) => announce(platform, user, body)),

  // Routes that set up a market without an admin.
  route(setupApi.state, async () => ({
    data: { isNeeded: await isSetupNeeded(platform.db) },
  })),
  route(setupApi.setUp, ({ body, ctx }) => setUpMarket(platform, body, readSource(ctx))),

  // Routes of the admin pages.
  dataRoute(adminApi.stats, () => readAdminStats(platform)),
  listRoute(adminApi.feed, ({ query }) => readFeed(platform, query)),
  listRoute(adminApi.audit, ({ query }) => listAudit(platform, query)),
  route(adminApi.openQueues, async ({ user, ctx }) => {
    // Audited, since jobs can be retried and deleted on the board.
    await audit(platform.db, user, 'queues.opened', user.id);
    ctx.append('Set-Cookie', await makeBoardCookie(platform, user));
    return {};
  }),
  listRoute(adminApi.notes, ({ params, query }) =>
    listNotes(platform, ORDER_NOTES, params.id, query),
  ),
  dataRoute(adminApi.addNote, ({ user, params, body }) =>
    addNote(platform, user, ORDER_NOTES, params.id, body),
  ),
  listRoute(adminApi.userNotes, ({ params, query }) =>
    listNotes(platform, USER_NOTES, params.id, query),
  ),
  dataRoute(adminApi.addUserNote, ({ user, params, body }) =>
    addNote(platform, user, USER_NOTES, params.id, body),
  ),
  route(adminApi.orderMessages, async ({ user, params, query }) => {
    const { messages, nextCursor } = await readOrderMessages(platform, user, params.id, query);
    return listAnswer({ items: messages, nextCursor });
  }),
  dataRoute(adminApi.person, ({ params }) => getPerson(platform, params.id)),
  listRoute(adminApi.personOrders, ({ params, query }) =>
    listPersonOrders(platform, params.id, query),
  ),
  listRoute(adminApi.personProducts, ({ params, query }) =>
    listPersonProducts(platform, params.id, query),
  ),
  listRoute(adminApi.hiddenProducts, ({ query }) => listHiddenProducts(platform, query)),
  dataRoute(adminApi.exportOrders, ({ user, query }) => exportOrders(platform, user, query)),
  dataRoute(adminApi.exportUsers, ({ user, query }) => exportUsers(platform, user, query)),
  dataRoute(adminApi.exportAudit, ({ user, query }) => exportAudit(platform, user, query)),

  // Routes of the admins' health page.
  route(healthApi.read, async () => ({
    data: judgeHealth(await measureHealth(platform), new Date(clockMs())),
  })),
  dataRoute(healthApi.settleHeld, ({ user, body: { action } }) =>
    transact(platform.db, async (tx) => {
      await lockCaller(tx, user.id);
      const held = await settleDeliveries(tx, action);
      await audit(tx, user, action === 'send' ? 'held.sent' : 'held.dropped', user.id, held);
      return held;
    }),
  ),

  dataRoute(healthApi.sendTestMail, ({ user, body }) => sendTestMailFor(platform, user, body.to)),

  // Routes of what keeps the market in order: suspensions and reports.
  dataRoute(
    moderationApi.setSuspension,
    ({ user, params, body }) => setSuspension(platform, user, params.id, body),
    { times: SUSPENSION_TIMES_MS },
  ),
  dataRoute(moderationApi.report, ({ user, body }) => makeReport(platform, user, body)),
  listRoute(moderationApi.reports, ({ query }) => listReports(platform, query)),
  dataRoute(moderationApi.reportedMessages, ({ user, params }) =>
    readReportedMessages(platform, user, params.id),
  ),
  dataRoute(moderationApi.settleReport, ({ user, params, body }) =>
    settleReport(platform, user, params.id, body),
  ),
];
