import { event } from '#contract/platform/events/event';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  ExpectedVersion,
  Instant,
  one,
  oneLine,
  optionalLine,
  TimeZone,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import {
  marketApi as calls,
  MARKET_PAGES,
  MARKET_TEXT_MAX,
  type Market as MarketSettings,
  SIGN_POSITIONS,
  WEEK_STARTS,
} from '#contract/platform/market/constants';
import {
  ContactEmail,
  CurrencyCode,
  CurrencyDecimals,
  CurrencySign,
  LocaleTag,
  OfferedUnits,
  UnansweredMinutes,
} from '#contract/platform/market/market-fields';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { UploadUrl } from '#contract/platform/uploads/uploads';

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
      decimals: z.int().nonnegative(),
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
    announcement: z
      .object({ text: z.string(), endsAt: Instant.nullable(), announcedAt: Instant })
      .nullable(),
    version: z.int(),
  })
  .meta({ id: 'Market' }) satisfies z.ZodType<MarketSettings>;
export type Market = MarketSettings;

/** The settings as an admin sends them, all of them. */
export const MarketForm = z.object({
  name: oneLine(MARKET_TEXT_MAX.name, 'Enter the name of the market.'),
  tagline: optionalLine(MARKET_TEXT_MAX.tagline),
  logo: z.union([z.literal(''), UploadUrl], 'Upload the logo first.'),
  contact: z.object({
    address: optionalLine(MARKET_TEXT_MAX.address),
    phone: optionalLine(MARKET_TEXT_MAX.phone),
    email: ContactEmail,
  }),
  currency: z.object({
    code: CurrencyCode,
    sign: CurrencySign,
    decimals: CurrencyDecimals,
    position: z.enum(SIGN_POSITIONS, 'Choose where the sign stands.'),
  }),
  locale: LocaleTag,
  timeZone: TimeZone,
  weekStart: z.literal(WEEK_STARTS, 'Choose the day a week begins with.'),
  units: OfferedUnits,
  unansweredMinutes: UnansweredMinutes,
  approvesFarms: z.boolean(),
  requiresVerifiedEmail: z.boolean(),
});
export type MarketForm = z.infer<typeof MarketForm>;

/** Settings left out keep what they were, those of the contact and the currency too. */
export const UpdateMarket = MarketForm.extend({
  contact: MarketForm.shape.contact.partial(),
  currency: MarketForm.shape.currency.partial(),
})
  .partial()
  .extend({ expectedVersion: ExpectedVersion });
export type UpdateMarket = z.infer<typeof UpdateMarket>;

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

export const marketApi = endpoints(calls, {
  read: {
    summary: 'How this market is set up',
    access: 'public',
    invalidatedBy: changedByMarket,
    answer: one(Market),
  },
  update: {
    summary: 'Change settings of the market; those left out keep their value',
    access: ['admin'],
    body: UpdateMarket,
    answer: one(Market),
  },
});

type MarketEvents = typeof marketEvents;
declare module '#contract/platform/events/event' {
  interface EventRegistry extends MarketEvents {}
}

declare module '#contract/platform/http/endpoint' {
  interface ApiRegistry {
    market: typeof marketApi;
  }
}
