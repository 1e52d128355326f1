import { queryOptions } from '@tanstack/react-query';
import { paymentApi } from '#contract/money/payment/constants';
import { call } from '../../platform/api/api.ts';

/** The keys of how to pay farms in the query cache; each begins with `all`. */
export const paymentKeys = {
  all: ['payment'] as const,
  own: () => ['payment', 'own'] as const,
  ofOrder: (orderId: string) => ['payment', 'ofOrder', orderId] as const,
};

/** How to pay the signed-in person's farm. */
export const ownPaymentQuery = () =>
  queryOptions({
    queryKey: paymentKeys.own(),
    queryFn: async ({ signal }) => (await call(paymentApi.own, { signal })).data,
  });

/** How to pay the farm of an order. */
export const orderPaymentQuery = (orderId: string) =>
  queryOptions({
    queryKey: paymentKeys.ofOrder(orderId),
    queryFn: async ({ signal }) =>
      (await call(paymentApi.ofOrder, { params: { id: orderId }, signal })).data,
  });
