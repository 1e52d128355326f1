import { paymentApi } from '#contract/money/payment/payment';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { readPayment, readPaymentOfOrder, updatePayment } from './service.ts';

/** Routes of how to pay a farm. */
export const paymentRoutes = (platform: Platform): Route[] => [
  route(paymentApi.own, async ({ user }) => ({ data: await readPayment(platform, user) })),
  route(paymentApi.update, async ({ user, body }) => ({
    data: await updatePayment(platform, user, body),
  })),
  route(paymentApi.ofOrder, async ({ params, user }) => ({
    data: await readPaymentOfOrder(platform, params.id, user),
  })),
];
