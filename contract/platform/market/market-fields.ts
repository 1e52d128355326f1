import { Email, optionalLine, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import {
  CURRENCY_DECIMALS_MAX,
  MARKET_TEXT_MAX,
  UNANSWERED_MINUTES_MAX,
} from '#contract/platform/market/constants';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { findLocale, formatCount } from '#contract/platform/text/constants/formats';

// The settings of a market as an admin enters them, each for itself.

/** An email address, or none. */
export const ContactEmail = z.union(
  [
    z
      .string()
      .trim()
      .length(0)
      .transform(() => ''),
    Email,
  ],
  'Please enter a valid email address.',
);

/** The code of a currency by ISO 4217, in any case. */
export const CurrencyCode = z
  .string('Choose a currency.')
  .trim()
  .toUpperCase()
  .refine(
    (code) => Intl.supportedValuesOf('currency').includes(code),
    'Choose a currency from the list.',
  );

/** The sign that stands beside an amount. A digit in it would be read as a part of the amount. */
export const CurrencySign = optionalLine(MARKET_TEXT_MAX.sign)
  .min(1, 'Enter a sign.')
  .refine((sign) => !/\p{N}/u.test(sign), 'Use a sign without digits.');

/** How many decimals an amount has. */
export const CurrencyDecimals = z
  .number('Enter how many decimals an amount has.')
  .int('Enter a whole number.')
  .min(0, 'Enter 0 or more.')
  .max(CURRENCY_DECIMALS_MAX, `Enter at most ${CURRENCY_DECIMALS_MAX}.`);

/** The tag of a locale, such as `en-GB`, in any case. */
export const LocaleTag = text(MARKET_TEXT_MAX.locale).transform((tag, context) => {
  const found = findLocale(tag);
  if (found !== undefined) return found;
  context.addIssue({ code: 'custom', message: 'Choose a locale from the list.' });
  return z.NEVER;
});

/** The units in which products are offered, each once and in the order of all units. */
export const OfferedUnits = z
  .array(z.enum(UNITS, 'Choose units from the list.'), 'Choose at least one unit.')
  .min(1, 'Choose at least one unit.')
  .max(100, 'Choose each unit once.')
  .transform((chosen) => UNITS.filter((unit) => chosen.includes(unit)));

/** Minutes until an order counts as unanswered; the server keeps whole seconds. */
export const UnansweredMinutes = z
  .number('Enter a number of minutes.')
  .min(1 / 60, 'Enter a number above 0.')
  .max(UNANSWERED_MINUTES_MAX, {
    error: () => `Enter at most ${formatCount(UNANSWERED_MINUTES_MAX)} minutes, which is a week.`,
  });
