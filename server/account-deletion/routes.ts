import { usersApi } from '#contract/users';
import type { Platform } from '../http/platform.ts';
import { type Route, route } from '../http/route.ts';
import { DELETION_TIMES_MS, deleteUser } from './service.ts';

/** Deleting an account, which reaches into orders and messages and so stands above them. */
export const accountDeletionRoutes = (platform: Platform): Route[] => [
  route(
    usersApi.remove,
    async ({ user, params }) => {
      await deleteUser(platform, user, params.id);
      return {};
    },
    { times: DELETION_TIMES_MS },
  ),
];
