import type { Calls } from '#contract/platform/http/constants';

/** Longest text of each field of a report, in characters; the client truncates. */
export const CLIENT_ERROR_LIMITS = { message: 500, stack: 4000, path: 300 } as const;

export const clientErrorsApi = {
  report: { method: 'POST', path: '/client-errors' },
} as const satisfies Calls;
