import { theMarket } from '#contract/platform/market/constants/market';
import { fromMinor, PRICE_MAX_MINOR } from '#contract/platform/money/constants/money';
import { formatCount } from '#contract/platform/text/constants/locale';
import type { NumberLimits } from '#contract/platform/text/constants/typed-numbers';

// Which prices there are, apart from what pages for customers need of money.

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
export const tooHigh = (): string => `The price can be at most ${formatCount(highestPrice())}.`;

/** What is said of a price with more decimals than the currency has. */
export const tooManyDecimals = (): string =>
  [
    'A price is a whole number.',
    'A price has at most one decimal.',
    'A price has at most two decimals.',
    'A price has at most three decimals.',
  ][theMarket().currency.decimals] ?? 'A price has fewer decimals.';
