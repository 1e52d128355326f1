import { queryOptions } from '@tanstack/react-query';
import { marketPagesApi } from '#contract/admin/market-pages/constants';
import type { MarketPageSlug } from '#contract/platform/market/constants/market-pages';
import { call } from '../../platform/api/api.ts';

/** A text that an admin wrote. */
export const marketPageQuery = (slug: MarketPageSlug) =>
  queryOptions({
    queryKey: marketKeys.page(slug),
    queryFn: async ({ signal }) =>
      (await call(marketPagesApi.read, { params: { slug }, signal })).data,
  });

/** Query keys of the market's texts. */
export const marketKeys = {
  pages: () => ['market-pages'] as const,
  page: (slug: MarketPageSlug) => [...marketKeys.pages(), slug] as const,
};
