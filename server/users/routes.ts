import { usersApi } from '#contract/users';
import type { Platform } from '../http/platform.ts';
import { listAnswer, type Route, route } from '../http/route.ts';
import { listUsers, updateProfile } from './service.ts';

/** Routes of one's own profile, and of all accounts for admins. */
export const usersRoutes = (platform: Platform): Route[] => [
  route(usersApi.updateProfile, async ({ user, body }) => ({
    data: await updateProfile(platform, user, body),
  })),
  route(usersApi.list, async ({ query }) => listAnswer(await listUsers(platform, query))),
];
