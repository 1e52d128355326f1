import type { Calls } from '#contract/platform/http/constants/http';

/** Method and path of each call; `#contract/ordering/moves/moves` has the endpoints with their schemas. */
export const movesApi = {
  orders: { method: 'GET', path: '/farm/slots/:id/orders' },
  moveDay: { method: 'POST', path: '/farm/slots/move-day' },
  move: { method: 'POST', path: '/farm/slots/:id/move' },
  moveOrder: { method: 'PUT', path: '/orders/:id/slot' },
} as const satisfies Calls;
