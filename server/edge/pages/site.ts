import { theMarket } from '#contract/platform/market/constants';

/** Returns what pages, cards and structured data say of the market as a whole. */
export function siteOf() {
  const { name, tagline, locale, currency } = theMarket();
  return {
    name,
    /** What stands before any page of it in a search result. */
    description:
      tagline ||
      'Fresh produce straight from the farms around you. Order from one farm, pick up or have it delivered, and follow it live.',
    locale: locale.replace('-', '_'),
    /** ISO 4217: search engines read no signs. */
    currency: currency.code,
    /** Decimals of a price. */
    decimals: currency.decimals,
  };
}
