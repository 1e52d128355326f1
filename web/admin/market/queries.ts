import { queryOptions } from '@tanstack/react-query';
import { marketPagesApi } from '#contract/admin/market-pages/constants';
import type { MarketPageSlug } from '#contract/platform/market/constants';
import { call } from '../../platform/api/api.ts';
import { marketKeys } from './keys.ts';

/** A text that an admin wrote. */
export const marketPageQuery = (slug: MarketPageSlug) =>
  queryOptions({
    queryKey: marketKeys.page(slug),
    queryFn: async ({ signal }) =>
      (await call(marketPagesApi.read, { params: { slug }, signal })).data,
  });
