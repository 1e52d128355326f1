import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Confirmation } from '#contract/people/auth/confirmation';
import { PASSKEYS_MAX } from '#contract/people/second-factor/constants';
import type {
  AddPasskey,
  Passkey,
  PasskeyOptions,
  SignInWithPasskey,
} from '#contract/people/second-factor/second-factor';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { Passkey as PasskeyRow } from '../../../prisma/generated/client.ts';
import { conflict, invalid, notFound, unauthorized } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCallerAlone, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { isDuplicate, transact } from '../../platform/stores/postgres.ts';
import {
  CHALLENGE_VALID_MS,
  challengeEnded,
  confirmOwner,
  keepChallenge,
  lockConfirmed,
  siteOf,
  takeChallenge,
  verifyPasskey,
} from '../auth/confirm-owner.ts';
import { beginSession, type SignedIn } from '../auth/service.ts';
import { recordSecurityChange } from '../auth/sessions.ts';
import type { Source } from '../auth/sources.ts';

/** Presents a passkey to its owner. */
export const presentPasskey = (
  row: Pick<PasskeyRow, 'id' | 'device' | 'createdAt' | 'lastUsedAt'>,
): Passkey => ({
  _id: row.id,
  device: row.device,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/**
 * Begins to add a passkey. It must be one that verifies its owner and is found without a name, since it stands for
 * email, password and second factor.
 * @throws 400 as {@link confirmOwner}, 409 the account has so many as it may have
 */
export async function beginPasskey(
  platform: Platform,
  user: SessionUser,
  confirmation: Confirmation,
  source: Source,
): Promise<PasskeyOptions> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  const account = await platform.db.user.findUnique({
    where: { id: user.id, deletedAt: null },
    select: { email: true, name: true, passkeys: true },
  });
  if (!account) throw sessionEnded();
  if (account.passkeys.length >= PASSKEYS_MAX) throw tooManyPasskeys();
  const options = await generateRegistrationOptions({
    rpName: theMarket().name,
    rpID: siteOf(platform).rpID,
    userID: new TextEncoder().encode(user.id),
    userName: account.email,
    userDisplayName: account.name,
    timeout: CHALLENGE_VALID_MS,
    excludeCredentials: account.passkeys.map(({ credentialId: id, transports }) => ({
      id,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await transact(platform.db, async (tx) => {
    await lockConfirmed(tx, user.id, owner);
    await keepChallenge(tx, options.challenge, user.id);
  });
  return { ...options };
}

/**
 * Keeps a passkey that the browser made for what {@link beginPasskey} returned.
 * @throws 400 it is not for this site, this account or this moment, 409 it is known already or one too many
 */
export async function addPasskey(
  platform: Platform,
  user: SessionUser,
  response: AddPasskey,
  source: Source,
): Promise<Passkey> {
  const asked = await readProof(platform.db, user.id);
  const expectedChallenge = await takeChallenge(platform, response.response, user.id);
  const { rpID, origins } = siteOf(platform);
  const made = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => undefined);
  if (!made?.verified)
    throw invalid(msg("This passkey can't be used here. Please try another one."));
  const { id: credentialId, publicKey, counter, transports } = made.registrationInfo.credential;
  try {
    return await transact(platform.db, async (tx) => {
      // Of many at the same moment each counts those before it.
      await lockCallerAlone(tx, user.id);
      // A reset or the first proof of the email may have come first, which ends every challenge.
      if ((await readProof(tx, user.id)) !== asked) throw challengeEnded();
      if ((await tx.passkey.count({ where: { userId: user.id } })) >= PASSKEYS_MAX) {
        throw tooManyPasskeys();
      }
      const row = await tx.passkey.create({
        data: {
          userId: user.id,
          credentialId,
          publicKey,
          counter,
          transports: transports ?? [],
          device: source.name,
        },
      });
      await recordSecurityChange(tx, user, 'passkeyAdded', source.name);
      return presentPasskey(row);
    });
  } catch (error) {
    if (isDuplicate(error)) throw conflict('PASSKEY_KNOWN', msg('This passkey was added already.'));
    throw error;
  }
}

/** Returns what changes with each reset of an account and with the first proof of its email. */
async function readProof(db: Pick<Transaction, 'user'>, id: string): Promise<string> {
  const { tokenVersion, emailVerifiedAt } = await db.user.findUniqueOrThrow({
    where: { id },
    select: { tokenVersion: true, emailVerifiedAt: true },
  });
  return `${tokenVersion} ${emailVerifiedAt !== null}`;
}

/**
 * Removes a passkey of the caller.
 * @throws 400 as {@link confirmOwner}, 404 no such passkey of theirs
 */
export async function removePasskey(
  platform: Platform,
  user: SessionUser,
  { id, ...confirmation }: Confirmation & { id: string },
  source: Source,
): Promise<void> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  await transact(platform.db, async (tx) => {
    await lockConfirmed(tx, user.id, owner);
    const { count } = await tx.passkey.deleteMany({ where: { id, userId: user.id } });
    if (count === 0) throw notFound(msg('Passkey not found'));
    await recordSecurityChange(tx, user, 'passkeyRemoved', source.name);
  });
}

/** Begins a sign-in with a passkey. Which account it is for, the passkey says. */
export async function beginPasskeySignIn(platform: Platform): Promise<PasskeyOptions> {
  const options = await generateAuthenticationOptions({
    rpID: siteOf(platform).rpID,
    timeout: CHALLENGE_VALID_MS,
    userVerification: 'required',
  });
  await keepChallenge(platform.db, options.challenge, null);
  return { ...options };
}

/**
 * Signs in with a passkey. It was unlocked with a finger, a face or a PIN and cannot be passed on to somebody else, so
 * it counts as both factors.
 * @throws 400 the challenge was used or is too old, 401 for any passkey that opens no account here
 */
export async function signInWithPasskey(
  platform: Platform,
  { credential, remember }: SignInWithPasskey,
  source: Source,
): Promise<SignedIn> {
  const { account, use } = await verifyPasskey(platform, credential, unknownPasskey);
  return beginSession(platform, account, {
    isRemembered: remember,
    passwordHash: null,
    source,
    refusal: unknownPasskey,
    prove: use,
  });
}

const unknownPasskey = () =>
  unauthorized(msg("This passkey doesn't open an account here. Sign in with your password."));

const tooManyPasskeys = () =>
  conflict(
    'TOO_MANY_PASSKEYS',
    msg('You have {max} passkeys. Remove one first.', { max: PASSKEYS_MAX }),
  );
