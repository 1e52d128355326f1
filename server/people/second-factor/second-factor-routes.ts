import { secondFactorApi } from '#contract/people/second-factor/second-factor';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { readSource } from '../auth/sources.ts';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  removePasskey,
  signInWithPasskey,
} from './passkeys.ts';
import { removeSecondFactor } from './remove-second-factor.ts';
import {
  beginApp,
  confirmApp,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffApp,
} from './two-factor.ts';

/** Routes of the authenticator app, recovery codes and passkeys. */
export const secondFactorRoutes = (platform: Platform): Route[] => [
  route(secondFactorApi.read, async ({ user }) => ({
    data: await readSecondFactor(platform, user.id),
  })),
  route(secondFactorApi.beginApp, async ({ user, body, ctx }) => ({
    data: await beginApp(platform, user, body, readSource(ctx)),
  })),
  route(secondFactorApi.confirmApp, async ({ user, body, ctx }) => ({
    data: await confirmApp(platform, user, body.code, readSource(ctx)),
  })),
  route(secondFactorApi.makeRecoveryCodes, async ({ user, body, ctx }) => ({
    data: await renewRecoveryCodes(platform, user, body, readSource(ctx)),
  })),
  route(secondFactorApi.turnOffApp, async ({ user, body, ctx }) => {
    await turnOffApp(platform, user, body, readSource(ctx));
    return {};
  }),
  route(secondFactorApi.beginPasskeySignIn, async () => ({
    data: await beginPasskeySignIn(platform),
  })),
  route(secondFactorApi.signInWithPasskey, ({ body, ctx }) =>
    signInWithPasskey(platform, body, readSource(ctx)),
  ),
  route(secondFactorApi.beginPasskey, async ({ user, body, ctx }) => ({
    data: await beginPasskey(platform, user, body, readSource(ctx)),
  })),
  route(secondFactorApi.addPasskey, async ({ user, body, ctx }) => ({
    data: await addPasskey(platform, user, body, readSource(ctx)),
  })),
  route(secondFactorApi.removeOfUser, async ({ user, params, body }) => {
    await removeSecondFactor(platform, user, params.id, body);
    return {};
  }),
  route(secondFactorApi.removePasskey, async ({ user, params, body, ctx }) => {
    await removePasskey(platform, user, { ...params, ...body }, readSource(ctx));
    return {};
  }),
];
