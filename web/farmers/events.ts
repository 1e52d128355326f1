import type { QueryClient } from '@tanstack/react-query';
import { refetch } from '../realtime/in-flight.ts';
import type { FeatureReducers } from '../realtime/reducer.ts';

/** The cards of farms tell how many products each has. */
function countAgain(cache: QueryClient): void {
  refetch(cache, ['farmers', 'list']);
  refetch(cache, ['farmers', 'first']);
}

/** Keeps the farms true. An event says only which one changed, so they are read again. */
export const farmerReducers = {
  'farmer.updated': (cache, event) => {
    countAgain(cache);
    refetch(cache, ['farmers', 'detail', event.data._id]);
  },
  'product.created': countAgain,
  'product.deleted': countAgain,
  // Most changes are of stock or price; only one that leaves the market changes the count.
  'product.updated': (cache, event) => {
    if (!event.data.isActive) countAgain(cache);
  },
} satisfies FeatureReducers;
