import type { Calls } from '#contract/constants/http';

export const FEED_KINDS = [
  'order.placed',
  'order.statusChanged',
  'user.registered',
  'order.unanswered',
] as const;

/** Method and path of each call; `#contract/admin` has the endpoints with their schemas. */
export const adminApi = {
  stats: { method: 'GET', path: '/admin/stats' },
  feed: { method: 'GET', path: '/admin/feed' },
  audit: { method: 'GET', path: '/admin/audit' },
  openQueues: { method: 'POST', path: '/admin/queues-session' },
} as const satisfies Calls;
