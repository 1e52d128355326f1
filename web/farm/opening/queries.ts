import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type FarmQueue, openingApi } from '#contract/farm/opening/constants';
import { call, dataOf } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The keys of farms on their way into the market; each begins with `all`. */
export const openingKeys = {
  all: ['opening'] as const,
  /** Of the signed-in farmer's farm. */
  own: () => ['opening', 'own'] as const,
  /** The admins' lists of farms; `queue(state)` begins with it. */
  queues: () => ['opening', 'farms'] as const,
  queue: (state: FarmQueue) => ['opening', 'farms', state] as const,
};

/** What is missing before the signed-in farmer's farm can sell. */
export const ownOpeningQuery = () =>
  queryOptions({ queryKey: openingKeys.own(), queryFn: dataOf(openingApi.own) });

/** Farms by where they stand, page by page. */
export const farmQueueQuery = (state: FarmQueue) =>
  infiniteQueryOptions({
    queryKey: openingKeys.queue(state),
    queryFn: ({ pageParam, signal }) =>
      call(openingApi.farms, { query: { state, limit: 50, cursor: pageParam }, signal }),
    ...paging,
  });

/** Refetches what says how far farms are: the steps follow from profiles, places and products. */
const refetchOpenings = (cache: QueryClient): void => refetch(cache, openingKeys.all);

/** Keeps the way of farms into the market current, for the farm and for admins. */
export const openingReducers = {
  // Their email may be verified now, or asked for.
  'account.changed': refetchOpenings,
  'market.updated': refetchOpenings,
  'farm.approvalChanged': refetchOpenings,
  'farmer.updated': refetchOpenings,
  'farmer.deleted': refetchOpenings,
  'place.changed': refetchOpenings,
  'member.changed': refetchOpenings,
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
