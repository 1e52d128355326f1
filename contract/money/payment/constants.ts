import type { Calls } from '#contract/platform/http/constants/http';

/** The longest text in which a farm says how to pay it, in characters. */
export const PAYMENT_DETAILS_MAX = 500;

/** Method and path of each call; `#contract/money/payment/payment` has the endpoints with their schemas. */
export const paymentApi = {
  own: { method: 'GET', path: '/farm/payment' },
  update: { method: 'PUT', path: '/farm/payment' },
  ofOrder: { method: 'GET', path: '/orders/:id/payment' },
} as const satisfies Calls;
