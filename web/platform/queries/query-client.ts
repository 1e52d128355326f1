import { QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { keepNewer } from './keep-newer.ts';

const MAX_RETRIES = 2;

/** Returns whether to retry a failed request: only for temporary errors. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < MAX_RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Returns the retry delay in milliseconds: the server's Retry-After (at most 10 s), or 0.5 s, 1 s, … */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  return asked === undefined ? Math.min(500 * 2 ** failures, 8_000) : Math.min(asked, 10) * 1_000;
}

/** Creates the cache of server data, which events and refetches keep up to date. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Events update the cache; refetches cover what no event reports.
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: shouldRetry,
        retryDelay,
        // Without this, a page opened offline would stay pending instead of showing an error.
        networkMode: 'always',
        structuralSharing: (old, fresh) => replaceEqualDeep(old, keepNewer(old, fresh)),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
