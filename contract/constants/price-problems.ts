import { theMarket } from '#contract/constants/market';

/** What is said of a price with more decimals than the currency has. */
export const tooManyDecimals = (): string =>
  [
    'A price is a whole number.',
    'A price has at most one decimal.',
    'A price has at most two decimals.',
    'A price has at most three decimals.',
  ][theMarket().currency.decimals] ?? 'A price has fewer decimals.';
