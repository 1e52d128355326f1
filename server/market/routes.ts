import { marketApi } from '#contract/market';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';

/** Route of the market settings that clients need. */
export const marketRoutes = ({ env }: Platform): Route[] => [
  route(marketApi.read, async () => ({
    data: {
      unansweredMinutes: env.UNANSWERED_AFTER_SECONDS / 60,
      timeZone: env.MARKET_TIME_ZONE,
    },
  })),
];
