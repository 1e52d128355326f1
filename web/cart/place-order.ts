import { useMutation } from '@tanstack/react-query';
import { LINE_PROBLEM_CODES, ordersApi } from '#contract/constants/orders';
import type { Failure, LineProblem } from '#contract/http';
import type { PlaceOrder } from '#contract/orders';
import { call } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { retryDelay, shouldRetry } from '../lib/query-client.ts';
import { toastError } from '../ui/toast.ts';
import { attemptFor, clearAttempt } from './attempt.ts';

/** The error codes of refusals because products changed since the cart was filled. */
const OUTDATED_CART_CODES: readonly string[] = LINE_PROBLEM_CODES;

/**
 * Returns whether an order was refused because products changed. One that is just too late for a product is
 * shown in the form, where the day is chosen.
 */
export function isCartOutdated(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !OUTDATED_CART_CODES.includes(error.code)) return false;
  return (
    error.code !== 'NOT_AVAILABLE_THEN' ||
    problemsOf(error).some(({ code }) => code !== 'NOT_AVAILABLE_THEN')
  );
}

/** Returns the problems of the lines of a refused order. */
export function problemsOf(error: ApiError): readonly LineProblem[] {
  return (error.details as Partial<Failure> | undefined)?.problems ?? [];
}

/** Returns whether an order got no answer: it may be placed or not, and is safe to repeat. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && error.isOffline;

/** Returns whether an order was refused because the market takes those of verified emails only. */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED';

/**
 * Places the order that was made of what the buyer `said`. The same words are one order, however often they are sent;
 * temporary failures are retried.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: async ({ said, order }: { said: unknown; order: PlaceOrder }) => {
      const attempt = attemptFor(said, order);
      const { data } = await call(ordersApi.place, {
        body: attempt.order,
        idempotencyKey: attempt.key,
      });
      clearAttempt();
      return data;
    },
    // Without a network there is nothing to wait for: the buyer gets the error at once.
    retry: (failures, error) => navigator.onLine && shouldRetry(failures, error),
    retryDelay,
    onError: (error) => {
      // The checkout itself says so, and repeats the order.
      if (!isUnanswered(error) && !isUnverified(error)) toastError(error);
    },
  });
}
