import { marketPagesApi as calls } from '#contract/admin/market-pages/constants';
import { endpoints } from '#contract/platform/http/endpoint';
import { Instant, named, one, oneLine, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { MARKET_PAGES } from '#contract/platform/market/constants';
import { MARKET_PAGE_MAX, MARKET_TEXT_MAX } from '#contract/platform/market/constants/choices';
import { changedByMarket, Market } from '#contract/platform/market/market';
import { t } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';

/** A page of the market that an admin wrote. */
export const MarketPage = named('MarketPage', {
  slug: z.enum(MARKET_PAGES),
  title: z.string(),
  /** Markdown. HTML in it is shown as text. */
  body: z.string(),
  /** The tag of the language of this text. */
  language: z.string(),
  /** The languages in which there is a text. */
  languages: z.array(z.string()),
  /** Of all texts of the page. */
  version: z.int(),
  updatedAt: Instant,
});
export type MarketPage = z.infer<typeof MarketPage>;

export const MarketPageForm = z.object({
  title: oneLine(MARKET_PAGE_MAX.title, () => t('Enter a title.')),
  body: text(MARKET_PAGE_MAX.body).min(1, { error: () => t('Write the text of the page.') }),
});
export type MarketPageForm = z.infer<typeof MarketPageForm>;
const LanguageTag = z.string().max(MARKET_TEXT_MAX.locale);
/** Absent for the market's first language. */
const InLanguage = z.object({ language: LanguageTag.optional() });
export const SaveMarketPage = MarketPageForm.extend({
  /** The language of the text; absent for the market's first. */
  language: LanguageTag.optional(),
  /** 0 for a page that is to be new. */
  expectedVersion: z.int().min(0).optional(),
});
export type SaveMarketPage = z.infer<typeof SaveMarketPage>;

/** An empty text takes the announcement away. */
export const Announce = z
  .object({
    text: text(MARKET_PAGE_MAX.announcement),
    /** Absent or null while it is to stay. */
    endsAt: Instant.refine((at) => at < '3000', {
      error: () => t('Choose a time before the year 3000.'),
    })
      .nullable()
      .default(null),
  })
  .refine(({ text, endsAt }) => text === '' || endsAt === null || Date.parse(endsAt) > clockMs(), {
    path: ['endsAt'],
    error: () => t('Choose a time that is still to come.'),
  });
export type Announce = z.infer<typeof Announce>;

const slugParams = z.object({ slug: z.enum(MARKET_PAGES, { error: () => t('Page not found') }) });

export const marketPagesApi = endpoints(calls, {
  read: {
    summary: 'A text of the market: its terms, for example',
    access: 'public',
    params: slugParams,
    /** Where there is no text in this language, the first one answers that there is. */
    query: InLanguage,
    invalidatedBy: changedByMarket,
    answer: one(MarketPage),
  },
  save: {
    summary: 'Write a text of the market',
    access: ['admin'],
    params: slugParams,
    body: SaveMarketPage,
    answer: one(MarketPage),
  },
  remove: {
    summary: 'Take a text of the market away, in one language',
    access: ['admin'],
    params: slugParams,
    query: InLanguage,
  },
  announce: {
    summary: 'Announce something on top of every page, or take the announcement away',
    access: ['admin'],
    body: Announce,
    answer: one(Market),
  },
});
