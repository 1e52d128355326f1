import { addressesApi } from '#contract/people/addresses/addresses';
import { authApi } from '#contract/people/auth/auth';
import { notificationsApi } from '#contract/people/notifications/notifications';
import { phoneApi } from '#contract/people/phone/phone';
import { secondFactorApi } from '#contract/people/second-factor/second-factor';
import { usersApi } from '#contract/people/users/users';
import type { Platform } from '../platform/http/platform.ts';
import {
  bearerTokenOf,
  dataRoute,
  listAnswer,
  listRoute,
  type Route,
  route,
} from '../platform/http/route.ts';
import { readVapid } from '../platform/process/push.ts';
import { changeEmail, readEmail } from './auth/change-email.ts';
import {
  changePassword,
  login,
  readMe,
  register,
  requestReset,
  resetPassword,
} from './auth/service.ts';
import { endOtherSessions, endSession, listSessions, logOut } from './auth/sessions.ts';
import {
  limitForgotPassword,
  limitLogin,
  limitResetPassword,
  limitVerifyEmail,
  readSource,
} from './auth/sources.ts';
import { mailAgain } from './auth/unreachable.ts';
import { readEmailLink, refuseEmail, sendVerification, verifyEmail } from './auth/verify-email.ts';
import {
  listNotifications,
  markNotificationsRead,
  readPreferences,
  renewPush,
  type SeeNotifications,
  subscribePush,
  unsubscribePush,
  updatePreferences,
} from './notifications/service.ts';
import { changePhone, confirmPhone, readPhone } from './phone/service.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  removePasskey,
  signInWithPasskey,
} from './second-factor/passkeys.ts';
import {
  beginApp,
  confirmApp,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  turnOffApp,
} from './second-factor/two-factor.ts';
import { createAddress, listAddresses, removeAddress, updateAddress } from './users/addresses.ts';
import { listUsers, updateProfile } from './users/service.ts';

/**
 * Routes of people.
 * @param see what follows from somebody seeing what they were notified of, of which orders know
 * @param openFarm opens the farm of a farmer who registers; farms stand on people, so the app brings it
 */
