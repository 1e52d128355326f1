import { marketPagesApi } from '#contract/admin/market-pages/market-pages';
import { marketApi } from '#contract/platform/market/market';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { readMarket } from '../../platform/market/settings.ts';
import { announce, readPage, removePage, savePage } from './pages.ts';
import { MARKET_TRANSACTION_MS, updateMarket } from './service.ts';

/** Routes of the market's settings and texts. */
export const marketRoutes = (platform: Platform): Route[] => [
  route(marketApi.read, async () => ({ data: await readMarket(platform.db) })),
  route(
    marketApi.update,
    async ({ user, body }) => ({ data: await updateMarket(platform, user, body) }),
    { times: MARKET_TRANSACTION_MS },
  ),
  route(marketPagesApi.read, async ({ params }) => ({
    data: await readPage(platform, params.slug),
  })),
  route(marketPagesApi.save, async ({ user, params, body }) => ({
    data: await savePage(platform, user, params.slug, body),
  })),
  route(marketPagesApi.remove, async ({ user, params }) => {
    await removePage(platform, user, params.slug);
    return {};
  }),
  route(marketPagesApi.announce, async ({ user, body }) => ({
    data: await announce(platform, user, body),
  })),
];
