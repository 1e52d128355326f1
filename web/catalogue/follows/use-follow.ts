import { followsApi } from '#contract/catalogue/follows/constants';
import { call } from '../../platform/api/api.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { followsQuery } from './queries.ts';

/** What can be followed. */
export interface Followable {
  kind: 'product' | 'farm';
  id: string;
}

/** Follows something, or no longer does. */
export const useFollow = ({ kind, id }: Followable) =>
  useCommand(
    async (isFollowed: boolean) => {
      const params = { id };
      if (kind === 'product') {
        await (isFollowed
          ? call(followsApi.followProduct, { params })
          : call(followsApi.unfollowProduct, { params }));
      } else {
        await (isFollowed
          ? call(followsApi.followFarm, { params })
          : call(followsApi.unfollowFarm, { params }));
      }
    },
    { invalidates: followsQuery().queryKey },
  );
