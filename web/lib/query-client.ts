import { QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { keepNewer } from './keep-newer.ts';

const RETRIES = 2;

/** Whether a failed read is worth another try: only when the cause may pass by itself. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Milliseconds before the next try: what the server asked for (at most 10 s), or 0.5 s, 1 s, … */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  return asked === undefined ? Math.min(500 * 2 ** failures, 8_000) : Math.min(asked, 10) * 1_000;
}

/** A cache of what the server told, kept true by events and by asking again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Events keep what is shown true; asking again is for what they do not cover.
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: shouldRetry,
        retryDelay,
        // Without this a page opened offline would wait for ever instead of saying so.
        networkMode: 'always',
        structuralSharing: (old, fresh) => replaceEqualDeep(old, keepNewer(old, fresh)),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
