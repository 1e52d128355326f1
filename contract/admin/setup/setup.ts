import { setupApi as calls, READY_CATEGORY_KEYS } from '#contract/admin/setup/constants';
import { Register, Session } from '#contract/people/auth/auth';
import { endpoints } from '#contract/platform/http/endpoint';
import { named, one, oneLine, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { MARKET_TEXT_MAX } from '#contract/platform/market/constants/choices';
import { MarketForm } from '#contract/platform/market/market';
import { t } from '#contract/platform/text/constants/texts';

const { name, email, password } = Register.shape;

/** The code and decimals of a currency cannot be changed once something has a price. */
const { currency, timeZone, locale, units, country, unitSystem, languages } = MarketForm.shape;

/** What a new market begins with. */
export const SetUp = z.object({
  token: text(200).min(1, { error: () => t('Open the whole link that the server printed.') }),
  market: z.object({
    name: oneLine(MARKET_TEXT_MAX.name, () => t('Market name is required')),
    currency,
    timeZone,
    locale: locale.optional(),
    /** By currency, time zone and locale when left out. */
    country: country.optional(),
    /** As usual in the country when left out. */
    unitSystem: unitSystem.optional(),
    /** English alone when left out. */
    languages: languages.optional(),
    /** In which products are offered; all there are when left out. */
    units: units.optional(),
    /** Whether a new farm is a draft until an admin approves it. */
    approvesFarms: z.boolean().default(false),
  }),
  admin: z.object({ name, email, password }),
  /** Those that the market begins with, of the ready ones. */
  categories: z
    .array(z.enum(READY_CATEGORY_KEYS))
    .default([...READY_CATEGORY_KEYS])
    .transform((keys) => [...new Set(keys)]),
});
export type SetUp = z.infer<typeof SetUp>;

/** Whether nobody has opened the market yet. */
export const SetupState = named('SetupState', { isNeeded: z.boolean() });

export const setupApi = endpoints(calls, {
  state: {
    summary: 'Whether this market has no admin yet',
    access: 'public',
    answer: one(SetupState),
  },
  setUp: {
    summary: "Set up a market that has no admin, once, with the token of the server's link",
    access: 'public',
    body: SetUp,
    answer: Session,
    status: 201,
    rate: 'login',
    failures: [403, 409],
    readsDeviceId: true,
  },
});
