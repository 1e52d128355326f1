import { queryOptions } from '@tanstack/react-query';
import { setupApi } from '#contract/admin/setup/constants';
import { call } from '../../platform/api/api.ts';

/** Whether the market has no admin yet. */
export const setupStateQuery = () =>
  queryOptions({
    queryKey: setupKeys.state(),
    queryFn: async ({ signal }) => (await call(setupApi.state, { signal })).data,
  });

/** The keys of the set-up in the query cache. */
const setupKeys = {
  state: () => ['setup'] as const,
};
