import { queryOptions } from '@tanstack/react-query';
import { paymentApi } from '#contract/money/payment/constants';
import { call } from '../../platform/api/api.ts';
import { paymentKeys } from './keys.ts';

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
