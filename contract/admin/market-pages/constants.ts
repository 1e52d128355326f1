import type { MarketPageSlug } from '#contract/platform/market/constants/market-pages';

// In a file of its own, since the foot of a visitor's first page needs it.

/** What each page is called until its title says otherwise. */
export const MARKET_PAGE_NAMES: Readonly<Record<MarketPageSlug, string>> = {
  terms: 'Terms',
  privacy: 'Privacy',
  help: 'Help',
  about: 'About',
};
