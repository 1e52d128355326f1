import type { Calls } from '#contract/platform/http/constants';

/** The longest text in which a farm says how to pay it, in characters. */
export const PAYMENT_DETAILS_MAX = 500;

export const paymentApi = {
  own: { method: 'GET', path: '/farm/payment' },
  update: { method: 'PUT', path: '/farm/payment' },
  ofOrder: { method: 'GET', path: '/orders/:id/payment' },
} as const satisfies Calls;
