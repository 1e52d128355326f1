import { useQuery } from '@tanstack/react-query';
import { type Market, theMarket } from '#contract/constants/market';
import { marketQuery } from './market.ts';

/** Returns the settings of the market, and renders again when they change. */
export const useMarket = (): Market => useQuery(marketQuery()).data ?? theMarket();
