import { marketApi } from '#contract/market';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { readMarket } from './settings.ts';

/** Route of the market's settings. */
export const marketRoutes = ({ db }: Platform): Route[] => [
  route(marketApi.read, async () => ({ data: await readMarket(db) })),
];
