import { usersApi } from '#contract/users';
import type { Platform } from '../platform/platform.ts';
import { listAnswer, type Route, route } from '../platform/route.ts';
import { deleteUser } from './deletion.ts';
import { listUsers, updateProfile } from './service.ts';

/** One's own profile, and all accounts for admins. */
export const usersRoutes = (platform: Platform): Route[] => [
  route(usersApi.updateProfile, async ({ user, body }) => ({
    data: await updateProfile(platform, user, body),
  })),
  route(usersApi.list, async ({ query }) => listAnswer(await listUsers(platform, query))),
  route(usersApi.remove, async ({ user, params }) => {
    await deleteUser(platform, user, params.id);
    return {};
  }),
];
