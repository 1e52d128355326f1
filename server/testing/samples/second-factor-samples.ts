import { randomUUID } from 'node:crypto';
import type { Role } from '#contract/platform/http/http';
import { createAuthenticator } from '../authenticator.ts';
import type { Caller, TestMarket } from '../market.ts';
import {
  addPasskey,
  beginApp,
  beginPasskeySignIn,
  clearSecondFactor,
  codeOf,
  PASSWORD,
  turnOnApp,
} from '../second-factor.ts';
import type { Party, Sample } from './sample.ts';

/** Returns a valid call of every endpoint of authenticator apps and passkeys; see `createSamples`. */
export function secondFactorSamples(
  market: TestMarket,
  own: Record<Role, Caller>,
): Record<string, Sample> {
  const password = PASSWORD;

  /** Prepares the caller, who begins without a second factor, and calls with what that returns. */
  const withCaller =
    <Made>(
      prepare: (as: Caller) => Promise<Made>,
      inputOf: (made: Made) => object | Promise<object>,
    ) =>
    async (party: Party) => {
      if (party === 'visitor') return { body: { password } };
      await clearSecondFactor(market, own[party].id);
      return inputOf(await prepare(own[party]));
    };
  const withPassword = () => ({ body: { password } });
  const withCode = async ({ freshCode }: { freshCode: () => Promise<string> }) => ({
    body: { password, code: await freshCode() },
  });

  /** What a browser makes of what it is asked for. */
  async function newPasskey(as: Caller) {
    const { body } = await market.call('POST', '/auth/passkeys/begin', { as, body: { password } });
    return createAuthenticator(market.env.PUBLIC_URL).create(body.data);
  }

  return {
    'PUT /auth/password': {
      // Somebody whom no other sample needs: a spoiled password may be a good one.
      input: async (party) => ({
        ...(party === 'visitor' ? {} : { as: await market.join(party) }),
        body: { currentPassword: password, newPassword: password },
      }),
    },
    'GET /auth/second-factor': {},
    'POST /auth/two-factor/begin': { input: withCaller(async () => {}, withPassword) },
    'POST /auth/two-factor/confirm': {
      input: withCaller(
        (as) => beginApp(market, as),
        (secret) => ({ body: { code: codeOf(secret) } }),
      ),
    },
    'POST /auth/two-factor/recovery-codes': {
      input: withCaller((as) => turnOnApp(market, as), withCode),
    },
    'DELETE /auth/two-factor': { input: withCaller((as) => turnOnApp(market, as), withCode) },
    'POST /auth/passkeys/begin': { input: withCaller(async () => {}, withPassword) },
    'POST /auth/passkeys': { input: withCaller(newPasskey, (body) => ({ body })) },
    'DELETE /auth/passkeys/:id': {
      input: async (party) => {
        if (party === 'visitor') return { id: randomUUID(), body: { password } };
        await clearSecondFactor(market, own[party].id);
        return { id: (await addPasskey(market, own[party])).id, body: { password } };
      },
      // Nobody knows of the passkeys of others.
      stranger: { consumer: 404, farmer: 404, admin: 404 },
    },
    'DELETE /users/:id/second-factor': {
      input: async () => {
        const somebody = await market.join('consumer');
        await turnOnApp(market, somebody);
        return { id: somebody.id, body: { reason: 'They called from the number that we know.' } };
      },
    },
    'POST /auth/passkeys/sign-in/begin': {},
    'POST /auth/passkeys/sign-in': {
      input: async () => {
        await clearSecondFactor(market, own.consumer.id);
        const { authenticator } = await addPasskey(market, own.consumer);
        return { body: { credential: authenticator.get(await beginPasskeySignIn(market)) } };
      },
    },
  };
}
