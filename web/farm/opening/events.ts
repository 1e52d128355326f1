import type { QueryClient } from '@tanstack/react-query';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';
import { openingKeys } from './keys.ts';

/** Refetches what says how far farms are: the steps follow from profiles, places and products. */
function refetchOpenings(cache: QueryClient): void {
  refetch(cache, openingKeys.own());
  refetch(cache, openingKeys.queues());
}

/** Keeps the way of farms into the market current, for the farm and for admins. */
export const openingReducers = {
  // Their email may be verified now, or asked for.
  'account.changed': refetchOpenings,
  'market.updated': refetchOpenings,
  'farm.approvalChanged': refetchOpenings,
  'farmer.updated': refetchOpenings,
  'farmer.deleted': refetchOpenings,
  'place.changed': refetchOpenings,
  'product.created': refetchOpenings,
  'product.deleted': refetchOpenings,
  // Sales and prices change nothing; only what enters or leaves the market does.
  'product.updated': (cache, { data }) => {
    if (!data.isActive || !('name' in data) || data.farmer.isDraft) refetchOpenings(cache);
  },
  'user.created': (cache, { data }) => {
    if (data.role === 'farmer') refetch(cache, openingKeys.queues());
  },
} satisfies FeatureReducers;
