import type { Calls } from '#contract/platform/http/constants';

/** For how many products a customer can wait to be back in stock. */
export const STOCK_ALERTS_MAX = 100;

/** Apart from the other calls of products, which every visitor's first page loads. */
export const stockAlertsApi = {
  alert: { method: 'GET', path: '/products/:id/alert' },
  setAlert: { method: 'PUT', path: '/products/:id/alert' },
} as const satisfies Calls;
