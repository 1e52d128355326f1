import { generateSync } from 'otplib';
import { createAuthenticator } from './authenticator.ts';
import type { Caller, TestMarket } from './market.ts';

export const PASSWORD = 'password123';

/** Returns the code that an app with the secret shows, so many seconds from now. */
export const codeOf = (secret: string, inSeconds = 0): string =>
  generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + inSeconds });

/** Begins to set up an app over the API. @returns its secret */
export async function beginApp(market: TestMarket, as: Caller): Promise<string> {
  const body = { password: PASSWORD };
  return (await market.call('POST', '/auth/two-factor/begin', { as, body })).body.data.secret;
}

/**
 * Turns an app on over the API.
 * @returns its secret and recovery codes, and a function for codes that were not used yet
 */
export async function turnOnApp(market: TestMarket, as: Caller) {
  const secret = await beginApp(market, as);
  const body = { code: codeOf(secret) };
  const { status, body: answer } = await market.call('POST', '/auth/two-factor/confirm', {
    as,
    body,
  });
  if (status !== 200) throw new Error(`The app was not turned on: ${JSON.stringify(answer)}`);
  const recoveryCodes: string[] = answer.data.recoveryCodes;
  /** Returns the present code, as if the last one had been taken long ago. */
  const freshCode = async () => {
    await market.platform.db.authenticatorApp.update({
      where: { userId: as.id },
      data: { lastStep: 0 },
    });
    return codeOf(secret);
  };
  return { secret, recoveryCodes, freshCode };
}

/** Turns the app of somebody off, and removes their passkeys, where there are any. */
export async function clearSecondFactor(market: TestMarket, userId: string): Promise<void> {
  const { db } = market.platform;
  await db.authenticatorApp.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
}

/** Adds a passkey over the API. @returns its id, and the authenticator that signs with it */
export async function addPasskey(market: TestMarket, as: Caller) {
  const authenticator = createAuthenticator(market.env.PUBLIC_URL);
  const begun = await market.call('POST', '/auth/passkeys/begin', {
    as,
    body: { password: PASSWORD },
  });
  const body = authenticator.create(begun.body.data);
  const { status, body: answer } = await market.call('POST', '/auth/passkeys', { as, body });
  if (status !== 201) throw new Error(`The passkey was not added: ${JSON.stringify(answer)}`);
  return { id: answer.data._id as string, authenticator };
}

/** Begins a sign-in with a passkey. @returns the browser's options */
export async function beginPasskeySignIn(market: TestMarket): Promise<{ challenge: string }> {
  return (await market.call('POST', '/auth/passkeys/sign-in/begin')).body.data;
}
