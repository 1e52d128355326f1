import { queryOptions } from '@tanstack/react-query';
import { authApi } from '#contract/people/auth/constants';
import { call } from '../../../platform/api/api.ts';
import { authKeys } from '../keys.ts';

/** The signed-in user's email, and one that waits for its confirmation. Refetched with `account.changed`. */
export const emailQuery = () =>
  queryOptions({
    queryKey: authKeys.email,
    queryFn: async ({ signal }) => (await call(authApi.readEmail, { signal })).data,
    staleTime: 0,
  });

/** What a mailed link is for, and of whose account. */
export const emailLinkQuery = (token: string) =>
  queryOptions({
    queryKey: authKeys.emailLink(token),
    queryFn: async ({ signal }) =>
      (await call(authApi.readEmailLink, { query: { token }, anonymous: true, signal })).data,
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
