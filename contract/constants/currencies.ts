import {
  CURRENCY_DECIMALS_MAX,
  DEFAULT_MARKET,
  MARKET_TEXT_MAX,
  type Market,
} from '#contract/constants/market';

type Currency = Market['currency'];

/** Signs that Intl has only for a currency's own country, or not at all. */
const SIGNS: Readonly<Record<string, string>> = { LKR: '₨', NPR: '₨', MUR: '₨' };

/** Returns the codes of all currencies in ISO 4217, sorted. */
export const currencyCodes = (): string[] => Intl.supportedValuesOf('currency');

/** Returns a currency's name in English, such as `Euro`. */
export const currencyName = (code: string): string =>
  new Intl.DisplayNames('en-US', { type: 'currency' }).of(code) ?? code;

/**
 * Returns a currency as it is usually written in a locale: its sign, decimals and the side of the sign.
 * @throws RangeError for a code that is not of three letters, and for an unknown locale
 */
export function usualCurrency(code: string, locale: string): Currency {
  // Intl has no decimals for it.
  if (code === DEFAULT_MARKET.currency.code) return DEFAULT_MARKET.currency;
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  const parts = format.formatToParts(1).map(({ type }) => type);
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value ?? code;
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  return {
    code,
    sign: SIGNS[code] ?? sign.slice(0, MARKET_TEXT_MAX.sign),
    decimals: Math.min(decimals, CURRENCY_DECIMALS_MAX),
    position: parts.indexOf('currency') < parts.indexOf('integer') ? 'before' : 'after',
  };
}
