import type { Calls } from '#contract/constants/http';

/** Method and path of each call; `#contract/picklist` has the endpoints with their schemas. */
export const picklistApi = {
  list: { method: 'GET', path: '/farm/picklist' },
  orders: { method: 'GET', path: '/farm/picklist/orders' },
  days: { method: 'GET', path: '/farm/picklist/days' },
  print: { method: 'POST', path: '/farm/picklist/prints' },
  readPrint: { method: 'GET', path: '/farm/picklist/prints/:id' },
  tick: { method: 'PUT', path: '/farm/picklist/ticks' },
  markSeen: { method: 'PUT', path: '/farm/picklist/seen' },
  pack: { method: 'PUT', path: '/orders/:id/packing' },
} as const satisfies Calls;

/** Orders that one answer of the pick list has at most. */
export const PICK_PAGE = 200;
/** The most of a product that can be ticked off for a day. */
export const TICK_MAX = 1_000_000;
/** Changes that one call marks as seen. */
export const SEEN_MAX = 500;