export const peopleRoutes = (
  platform: Platform,
  openFarm: Parameters<typeof register>[3],
  see: SeeNotifications,
): Route[] => [
  // Routes of registration, sign-in and password reset.
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
    ({ body, ctx }) => requestReset(platform, body.email, readSource(ctx)),
    { limit: limitForgotPassword(platform) },
  ),
  route(authApi.sendVerification, ({ user }) => sendVerification(platform, user)),
  dataRoute(authApi.readEmailLink, ({ query }) => readEmailLink(platform.db, query.token)),
  route(authApi.verifyEmail, ({ body, ctx }) => verifyEmail(platform, body, readSource(ctx)), {
    limit: limitVerifyEmail(platform),
  }),
  route(authApi.refuseEmail, ({ body, ctx }) => refuseEmail(platform, body, readSource(ctx)), {
    limit: limitVerifyEmail(platform),
  }),
  dataRoute(authApi.readEmail, ({ user }) => readEmail(platform.db, user.id)),
  dataRoute(authApi.changeEmail, ({ user, body, ctx }) =>
    changeEmail(platform, user, body, readSource(ctx)),
  ),
  route(authApi.changePassword, ({ user, body, ctx }) =>
    changePassword(platform, user, body, readSource(ctx)),
  ),
  dataRoute(authApi.sessions, ({ user }) => listSessions(platform, user)),
  // Before the path with an id.
  route(authApi.endOtherSessions, ({ user }) => endOtherSessions(platform, user)),
  route(authApi.endSession, ({ user, params }) => endSession(platform, user, params.id)),
  route(authApi.resetPassword, ({ body, ctx }) => resetPassword(platform, body, readSource(ctx)), {
    limit: limitResetPassword(platform),
  }),

  // Routes of the authenticator app, recovery codes and passkeys.
  dataRoute(secondFactorApi.read, ({ user }) => readSecondFactor(platform, user.id)),
  dataRoute(secondFactorApi.beginApp, ({ user, body, ctx }) =>
    beginApp(platform, user, body, readSource(ctx)),
  ),
  dataRoute(secondFactorApi.confirmApp, ({ user, body, ctx }) =>
    confirmApp(platform, user, body.code, readSource(ctx)),
  ),
  dataRoute(secondFactorApi.makeRecoveryCodes, ({ user, body, ctx }) =>
    renewRecoveryCodes(platform, user, body, readSource(ctx)),
  ),
  route(secondFactorApi.turnOffApp, ({ user, body, ctx }) =>
    turnOffApp(platform, user, body, readSource(ctx)),
  ),
  dataRoute(secondFactorApi.beginPasskeySignIn, () => beginPasskeySignIn(platform)),
  route(secondFactorApi.signInWithPasskey, ({ body, ctx }) =>
    signInWithPasskey(platform, body, readSource(ctx)),
  ),
  dataRoute(secondFactorApi.beginPasskey, ({ user, body, ctx }) =>
    beginPasskey(platform, user, body, readSource(ctx)),
  ),
  dataRoute(secondFactorApi.addPasskey, ({ user, body, ctx }) =>
    addPasskey(platform, user, body, readSource(ctx)),
  ),
  route(secondFactorApi.removeOfUser, ({ user, params, body }) =>
    removeSecondFactor(platform, user, params.id, body),
  ),
  route(secondFactorApi.removePasskey, ({ user, params, body, ctx }) =>
    removePasskey(platform, user, { ...params, ...body }, readSource(ctx)),
  ),

  // Routes of one's own profile and addresses, and of all accounts for admins.
  dataRoute(usersApi.updateProfile, ({ user, body }) => updateProfile(platform, user, body)),
  dataRoute(phoneApi.read, ({ user }) => readPhone(platform, user.id)),
  dataRoute(phoneApi.change, ({ user, body }) => changePhone(platform, user, body)),
  dataRoute(phoneApi.confirm, ({ user, body }) => confirmPhone(platform, user, body)),
  dataRoute(addressesApi.list, ({ user }) => listAddresses(platform, user.id)),
  dataRoute(addressesApi.create, ({ user, body }) => createAddress(platform, user, body)),
  dataRoute(addressesApi.update, ({ user, params, body }) =>
    updateAddress(platform, user, params.id, body),
  ),
  route(addressesApi.remove, ({ user, params }) => removeAddress(platform, user, params.id)),
  listRoute(usersApi.list, ({ query }) => listUsers(platform, query)),
  route(usersApi.mailAgain, ({ user, params }) => mailAgain(platform, user, params.id)),

  // Routes of notifications, preferences and push subscriptions.
  route(notificationsApi.list, async ({ user, query }) => {
    const page = await listNotifications(platform, user.id, query);
    return { ...listAnswer(page), unreadCount: page.unreadCount };
  }),
  route(notificationsApi.markRead, async ({ user, body }) => ({
    data: { unreadCount: await markNotificationsRead(platform, user.id, body, see) },
  })),
  dataRoute(notificationsApi.preferences, ({ user }) => readPreferences(platform, user.id)),
  dataRoute(notificationsApi.updatePreferences, ({ user, body }) =>
    updatePreferences(platform, user.id, body),
  ),
  route(notificationsApi.pushKey, async () => {
    const { publicKey } = readVapid(platform.env);
    return { data: { publicKey } };
  }),
  route(notificationsApi.subscribePush, ({ user, body }) => subscribePush(platform, user, body)),
  route(notificationsApi.renewPush, async ({ user, body }) => ({
    data: { isSubscribed: await renewPush(platform, user, body.endpoint) },
  })),
  route(notificationsApi.unsubscribePush, ({ user, body }) =>
    unsubscribePush(platform, user.id, body.endpoint),
  ),
];
