import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type FarmQueue, openingApi } from '#contract/farm/opening/constants';
import { call } from '../../platform/api/api.ts';
import { paging } from '../../platform/queries/pages.ts';
import { openingKeys } from './keys.ts';

/** What is missing before the signed-in farmer's farm can sell. */
export const ownOpeningQuery = () =>
  queryOptions({
    queryKey: openingKeys.own(),
    queryFn: async ({ signal }) => (await call(openingApi.own, { signal })).data,
  });

/** Farms by where they stand, page by page. */
export const farmQueueQuery = (state: FarmQueue) =>
  infiniteQueryOptions({
    queryKey: openingKeys.queue(state),
    queryFn: ({ pageParam, signal }) =>
      call(openingApi.farms, { query: { state, limit: 50, cursor: pageParam }, signal }),
    ...paging,
  });
