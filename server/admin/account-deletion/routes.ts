import { membersApi } from '#contract/farm/members/members';
import { usersApi } from '#contract/people/users/users';
import { readSource } from '../../people/auth/sources.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { leaveFarm } from './leave-farm.ts';
import { deleteOwnAccount, readDeletionOutlook } from './own-account.ts';
import { DELETION_TIMES_MS, deleteUser } from './service.ts';

/** Deleting an account and leaving a farm, which reach into orders and messages and so stand above them. */
export const accountDeletionRoutes = (platform: Platform): Route[] => [
  route(usersApi.outlook, async ({ user }) => ({
    data: await readDeletionOutlook(platform, user),
  })),
  // Before the path with an id.
  route(
    usersApi.removeOwn,
    async ({ user, body, ctx }) => {
      await deleteOwnAccount(platform, user, body, readSource(ctx));
      return {};
    },
    { times: DELETION_TIMES_MS },
  ),
  route(
    usersApi.remove,
    async ({ user, params, query }) => {
      await deleteUser(platform, user, params.id, query);
      return {};
    },
    { times: DELETION_TIMES_MS },
  ),
  route(
    membersApi.remove,
    async ({ user, params }) => {
      await leaveFarm(platform, user, params.id);
      return {};
    },
    { times: DELETION_TIMES_MS },
  ),
];
