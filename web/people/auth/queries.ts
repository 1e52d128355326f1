import { queryOptions } from '@tanstack/react-query';
import { authApi } from '#contract/people/auth/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call, dataOf } from '../../platform/api/api.ts';
import { ApiError } from '../../platform/api/api-error.ts';
import { readToken } from '../../platform/session/session.ts';

/** The key of the signed-in user, one for each token; each begins with `all`. */
export const authKeys = {
  all: ['auth'] as const,
  /** Where the user is signed in. */
  sessions: ['auth', 'sessions'] as const,
  /** What protects the user's account beside the password. */
  secondFactor: ['auth', 'second-factor'] as const,
  /** The user's email, and one that waits for its confirmation. */
  email: ['auth', 'email'] as const,
  /** What a mailed link is for. The signed-in user may be another person. */
  emailLink: (token: string) => ['email-link', token] as const,
  /** The open orders that a deletion of the account concerns. */
  outlook: ['auth', 'deletion'] as const,
  me: (token: string | null) => ['auth', 'me', token] as const,
};

/** The user of a token. Without one it fails here, asks nobody, and shows nothing but that error. */
export const meQuery = (token: string | null) =>
  queryOptions({
    queryKey: authKeys.me(token),
    queryFn: async ({ signal }) => {
      if (readToken() === null) {
        throw new ApiError(t('No token found'), { status: 401, code: 'NO_TOKEN' });
      }
      return (await call(authApi.me, { signal })).user;
    },
    staleTime: 5 * 60_000,
  });

/** Where the signed-in user is signed in. No event carries it, so it is refetched wherever it is shown. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: authKeys.sessions,
    queryFn: dataOf(authApi.sessions),
    staleTime: 0,
  });
