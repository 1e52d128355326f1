import {
  CURRENCY_DECIMALS_MAX,
  DEFAULT_MARKET,
  MARKET_TEXT_MAX,
  type Market,
} from '#contract/platform/market/constants/market';

type Currency = Market['currency'];

/** Signs that Intl has only for a currency's own country, or not at all. */
const SIGNS: Readonly<Record<string, string>> = { LKR: '₨', NPR: '₨', MUR: '₨' };

/**
 * Returns the currencies that are in use today, and the one that is `kept`, by name: `Euro`. A name of a former one
 * ends in its years.
 */
export function currencyChoices(kept?: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames('en-US', { type: 'currency' });
  const isPresent = (code: string, name: string) => name !== code && !/\d|test|unknown/i.test(name);
  return [
    ...new Set([...Intl.supportedValuesOf('currency'), ...(kept === undefined ? [] : [kept])]),
  ]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .filter(({ code, name }) => code === kept || isPresent(code, name))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

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
