import { queryOptions } from '@tanstack/react-query';
import { authApi } from '#contract/people/auth/constants';
import { secondFactorApi } from '#contract/people/second-factor/constants';
import { dataOf } from '../../../platform/api/api.ts';
import { authKeys } from '../queries.ts';

/** The signed-in user's email, and one that waits for its confirmation. Refetched with `account.changed`. */
export const emailQuery = () =>
  queryOptions({
    queryKey: authKeys.email,
    queryFn: dataOf(authApi.readEmail),
    staleTime: 0,
  });

/** What a mailed link is for, and of whose account. */
export const emailLinkQuery = (token: string) =>
  queryOptions({
    queryKey: authKeys.emailLink(token),
    queryFn: dataOf(authApi.readEmailLink, { query: { token }, anonymous: true }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });

/** What protects the signed-in user beside the password. No event carries it, nor the sessions. */
export const secondFactorQuery = () =>
  queryOptions({
    queryKey: authKeys.secondFactor,
    queryFn: dataOf(secondFactorApi.read),
    staleTime: 0,
  });
