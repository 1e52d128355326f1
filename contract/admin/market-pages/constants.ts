import type { Calls } from '#contract/platform/http/constants';
import type { MarketPageSlug } from '#contract/platform/market/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';

// In a file of its own, since the foot of a visitor's first page needs it.

/** What each page is called until its title says otherwise. */
export const MARKET_PAGE_NAMES: Readonly<Record<MarketPageSlug, Message>> = {
  terms: msg('Terms'),
  privacy: msg('Privacy'),
  help: msg('Help'),
  about: msg('About'),
};

export const marketPagesApi = {
  read: { method: 'GET', path: '/market/pages/:slug' },
  save: { method: 'PUT', path: '/market/pages/:slug' },
  remove: { method: 'DELETE', path: '/market/pages/:slug' },
  announce: { method: 'PUT', path: '/market/announcement' },
} as const satisfies Calls;
