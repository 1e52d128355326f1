import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { marketPagesApi } from '#contract/admin/market-pages/constants';
import {
  type MarketPageSlug,
  type SentMarket,
  theMarket,
} from '#contract/platform/market/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import { dataOf } from '../../platform/api/api.ts';
import { completed, marketQuery, showMarket } from '../../platform/format/market.ts';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** Query keys of the market's texts. */
export const marketKeys = {
  pages: () => ['market-pages'] as const,
  page: (slug: MarketPageSlug, language: string) =>
    [...marketKeys.pages(), slug, language] as const,
};

/** A text that an admin wrote, in the reader's language unless given; in another one where there is none. */
export const marketPageQuery = (slug: MarketPageSlug, language: string = theReader().language) =>
  queryOptions({
    queryKey: marketKeys.page(slug, language),
    queryFn: dataOf(marketPagesApi.read, {
      params: { slug },
      query: language === theMarket().languages[0] ? {} : { language },
    }),
  });

/** Keeps the settings of the market current, and refetches its texts. */
export const marketReducers = {
  'market.updated': (cache, { data }) => {
    keepMarket(cache, data);
    refetch(cache, marketKeys.pages());
  },
} satisfies FeatureReducers;

/** Makes settings the ones of every screen and of the cache, unless newer ones are known. */
export function keepMarket(cache: QueryClient, market: SentMarket): void {
  const { queryKey } = marketQuery();
  const known = cache.getQueryData(queryKey);
  if (known && known.version > market.version) return;
  showMarket(market);
  cache.setQueryData(queryKey, completed(market));
  protectFromStaleFetch(cache, queryKey);
}
