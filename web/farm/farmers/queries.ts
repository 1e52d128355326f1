import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { farmersApi } from '#contract/farm/farmers/constants';
import { dayIn } from '#contract/platform/time/constants';
import { call, dataOf } from '../../platform/api/api.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { paging } from '../../platform/queries/pages.ts';
import { farmIdOf, useAuth } from '../../platform/session/session.ts';

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

const DAY_STEP_MS = 60_000;

/** Returns the day that it is at the signed-in person's farm; by their own clock until its time zone is known. */
export function useFarmToday(): string {
  const farmId = farmIdOf(useAuth().user);
  const farm = useQuery({ ...farmerQuery(farmId ?? ''), enabled: farmId !== undefined });
  return dayIn(farm.data?.profile?.timeZone, useNow(DAY_STEP_MS));
}
