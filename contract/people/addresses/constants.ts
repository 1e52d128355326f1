import type { Calls } from '#contract/platform/http/constants/http';

/** Most addresses that a person keeps. */
export const ADDRESSES_MAX = 10;

/** Method and path of each call; `#contract/people/addresses/addresses` has the endpoints with their schemas. */
export const addressesApi = {
  list: { method: 'GET', path: '/users/addresses' },
  create: { method: 'POST', path: '/users/addresses' },
  update: { method: 'PUT', path: '/users/addresses/:id' },
  remove: { method: 'DELETE', path: '/users/addresses/:id' },
} as const satisfies Calls;
