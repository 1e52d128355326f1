import { useMutation } from '@tanstack/react-query';
import type { Order, PlaceOrder } from '#contract/orders';
import { type Answer, api } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { retryDelay, shouldRetry } from '../lib/query-client.ts';
import { toastError } from '../ui/toast.ts';
import { attemptKey, attemptOver } from './attempt.ts';

/** Refusals that mean: the market has changed since the cart was filled. */
const OVERTAKEN: readonly string[] = [
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
  'PRODUCT_UNAVAILABLE',
  'OTHER_FARM',
];

/** Whether an order was refused because price or stock had changed. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && OVERTAKEN.includes(error.code);
}

/**
 * Places an order. What may pass by itself is tried again, under the same name, so that it is placed
 * once however often it is asked.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: async (order: PlaceOrder) => {
      const { data } = await api.post<Answer<Order>>('/orders', order, {
        headers: { 'Idempotency-Key': attemptKey(JSON.stringify(order)) },
      });
      attemptOver();
      return data;
    },
    retry: shouldRetry,
    retryDelay,
    onError: toastError,
  });
}
