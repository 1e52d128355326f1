import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { keepMarket } from './keep-market.ts';
import { marketKeys } from './keys.ts';

/** Keeps the settings of the market current, and refetches its texts. */
export const marketReducers = {
  'market.updated': (cache, { data }) => {
    keepMarket(cache, data);
    refetch(cache, marketKeys.pages());
  },
} satisfies FeatureReducers;
