import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { farmersApi } from '#contract/farm/farmers/constants/farmers';
import { call, dataOf } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { type FeatureReducers, remove } from '../../platform/realtime/reducer.ts';

/** The keys of farms in the query cache; each begins with `all`. */
export const farmersKeys = {
  all: ['farmers'] as const,
  /** `start` is the cursor of the first page, null for the first of all. */
  list: (start: string | null = null) =>
    [...['farmers', 'list'], ...(start === null ? [] : [start])] as const,
  /** The first few farms, however many; `first(limit)` begins with it. */
  firsts: () => ['farmers', 'first'] as const,
  first: (limit: number) => ['farmers', 'first', limit] as const,
  detail: (id: string) => ['farmers', 'detail', id] as const,
};

/** The server's maximum page size, because the names are searched in the browser. */
const PAGE_SIZE = 200;

/** All farms by name, page by page, from the first page or the one that the cursor `start` begins. */
export const farmersQuery = (start: string | null = null) =>
  infiniteQueryOptions({
    queryKey: farmersKeys.list(start),
    queryFn: ({ pageParam, signal }) =>
      call(farmersApi.list, { query: { limit: PAGE_SIZE, cursor: pageParam }, signal }),
    ...paging,
    initialPageParam: start,
  });

/** The first few farms, for the home page. */
export const firstFarmersQuery = (limit: number) =>
  queryOptions({
    queryKey: farmersKeys.first(limit),
    queryFn: dataOf(farmersApi.list, { query: { limit } }),
  });

/** A farm with its profile. */
export const farmerQuery = (id: string) =>
  queryOptions({
    queryKey: farmersKeys.detail(id),
    queryFn: dataOf(farmersApi.detail, { params: { id } }),
  });

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
