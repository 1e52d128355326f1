import { marketQuery, showMarket } from '../lib/market.ts';
import { protectFromStaleFetch, refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { marketKeys } from './keys.ts';

/** Keeps the settings of the market current, unless newer ones are known, and refetches its texts. */
export const marketReducers = {
  'market.updated': (cache, { data }) => {
    const { queryKey } = marketQuery();
    const known = cache.getQueryData(queryKey);
    if (known && known.version > data.version) return;
    showMarket(data);
    cache.setQueryData(queryKey, data);
    protectFromStaleFetch(cache, queryKey);
    refetch(cache, marketKeys.pages());
  },
} satisfies FeatureReducers;
