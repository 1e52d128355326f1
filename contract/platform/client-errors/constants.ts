import type { Calls } from '#contract/platform/http/constants/http';

/** Longest text of each field of a report, in characters; the client truncates. */
export const CLIENT_ERROR_LIMITS = { message: 500, stack: 4000, path: 300 } as const;

/** Method and path of each call; `#contract/platform/client-errors/client-errors` has the endpoints with their schemas. */
export const clientErrorsApi = {
  report: { method: 'POST', path: '/client-errors' },
} as const satisfies Calls;
