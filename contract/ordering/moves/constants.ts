import type { Calls } from '#contract/platform/http/constants';

export const movesApi = {
  orders: { method: 'GET', path: '/farm/slots/:id/orders' },
  moveDay: { method: 'POST', path: '/farm/slots/move-day' },
  move: { method: 'POST', path: '/farm/slots/:id/move' },
  moveOrder: { method: 'PUT', path: '/orders/:id/slot' },
} as const satisfies Calls;
