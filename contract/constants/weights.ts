import type { Calls } from '#contract/constants/http';

/** Method and path of each call; `#contract/weights` has the endpoints with their schemas. */
export const weightsApi = {
  weigh: { method: 'PUT', path: '/orders/:id/lines/:lineId/weight' },
  weighAll: { method: 'PUT', path: '/farm/weights' },
} as const satisfies Calls;
