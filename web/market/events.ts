import { setMarket } from '#contract/constants/market';
import { marketQuery } from '../lib/market.ts';
import { protectFromStaleFetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';

/** Keeps the settings of the market current, unless newer ones are known. */
export const marketReducers = {
  'market.updated': (cache, { data }) => {
    const { queryKey } = marketQuery();
    const known = cache.getQueryData(queryKey);
    if (known && known.version > data.version) return;
    setMarket(data);
    cache.setQueryData(queryKey, data);
    protectFromStaleFetch(cache, queryKey);
  },
} satisfies FeatureReducers;
