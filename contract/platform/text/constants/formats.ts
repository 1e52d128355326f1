import { type Market, ofMarket, theMarket } from '#contract/platform/market/constants';

// The locale of a market decides how numbers and dates are written. The language of the interface is English, and so
// are the names of days and months; digits are the ones that people type.

/** Returns the canonical tag of a locale that is known here, without extensions, or undefined. Case does not matter. */
export function findLocale(tag: string): string | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag.trim());
    if (canonical === undefined || tag.trim() === '') return undefined;
    const [known] = Intl.NumberFormat.supportedLocalesOf(canonical, { localeMatcher: 'lookup' });
    return known && new Intl.Locale(known).baseName;
  } catch {
    return undefined;
  }
}

const withLatinDigits = (locale: string): string =>
  new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();

/** Returns the locale of numbers: the market's, in Latin digits. */
export const numberLocale = ({ locale }: Pick<Market, 'locale'>): string => withLatinDigits(locale);

/**
 * Returns the locale of dates, times and all else that has words: English as it is written where the market is. Where
 * it is not known how, as in most of the world: the day before the month, and a clock of 24 hours.
 */
export function englishLocale({ locale }: Pick<Market, 'locale'>): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  const tag = language === 'en' ? locale : `en-${region}`;
  const known = new Intl.DateTimeFormat(tag).resolvedOptions().locale;
  const isKnown = language === 'en' || new Intl.Locale(known).region === region;
  return new Intl.Locale(isKnown ? tag : 'en-GB', {
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).toString();
}

const numbers = ofMarket((market) => {
  const format = new Intl.NumberFormat(numberLocale(market));
  return (value: number) => format.format(value);
});

/** Formats a whole number with the separators of the market's locale: '1,204'. */
export const formatCount = (value: number): string => numbers()(value);

/** Returns the name of a file that one downloads, which begins with the market's: `farmgate-orders-2026-11-22.csv`. */
export const marketFileName = (rest: string): string => {
  const words = theMarket()
    .name.toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? ['market']), rest].join('-');
};
