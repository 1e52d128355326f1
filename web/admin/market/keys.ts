import type { MarketPageSlug } from '#contract/platform/market/constants';

/** Query keys of the market's texts. */
export const marketKeys = {
  pages: () => ['market-pages'] as const,
  page: (slug: MarketPageSlug) => [...marketKeys.pages(), slug] as const,
};
