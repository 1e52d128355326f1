import { queryOptions } from '@tanstack/react-query';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { call } from '../../../platform/api/api.ts';
import { authKeys } from '../keys.ts';

/** What protects the signed-in user beside the password. No event carries it, nor the sessions. */
export const secondFactorQuery = () =>
  queryOptions({
    queryKey: authKeys.secondFactor,
    queryFn: async ({ signal }) => (await call(secondFactorApi.read, { signal })).data,
    staleTime: 0,
  });
