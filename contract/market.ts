import {
  marketApi as calls,
  type Market as MarketSettings,
  SIGN_POSITIONS,
  WEEK_STARTS,
} from '#contract/constants/market';
import { MARKET_PAGES } from '#contract/constants/market-pages';
import { UNITS } from '#contract/constants/products';
import { event } from '#contract/event';
import { endpoint, Instant, one } from '#contract/http';
import { z } from '#contract/zod';

export * from '#contract/constants/market';

/** The public settings of the market. */
export const Market = z
  .object({
    name: z.string(),
    tagline: z.string(),
    logo: z.string(),
    contact: z.object({ address: z.string(), phone: z.string(), email: z.string() }),
    currency: z.object({
      code: z.string(),
      sign: z.string(),
      decimals: z.number().int().nonnegative(),
      position: z.enum(SIGN_POSITIONS),
    }),
    locale: z.string(),
    timeZone: z.string(),
    weekStart: z.literal(WEEK_STARTS),
    units: z.array(z.enum(UNITS)),
    unansweredMinutes: z.number().positive(),
    approvesFarms: z.boolean(),
    requiresVerifiedEmail: z.boolean(),
    pages: z.array(z.enum(MARKET_PAGES)),
    announcement: z.object({ text: z.string(), endsAt: Instant.nullable() }).nullable(),
    version: z.number().int(),
  })
  .meta({ id: 'Market' }) satisfies z.ZodType<MarketSettings>;
export type Market = MarketSettings;

export const marketEvents = {
  'market.updated': event({
    data: Market,
    summary: 'The settings of the market changed.',
    audience: 'Everyone connected.',
    rooms: [['everyone']],
    changesPublicReads: true,
  }),
};

/** Of what only the market's own settings and texts change. */
export const changedByMarket = {
  'market.updated': 'anyId',
  'category.changed': 'never',
  'product.created': 'never',
  'product.updated': 'never',
  'product.deleted': 'never',
  'farmer.updated': 'never',
  'farmer.deleted': 'never',
  'farmer.listingChanged': 'never',
  'user.created': 'never',
  'user.deleted': 'never',
} as const;

export const marketApi = {
  read: endpoint({
    ...calls.read,
    summary: 'How this market is set up',
    access: 'public',
    invalidatedBy: changedByMarket,
    answer: one(Market),
  }),
};
