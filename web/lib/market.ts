import { queryOptions } from '@tanstack/react-query';
import { marketApi } from '#contract/constants/market';
import { call } from './api.ts';

/** The configuration of the market, which is constant while the server runs. */
export const marketQuery = () =>
  queryOptions({
    queryKey: ['market'] as const,
    queryFn: async ({ signal }) => (await call(marketApi.read, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
