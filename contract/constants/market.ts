import type { Calls } from '#contract/constants/http';

/** Method and path of each call; `#contract/market` has the endpoints with their schemas. */
export const marketApi = {
  read: { method: 'GET', path: '/market' },
} as const satisfies Calls;
