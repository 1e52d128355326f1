import { formatCount } from '#contract/constants/locale';
import { theMarket } from '#contract/constants/market';
import { highestPrice } from '#contract/constants/money';

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
