import type { Calls } from '#contract/platform/http/constants';

/** Apart from the other calls of products, which every visitor's first page loads. */
export const stockAlertsApi = {
  alert: { method: 'GET', path: '/products/:id/alert' },
  setAlert: { method: 'PUT', path: '/products/:id/alert' },
} as const satisfies Calls;
