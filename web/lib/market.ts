import { queryOptions } from '@tanstack/react-query';
import { marketApi, setMarket } from '#contract/constants/market';
import { call } from './api.ts';

/** The settings of the market, which events keep current. */
export const marketQuery = () =>
  queryOptions({
    queryKey: ['market'] as const,
    queryFn: async ({ signal }) => {
      const { data } = await call(marketApi.read, { signal });
      setMarket(data);
      return data;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
