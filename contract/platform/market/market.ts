import { event } from '#contract/platform/events/event';
import { readableEmail } from '#contract/platform/http/email';
import { endpoints } from '#contract/platform/http/endpoint';
import {
  Email,
  ExpectedVersion,
  Instant,
  one,
  oneLine,
  optionalLine,
  optionalUrl,
  TimeZone,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import {
  marketApi as calls,
  MARKET_PAGES,
  type SentMarket,
} from '#contract/platform/market/constants';
import {
  CURRENCY_DECIMALS_MAX,
  findLocale,
  MARKET_TEXT_MAX,
  SIGN_POSITIONS,
  TEAM_MAX,
  UNANSWERED_MINUTES_MAX,
  WEEK_STARTS,
} from '#contract/platform/market/constants/choices';
import { isCountry } from '#contract/platform/market/countries';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { ADDRESS_WORDS } from '#contract/platform/text/constants/address-words';
import { t } from '#contract/platform/text/constants/texts';
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
    /** ISO 3166-1 alpha-2. Absent, like the next three and `teamLinks`, only in answers and events of a former release. */
    country: z.string().exactOptional(),
    unitSystem: z.enum(['metric', 'us']).exactOptional(),
    /** How addresses are written in the country. A part that is null is not asked for. */
    addressFormat: z
      .object({
        template: z.string(),
        city: z.enum(ADDRESS_WORDS),
        state: z.enum(ADDRESS_WORDS).nullable(),
        zipCode: z.enum(ADDRESS_WORDS).nullable(),
      })
      .exactOptional(),
    /** The languages that the market offers; the first is its own. */
    languages: z.array(z.string()).exactOptional(),
    units: z.array(z.enum(UNITS)),
    unansweredMinutes: z.number().positive(),
    approvesFarms: z.boolean(),
    requiresVerifiedEmail: z.boolean(),
    /** Absent, too, only in answers and events of a former release. */
    requiresOrganicCertificate: z.boolean().exactOptional(),
    /** Pages of the people on the About page, in its order; empty until an admin fills them in. */
    teamLinks: z.array(z.string()).exactOptional(),
    pages: z.array(z.enum(MARKET_PAGES)),
    announcement: z
      .object({ text: z.string(), endsAt: Instant.nullable(), announcedAt: Instant })
      .nullable(),
    version: z.int(),
  })
  .meta({ id: 'Market' }) satisfies z.ZodType<SentMarket>;

/** The settings as an admin sends them, all of them. */
export const MarketForm = z.object({
  name: oneLine(MARKET_TEXT_MAX.name, () => t('Enter the name of the market.')),
  tagline: optionalLine(MARKET_TEXT_MAX.tagline),
  logo: z.union([z.literal(''), UploadUrl], { error: () => t('Upload the logo first.') }),
  contact: z.object({
    address: optionalLine(MARKET_TEXT_MAX.address),
    phone: optionalLine(MARKET_TEXT_MAX.phone),
    /** An email address, or none. */
    email: z.union(
      [
        z
          .string()
          .trim()
          .length(0)
          .transform(() => ''),
        // Shown to everybody, and compared with nothing.
        Email.transform(readableEmail),
      ],
      { error: () => t('Please enter a valid email address.') },
    ),
  }),
  currency: z.object({
    /** The code of a currency by ISO 4217, in any case. */
    code: z
      .string({ error: () => t('Choose a currency.') })
      .trim()
      .toUpperCase()
      .refine((code) => Intl.supportedValuesOf('currency').includes(code), {
        error: () => t('Choose a currency from the list.'),
      }),
    /** The sign that stands beside an amount. A digit in it would be read as a part of the amount. */
    sign: optionalLine(MARKET_TEXT_MAX.sign)
      .min(1, { error: () => t('Enter a sign.') })
      .refine((sign) => !/\p{N}/u.test(sign), { error: () => t('Use a sign without digits.') }),
    /** How many decimals an amount has. */
    decimals: z
      .number({ error: () => t('Enter how many decimals an amount has.') })
      .int({ error: () => t('Enter a whole number.') })
      .min(0, { error: () => t('Enter 0 or more.') })
      .max(CURRENCY_DECIMALS_MAX, {
        error: () => t('Enter at most {most}.', { most: CURRENCY_DECIMALS_MAX }),
      }),
    position: z.enum(SIGN_POSITIONS, { error: () => t('Choose where the sign stands.') }),
  }),
  /** The tag of a locale, such as `en-GB`, in any case. */
  locale: text(MARKET_TEXT_MAX.locale).transform((tag, context) => {
    const found = findLocale(tag);
    if (found !== undefined) return found;
    context.addIssue({ code: 'custom', message: t('Choose a locale from the list.') });
    return z.NEVER;
  }),
  timeZone: TimeZone,
  weekStart: z.literal(WEEK_STARTS, { error: () => t('Choose the day a week begins with.') }),
  /** The code of a country by ISO 3166-1, in any case. */
  country: z
    .string({ error: () => t('Choose a country.') })
    .trim()
    .toUpperCase()
    .refine(isCountry, { error: () => t('Choose a country from the list.') }),
  unitSystem: z.enum(['metric', 'us'], { error: () => t('Choose kilometres or miles.') }),
  /** The languages that the market offers; the first is its own. */
  languages: z
    .array(
      z.string({ error: () => t('Choose languages from the list.') }).max(MARKET_TEXT_MAX.locale),
      { error: () => t('Choose at least one language.') },
    )
    .min(1, { error: () => t('Choose at least one language.') })
    .refine((tags) => new Set(tags).size === tags.length, {
      error: () => t('Choose each language once.'),
    }),
  /** The units in which products are offered, each once and in the order of all units. */
  units: z
    .array(z.enum(UNITS, { error: () => t('Choose units from the list.') }), {
      error: () => t('Choose at least one unit.'),
    })
    .min(1, { error: () => t('Choose at least one unit.') })
    .max(100, { error: () => t('Choose each unit once.') })
    .transform((chosen) => UNITS.filter((unit) => chosen.includes(unit))),
  /** Minutes until an order counts as unanswered; the server keeps whole seconds. */
  unansweredMinutes: z
    .number({ error: () => t('Enter a number of minutes.') })
    .min(1 / 60, { error: () => t('Enter a number above 0.') })
    .max(UNANSWERED_MINUTES_MAX, {
      error: () =>
        t('Enter at most {most, number} minutes, which is a week.', {
          most: UNANSWERED_MINUTES_MAX,
        }),
    }),
  approvesFarms: z.boolean(),
  requiresVerifiedEmail: z.boolean(),
  requiresOrganicCertificate: z.boolean(),
  /** Addresses of the people on the About page, in its order; an empty one shows no link. */
  teamLinks: z.array(optionalUrl).max(TEAM_MAX),
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
