/** The pages that admins can write; `about` takes the place of our own text. */
export const MARKET_PAGES = ['terms', 'privacy', 'help', 'about'] as const;
export type MarketPageSlug = (typeof MARKET_PAGES)[number];

/** The longest title, text and announcement, in characters. */
export const MARKET_PAGE_MAX = { title: 100, body: 50_000, announcement: 300 } as const;
