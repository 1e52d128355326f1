import type { Calls } from '#contract/platform/http/constants/http';

/** Method and path of each call; `#contract/ordering/changes/order-changes` has the endpoints with their schemas. */
export const orderChangesApi = {
  wishes: { method: 'GET', path: '/orders/wishes' },
  propose: { method: 'POST', path: '/orders/:id/changes' },
  answer: { method: 'PUT', path: '/orders/:id/changes/:changeId/answer' },
  withdraw: { method: 'DELETE', path: '/orders/:id/changes/:changeId' },
  setWish: { method: 'PUT', path: '/orders/:id/lines/:lineId/preference' },
  shareShortage: { method: 'POST', path: '/farm/shortages' },
  readShortage: { method: 'GET', path: '/farm/shortages/:id' },
  changeItems: { method: 'PUT', path: '/orders/:id/items' },
} as const satisfies Calls;
