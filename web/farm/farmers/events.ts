import type { QueryClient } from '@tanstack/react-query';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, remove } from '../../platform/realtime/reducer.ts';
import { farmersKeys } from './queries.ts';

/** Refetches the farm cards, which show the product counts. */
function refetchCards(cache: QueryClient): void {
  refetch(cache, farmersKeys.list());
  refetch(cache, farmersKeys.firsts());
}

/** Keeps the farms current. An event names only the farm that changed, so it is refetched. */
export const farmerReducers = {
  'farmer.updated': (cache, event) => {
    refetchCards(cache);
    refetch(cache, farmersKeys.detail(event.data._id));
  },
  'farmer.deleted': (cache, event) => {
    remove(cache, farmersKeys.list(), event.data._id);
    refetchCards(cache);
    // The farm page shows what the server answers.
    refetch(cache, farmersKeys.detail(event.data._id));
  },
  'farmer.listingChanged': (cache, { data }) => {
    if (!data.isListed) remove(cache, farmersKeys.list(), data._id);
    refetchCards(cache);
    refetch(cache, farmersKeys.detail(data._id));
  },
  'product.created': refetchCards,
  'product.deleted': refetchCards,
  // Most changes are of stock or price; only one that may leave the market changes the count.
  'product.updated': (cache, { data }) => {
    if (!data.isActive || data.availableUntil !== null) refetchCards(cache);
  },
} satisfies FeatureReducers;
