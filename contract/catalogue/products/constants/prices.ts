import { theMarket } from '#contract/platform/market/constants';
import { fitsCurrency, fromMinor, PRICE_MAX_MINOR } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import {
  type NumberLimits,
  readTyped,
  writeTyped,
} from '#contract/platform/text/constants/typed-numbers';

// Which prices there are, apart from what a visitor's first page needs of products.

/** Returns the highest price, on the wire. */
export const highestPrice = (): number => fromMinor(PRICE_MAX_MINOR);

/** Returns whether a price is not above the highest. */
export const isPriceInRange = (price: number): boolean => price <= highestPrice();

/** Returns what a field for a price takes. */
export const priceLimits = (): NumberLimits => ({
  decimals: theMarket().currency.decimals,
  min: 0,
  max: highestPrice(),
});

/** What is said of a price above the highest. */
export const tooHigh = (): string =>
  t('The price can be at most {most, number}.', { most: highestPrice() });

/** What is said of a price with more decimals than the currency has. */
export const tooManyDecimals = (): string =>
  t(
    '{most, plural, =0 {A price is a whole number.} =1 {A price has at most one decimal.} =2 {A price has at most two decimals.} =3 {A price has at most three decimals.} other {A price has fewer decimals.}}',
    { most: theMarket().currency.decimals },
  );

// The lowest and the highest price of a list's filter: numbers in its address, and text in its fields.

/** The parameters in which a form without scripts sends them as they were typed. */
export const TYPED_PRICES = { minPrice: 'typedMinPrice', maxPrice: 'typedMaxPrice' } as const;
export type PriceParameter = keyof typeof TYPED_PRICES;
const PRICE_PARAMETERS = Object.keys(TYPED_PRICES) as PriceParameter[];

/** A number as JavaScript writes it. */
const CANONICAL = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/;

const priceOf = (value: number): number | undefined =>
  value >= 0 && isPriceInRange(value) && fitsCurrency(value) ? value : undefined;

const readPrice = (text: string): number | undefined =>
  priceOf(readTyped(text, priceLimits()).value);

/** Returns the price of an address. One that somebody wrote by hand is read as it is typed into a field. */
export const parsePrice = (text: string): number | undefined =>
  (CANONICAL.test(text) ? priceOf(Number(text)) : undefined) ?? readPrice(text);

/** Returns what the address holds of a field's text: the number, or the text itself where it is none. */
export const priceParameter = (typed: string): string => `${readPrice(typed) ?? typed.trim()}`;

/** Returns the text of a field for what the address holds. */
export function priceText(parameter: string): string {
  const price = parsePrice(parameter);
  return price === undefined ? parameter : writeTyped(price);
}

/** Returns a query with its prices as numbers and without what is empty, if any price is not; else undefined. */
export function withPriceNumbers(query: URLSearchParams): URLSearchParams | undefined {
  const next = new URLSearchParams(query);
  for (const name of PRICE_PARAMETERS) {
    const typed = query.get(TYPED_PRICES[name]);
    next.delete(TYPED_PRICES[name]);
    const text = query.get(name) ?? '';
    const parameter = typed === null ? `${parsePrice(text) ?? text}` : priceParameter(typed);
    if (typed !== null || parameter !== text) next.set(name, parameter);
  }
  if (next.toString() === query.toString()) return undefined;
  for (const [name, value] of query) if (value === '') next.delete(name);
  for (const name of PRICE_PARAMETERS) if (next.get(name) === '') next.delete(name);
  return next;
}
