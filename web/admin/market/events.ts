import type { QueryClient } from '@tanstack/react-query';
import type { Market } from '#contract/platform/market/constants';
import { marketQuery, showMarket } from '../../platform/format/market.ts';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { marketKeys } from './keys.ts';

/** Keeps the settings of the market current, and refetches its texts. */
export const marketReducers = {
  'market.updated': (cache, { data }) => {
    keepMarket(cache, data);
    refetch(cache, marketKeys.pages());
  },
} satisfies FeatureReducers;

/** Makes settings the ones of every screen and of the cache, unless newer ones are known. */
export function keepMarket(cache: QueryClient, market: Market): void {
  const { queryKey } = marketQuery();
  const known = cache.getQueryData(queryKey);
  if (known && known.version > market.version) return;
  showMarket(market);
  cache.setQueryData(queryKey, market);
  protectFromStaleFetch(cache, queryKey);
}
