import { queryOptions } from '@tanstack/react-query';
import { categoriesApi } from '#contract/catalogue/categories/constants';
import { dataOf } from '../../platform/api/api.ts';
import { refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

/** The key of the categories in the query cache. */
export const categoriesKeys = { list: () => ['categories'] as const };

/** All categories, by name. */
export const categoriesQuery = () =>
  queryOptions({
    queryKey: categoriesKeys.list(),
    queryFn: dataOf(categoriesApi.list, { query: { limit: 200 } }),
    // Categories change rarely, and an event refetches them.
    staleTime: 5 * 60_000,
  });

/** Keeps the categories current: an event names only the one that changed, so all are refetched. */
export const categoryReducers = {
  'category.changed': (cache) => refetch(cache, categoriesKeys.list()),
} satisfies FeatureReducers;
