import { authApi } from '#contract/people/auth/auth';
import type { Platform } from '../../platform/http/platform.ts';
import { bearerTokenOf, type Route, route } from '../../platform/http/route.ts';
import { changeEmail, readEmail } from './change-email.ts';
import { changePassword } from './change-password.ts';
import { limitForgotPassword, limitLogin, limitResetPassword, limitVerifyEmail } from './limits.ts';
import { login, readMe, register, requestReset, resetPassword } from './service.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './sessions.ts';
import { readSource } from './sources.ts';
import { readEmailLink, refuseEmail, sendVerification, verifyEmail } from './verify-email.ts';

/** Routes of registration, sign-in and password reset. */
/** @param openFarm opens the farm of a farmer who registers; farms stand on people, so the app brings it */
export const authRoutes = (
  platform: Platform,
  openFarm: Parameters<typeof register>[3],
): Route[] => [
  route(authApi.register, ({ body, ctx }) => register(platform, body, readSource(ctx), openFarm)),
  route(authApi.login, ({ body, ctx }) => login(platform, body, readSource(ctx)), {
    limit: limitLogin(platform),
  }),
  route(authApi.logout, async ({ ctx }) => {
    const token = bearerTokenOf(ctx);
    if (token) await logOut(platform, token);
    return {};
  }),
  route(authApi.me, async ({ user }) => ({ user: await readMe(platform, user.id) })),
  route(
    authApi.forgotPassword,
    async ({ body, ctx }) => {
      await requestReset(platform, body.email, readSource(ctx));
      return {};
    },
    { limit: limitForgotPassword(platform) },
  ),
  route(authApi.sendVerification, async ({ user }) => {
    await sendVerification(platform, user);
    return {};
  }),
  route(authApi.readEmailLink, async ({ query }) => ({
    data: await readEmailLink(platform.db, query.token),
  })),
  route(
    authApi.verifyEmail,
    async ({ body, ctx }) => {
      await verifyEmail(platform, body, readSource(ctx));
      return {};
    },
    { limit: limitVerifyEmail(platform) },
  ),
  route(
    authApi.refuseEmail,
    async ({ body, ctx }) => {
      await refuseEmail(platform, body, readSource(ctx));
      return {};
    },
    { limit: limitVerifyEmail(platform) },
  ),
  route(authApi.readEmail, async ({ user }) => ({ data: await readEmail(platform.db, user.id) })),
  route(authApi.changeEmail, async ({ user, body, ctx }) => ({
    data: await changeEmail(platform, user, body, readSource(ctx)),
  })),
  route(authApi.changePassword, async ({ user, body, ctx }) => {
    await changePassword(platform, user, body, readSource(ctx));
    return {};
  }),
  route(authApi.sessions, async ({ user }) => ({ data: await listSessions(platform, user) })),
  // Before the path with an id.
  route(authApi.endOtherSessions, async ({ user }) => {
    await endOtherSessions(platform, user);
    return {};
  }),
  route(authApi.endSession, async ({ user, params }) => {
    await endSession(platform, user, params.id);
    return {};
  }),
  route(
    authApi.resetPassword,
    async ({ body, ctx }) => {
      await resetPassword(platform, body, readSource(ctx));
      return {};
    },
    { limit: limitResetPassword(platform) },
  ),
];
