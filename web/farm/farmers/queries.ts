import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { farmersApi } from '#contract/farm/farmers/constants';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { farmersKeys } from './keys.ts';

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
    queryFn: async ({ signal }) => (await call(farmersApi.list, { query: { limit }, signal })).data,
  });

/** A farm with its profile. */
export const farmerQuery = (id: string) =>
  queryOptions({
    queryKey: farmersKeys.detail(id),
    queryFn: async ({ signal }) => (await call(farmersApi.detail, { params: { id }, signal })).data,
  });
