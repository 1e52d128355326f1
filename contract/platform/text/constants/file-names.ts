import { theMarket } from '#contract/platform/market/constants/market';

/** Returns the name of a file that one downloads, which begins with the market's: `farmgate-orders-2026-11-22.csv`. */
export const marketFileName = (rest: string): string => {
  const words = theMarket()
    .name.toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return [...(words ?? ['market']), rest].join('-');
};
