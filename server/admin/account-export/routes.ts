import { Readable } from 'node:stream';
import { accountExportApi } from '#contract/admin/account-export/account-export';
import { theMarket } from '#contract/platform/market/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { dayIn } from '#contract/platform/time/constants';
import type { Platform } from '../../platform/http/platform.ts';
import { fileRoute, type Route } from '../../platform/http/route.ts';
import { exportAccount } from './export.ts';

/** The export of one's own account, which reads from orders and messages and so stands above them. */
export const accountExportRoutes = (platform: Platform): Route[] => [
  fileRoute(accountExportApi.read, async ({ user, ctx }) => {
    const text = await exportAccount(platform, user);
    ctx.attachment(marketFileName(`my-data-${dayIn(theMarket().timeZone)}.json`));
    ctx.type = 'application/json; charset=utf-8';
    ctx.body = Readable.from(text);
  }),
];
