import { queryOptions } from '@tanstack/react-query';
import { HEALTH_REFRESH_MS, healthApi } from '#contract/admin/health/constants';
import { call } from '../../../platform/api/api.ts';
import { adminKeys } from '../keys.ts';

/** How often a page asks that only says whether all is well, in milliseconds. */
const GLANCE_REFRESH_MS = 30_000;

/** How the market is now. It is asked again every few seconds while the page is open: no event carries it. */
export const healthQuery = () =>
  queryOptions({
    queryKey: adminKeys.health(),
    queryFn: async ({ signal }) => (await call(healthApi.read, { signal })).data,
    refetchInterval: HEALTH_REFRESH_MS,
    // A report is old the moment it is there.
    staleTime: 0,
  });

/** The same for a page that says in a word whether all is well. */
export const healthGlanceQuery = () =>
  queryOptions({ ...healthQuery(), refetchInterval: GLANCE_REFRESH_MS });
