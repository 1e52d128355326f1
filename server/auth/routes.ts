import { authApi } from '#contract/auth';
import type { Platform } from '../platform/platform.ts';
import { type Route, route } from '../platform/route.ts';
import { login, readMe, register, requestReset, resetPassword } from './service.ts';

/** Opening an account, signing in, and getting back in after forgetting the password. */
export const authRoutes = (platform: Platform): Route[] => [
  route(authApi.register, ({ body }) => register(platform, body)),
  route(authApi.login, ({ body }) => login(platform, body)),
  route(authApi.me, async ({ user }) => ({ user: await readMe(platform, user.id) })),
  route(authApi.forgotPassword, async ({ body }) => {
    await requestReset(platform, body.email);
    return {};
  }),
  route(authApi.resetPassword, async ({ body }) => {
    await resetPassword(platform, body);
    return {};
  }),
];
