import type { Calls } from '#contract/platform/http/constants';

/** Most addresses that a person keeps. */
export const ADDRESSES_MAX = 10;

export const addressesApi = {
  list: { method: 'GET', path: '/users/addresses' },
  create: { method: 'POST', path: '/users/addresses' },
  update: { method: 'PUT', path: '/users/addresses/:id' },
  remove: { method: 'DELETE', path: '/users/addresses/:id' },
} as const satisfies Calls;
