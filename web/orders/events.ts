import type { QueryClient } from '@tanstack/react-query';
import type { Envelope } from '#contract/realtime';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';
import { mergeOrder } from './merge.ts';

function merge(
  cache: QueryClient,
  event: Envelope<'order.created' | 'order.updated' | 'order.unanswered'>,
): void {
  mergeOrder(cache, event.data);
}

/** The farmer's figures count products and messages too, which no event tells in full. */
function countAgain(cache: QueryClient): void {
  refetch(cache, ['orders', 'farmer-stats']);
}

/** Keeps every list of orders, each order's own page and the farmer's figures true. */
export const orderReducers = {
  'order.created': merge,
  'order.updated': merge,
  'order.unanswered': merge,
  'product.created': countAgain,
  'product.updated': countAgain,
  'product.deleted': countAgain,
  'message.created': countAgain,
  'messages.read': countAgain,
  // Whoever is gone is called 'Deleted user' in the orders that an admin reads.
  'user.deleted': (cache) => refetch(cache, ['orders']),
} satisfies FeatureReducers;
