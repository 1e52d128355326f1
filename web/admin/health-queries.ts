import { queryOptions } from '@tanstack/react-query';
import { HEALTH_REFRESH_MS, healthApi } from '#contract/constants/health';
import { call } from '../lib/api.ts';
import { adminKeys } from './keys.ts';

/** How the market is now. It is asked again every few seconds while the page is open: no event tells of it. */
export const healthQuery = () =>
  queryOptions({
    queryKey: adminKeys.health(),
    queryFn: async ({ signal }) => (await call(healthApi.read, { signal })).data,
    refetchInterval: HEALTH_REFRESH_MS,
    // A report is old the moment it is there.
    staleTime: 0,
  });
