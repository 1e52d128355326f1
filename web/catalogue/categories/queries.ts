import { queryOptions } from '@tanstack/react-query';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { call } from '../../platform/api/api.ts';
import { categoriesKeys } from './keys.ts';

/** All categories, by name. */
export const categoriesQuery = () =>
  queryOptions({
    queryKey: categoriesKeys.list(),
    queryFn: async ({ signal }) =>
      (await call(categoriesApi.list, { query: { limit: 200 }, signal })).data,
    // Categories change rarely, and an event refetches them.
    staleTime: 5 * 60_000,
  });
