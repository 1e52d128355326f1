import { moderationApi } from '#contract/admin/moderation/moderation';
import type { Platform } from '../../platform/http/platform.ts';
import { listAnswer, type Route, route } from '../../platform/http/route.ts';
import { listReports, makeReport, readReportedMessages, settleReport } from './reports.ts';
import { SUSPENSION_TIMES_MS, setSuspension } from './suspend.ts';

/** Routes of what keeps the market in order: suspensions and reports. */
export const moderationRoutes = (platform: Platform): Route[] => [
  route(
    moderationApi.setSuspension,
    async ({ user, params, body }) => ({
      data: await setSuspension(platform, user, params.id, body),
    }),
    { times: SUSPENSION_TIMES_MS },
  ),
  route(moderationApi.report, async ({ user, body }) => ({
    data: await makeReport(platform, user, body),
  })),
  route(moderationApi.reports, async ({ query }) => listAnswer(await listReports(platform, query))),
  route(moderationApi.reportedMessages, async ({ user, params }) => ({
    data: await readReportedMessages(platform, user, params.id),
  })),
  route(moderationApi.settleReport, async ({ user, params, body }) => ({
    data: await settleReport(platform, user, params.id, body),
  })),
];
