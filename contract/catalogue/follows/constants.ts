import type { Calls } from '#contract/platform/http/constants';

/** How many farms and products a customer can follow, those they wait for included. */
export const FOLLOWS_MAX = 200;

/** How long a favourite is kept that nobody renews, in days. */
export const FOLLOW_DAYS = 90;

/**
 * Of a product: whether its customer is notified when it is back in stock, or has been. Of a farm it is always `waiting`,
 * for its new products. What has ended is no favourite any more.
 */
export const FOLLOW_STATES = ['waiting', 'told', 'ended'] as const;

/** Apart from the calls that every visitor's first page loads. */
export const followsApi = {
  list: { method: 'GET', path: '/follows' },
  followProduct: { method: 'PUT', path: '/follows/products/:id' },
  unfollowProduct: { method: 'DELETE', path: '/follows/products/:id' },
  followFarm: { method: 'PUT', path: '/follows/farms/:id' },
  unfollowFarm: { method: 'DELETE', path: '/follows/farms/:id' },
} as const satisfies Calls;
