import type { Calls } from '#contract/platform/http/constants';

export const FEED_KINDS = [
  'order.placed',
  'order.statusChanged',
  'order.linesChanged',
  'user.registered',
  'order.unanswered',
  'attention.waiting',
  'farm.paused',
] as const;

/** How many of the orders that wait too long for an answer the dashboard shows. */
export const UNANSWERED_ORDERS_SHOWN = 20;

export const AUDIT_SORTS = ['newest', 'oldest'] as const;

/** The longest internal note, in characters. */
export const NOTE_MAX = 2000;

/** The rows of one part of an export, and of all parts that the web client fetches for one file. */
export const EXPORT_ROWS = { part: 500, max: 50_000 } as const;

export const adminApi = {
  stats: { method: 'GET', path: '/admin/stats' },
  feed: { method: 'GET', path: '/admin/feed' },
  audit: { method: 'GET', path: '/admin/audit' },
  openQueues: { method: 'POST', path: '/admin/queues-session' },
  notes: { method: 'GET', path: '/admin/orders/:id/notes' },
  addNote: { method: 'POST', path: '/admin/orders/:id/notes' },
  orderMessages: { method: 'GET', path: '/admin/orders/:id/messages' },
  userNotes: { method: 'GET', path: '/admin/users/:id/notes' },
  addUserNote: { method: 'POST', path: '/admin/users/:id/notes' },
  person: { method: 'GET', path: '/admin/users/:id' },
  personOrders: { method: 'GET', path: '/admin/users/:id/orders' },
  personProducts: { method: 'GET', path: '/admin/users/:id/products' },
  hiddenProducts: { method: 'GET', path: '/admin/hidden-products' },
  exportOrders: { method: 'GET', path: '/admin/exports/orders' },
  exportUsers: { method: 'GET', path: '/admin/exports/users' },
  exportAudit: { method: 'GET', path: '/admin/exports/audit' },
} as const satisfies Calls;
