import { type Market, theMarket } from '#contract/platform/market/constants';
import { ofReader, theReader } from '#contract/platform/text/constants/reader';

// A reader's language in the market's region decides how days, times and numbers are written. A market's own language
// has the market's locale, and where that is of another language than the market is read in, numbers follow it all the
// same. Digits are the ones that people type.

const withLatinDigits = (locale: string): string =>
  new Intl.Locale(locale, { numberingSystem: 'latn' }).toString();

/** Returns the locale of numbers, in Latin digits: as the market writes them, unless its reader reads a further language. */
export const numberLocale = ({ locale }: Pick<Market, 'locale'>, language: string): string =>
  withLatinDigits(language === 'en' ? locale : inRegionOf(locale, language));

const inRegionOf = (locale: string, language: string): string => {
  const own = new Intl.Locale(locale).maximize();
  return own.language === language ? locale : `${language}-${own.region}`;
};

/**
 * Returns the locale of dates, times and all else that has words: the reader's language as it is written where the
 * market is. Where English is not known to be written, as in most of the world: the day before the month, and a clock
 * of 24 hours.
 */
export function wordLocale({ locale }: Pick<Market, 'locale'>, language: string): string {
  const tag = inRegionOf(locale, language);
  const { region } = new Intl.Locale(locale).maximize();
  const known = new Intl.DateTimeFormat(tag).resolvedOptions().locale;
  const isKnown = language !== 'en' || tag === locale || new Intl.Locale(known).region === region;
  return new Intl.Locale(isKnown ? tag : 'en-GB', {
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).toString();
}

const numbers = ofReader((market, language) => {
  const format = new Intl.NumberFormat(numberLocale(market, language));
  return (value: number) => format.format(value);
});

/** Formats a whole number with the separators of the market's locale: '1,204'. */
export const formatCount = (value: number): string => numbers()(value);

/**
 * Lists parts as the reader's language does: 'Kale, Leeks, and Carrots', '1 kg or 1.25 kg' to choose from, or, without a
 * word between them, 'Kale, Leeks'.
 */
export const listOf = (
  parts: Iterable<string>,
  type: 'conjunction' | 'disjunction' | 'unit' = 'conjunction',
): string =>
  new Intl.ListFormat(theReader().language, { type })
    .formatToParts(parts)
    .map(({ type, value }) => (type === 'literal' ? withOwnComma(value) : value))
    .join('');

/** Intl begins an Urdu list of units with a Latin comma. */
const withOwnComma = (text: string): string =>
  theReader().language === 'ur' ? text.replace(',', '،') : text;

/** Returns the name of a file that one downloads, which begins with the market's: `farmgate-orders-2026-11-22.csv`. */
export const marketFileName = (rest: string): string => {
  const words = theMarket()
    .name.toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? ['market']), rest].join('-');
};
