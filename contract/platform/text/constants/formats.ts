import { type Market, ofMarket, theMarket } from '#contract/platform/market/constants';

// The locale of a market decides how numbers and dates are written. The language of the interface is English, and so
// are the names of days and months; digits are the ones that people type.

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

// Distances are miles on the wire and in the database. A metric market reads and types whole kilometres.

export const KM_PER_MILE = 1.609344;

/** Returns whether the market shows kilometres. */
export const isMetric = (): boolean => theMarket().unitSystem === 'metric';

/** Returns miles in the market's unit: whole kilometres, of which any distance has at least one, or miles as they are. */
export const toShownDistance = (miles: number): number =>
  isMetric() ? Math.max(Math.sign(miles), Math.round(miles * KM_PER_MILE)) : miles;

/** Formats a distance: '40 km', '25 miles', '1 mile'. */
export function formatDistance(miles: number): string {
  const shown = toShownDistance(miles);
  const unit = shown === 1 ? 'mile' : 'miles';
  return `${formatCount(shown)} ${isMetric() ? 'km' : unit}`;
}

/** Returns the name of a file that one downloads, which begins with the market's: `farmgate-orders-2026-11-22.csv`. */
export const marketFileName = (rest: string): string => {
  const words = theMarket()
    .name.toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? ['market']), rest].join('-');
};
