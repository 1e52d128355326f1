import type { Calls } from '#contract/platform/http/constants/http';

/** The pages that admins can write; `about` takes the place of our own text. */
export const MARKET_PAGES = ['terms', 'privacy', 'help', 'about'] as const;
export type MarketPageSlug = (typeof MARKET_PAGES)[number];

/** The longest title, text and announcement, in characters. */
export const MARKET_PAGE_MAX = { title: 100, body: 50_000, announcement: 300 } as const;

/** Method and path of each call; `#contract/admin/market-pages/market-pages` has the endpoints with their schemas. */
export const marketPagesApi = {
  read: { method: 'GET', path: '/market/pages/:slug' },
  save: { method: 'PUT', path: '/market/pages/:slug' },
  remove: { method: 'DELETE', path: '/market/pages/:slug' },
  announce: { method: 'PUT', path: '/market/announcement' },
} as const satisfies Calls;
