import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Confirmation, SignedChallenge } from '#contract/people/auth/confirmation';
import { SECOND_FACTOR_REQUIRED } from '#contract/people/second-factor/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { AppError, invalid, invalidField } from '../../platform/http/errors.ts';
import { allowedOrigins } from '../../platform/http/middleware.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { MAY_ACT, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { hasApp, takeCode } from '../second-factor/codes.ts';
import { membershipInclude } from '../users/present.ts';
import { verifyPassword } from './password.ts';
import { limitCodes, type Source } from './sources.ts';

/** Somebody who is signed in and proved once more to be the owner of the account. */
interface ConfirmedOwner {
  email: string;
  /** What the password matched: what relies on it is refused where it was changed meanwhile. */
  passwordHash: string;
  /** Takes the code or passkey, which count once. The transaction holds a lock on the user's row. */
  takeSecondFactor: (tx: Transaction) => Promise<void>;
}

/**
 * Checks that somebody who is signed in is the owner of the account, by what signing in would ask of them: the
 * password and, with an authenticator app, a code of it, a recovery code or a passkey. The second factor would
 * otherwise be worth nothing against anyone who has a session and the password.
 * @throws 400 at `password` a wrong one, 400 SECOND_FACTOR_REQUIRED at `code` where it is missing, 400 at `code` or
 *   `passkey` a wrong one, 401 the account is gone, 429
 */
export async function confirmOwner(
  platform: Platform,
  user: SessionUser,
  { password, code, passkey }: Confirmation,
  source: Source,
): Promise<ConfirmedOwner> {
  const known = await platform.db.user.findUnique({
    where: { id: user.id, deletedAt: null, isFarm: false },
    select: { passwordHash: true, email: true },
  });
  if (!known) throw sessionEnded();
  if (!(await verifyPassword(known.passwordHash, password))) throw wrongPassword();
  let verified: VerifiedPasskey | undefined;
  if (await hasApp(platform, user.id)) {
    if (passkey) {
      verified = await verifyPasskey(platform, passkey, wrongPasskey);
      if (verified.account.id !== user.id) throw wrongPasskey();
    } else {
      if (!code) throw secondFactorMissing();
      await limitCodes(platform, known.email, source);
    }
  }
  return {
    ...known,
    takeSecondFactor: (tx) =>
      verified ? verified.use(tx) : takeCode(platform, tx, user, code, source, secondFactorMissing),
  };
}

/**
 * Locks the caller's own row, in the place of `lockCaller`, if it still has the password that was confirmed, and takes
 * the second factor: of a new password and a change that relies on the old one at the same moment, the old one no
 * longer counts.
 * @throws 400 as {@link confirmOwner}, 401 as `lockCaller`
 */
export async function lockConfirmed(
  tx: Transaction,
  userId: string,
  owner: ConfirmedOwner,
): Promise<void> {
  const [row] = await tx.$queryRaw<{ hash: string }[]>`
    SELECT password_hash AS hash FROM users
    WHERE id = ${userId}::uuid AND ${Prisma.raw(MAY_ACT)}
    FOR SHARE`;
  if (!row) throw sessionEnded();
  if (row.hash !== owner.passwordHash) throw wrongPassword();
  await owner.takeSecondFactor(tx);
}

/** Refuses a password that is not, or no longer, the account's. */
export const wrongPassword = () => invalidField('password', msg('That is not your password.'));

// Not 401, which ends the session.
const secondFactorMissing = () => {
  const message = msg('Enter the code that your authenticator app shows.');
  return new AppError(400, SECOND_FACTOR_REQUIRED, message, {
    errors: [{ path: 'code', message }],
  });
};

const wrongPasskey = () =>
  invalidField(
    'passkey',
    msg("This passkey isn't one of your account. Try another, or enter a code."),
  );

/** How long somebody may take to unlock their passkey, in milliseconds. */
export const CHALLENGE_VALID_MS = 5 * 60 * 1000;

/** Returns the site that passkeys are made for: a passkey of another one, such as a copy's, is worth nothing here. */
export function siteOf({ env }: Platform): { rpID: string; origins: string[] } {
  return {
    rpID: new URL(env.PUBLIC_URL).hostname,
    origins: [...allowedOrigins(env.PUBLIC_URL, env.NODE_ENV)],
  };
}

/** A passkey that signed. */
interface VerifiedPasskey {
  /** Whose it is. */
  account: Prisma.UserGetPayload<{ include: typeof membershipInclude }>;
  /** Notes that it was used. Throws what `refusal` returns if it was removed meanwhile. */
  use: (tx: Transaction) => Promise<void>;
}

/**
 * Verifies what a passkey signed. Its challenge is taken first, so it is worth one try.
 * @throws 400 the challenge was used or is too old; what `refusal` returns for any passkey that opens no account here
 */
export async function verifyPasskey(
  platform: Platform,
  credential: SignedChallenge,
  refusal: () => AppError,
): Promise<VerifiedPasskey> {
  const expectedChallenge = await takeChallenge(platform, credential.response, null);
  const found = await platform.db.passkey.findUnique({
    where: { credentialId: credential.id, user: { deletedAt: null, isFarm: false } },
    include: { user: { include: membershipInclude } },
  });
  if (!found) throw refusal();
  const { user: account, ...passkey } = found;
  const { userHandle } = credential.response;
  const owner = userHandle ? Buffer.from(userHandle, 'base64url').toString() : account.id;
  if (owner !== account.id) throw refusal();

  const { rpID, origins } = siteOf(platform);
  const signed = await verifyAuthenticationResponse({
    response: credential as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
      transports: passkey.transports,
    },
  }).catch(() => undefined);
  if (!signed?.verified) throw refusal();
  const { newCounter } = signed.authenticationInfo;
  return {
    account,
    use: async (tx) => {
      const { count } = await tx.passkey.updateMany({
        where: { id: passkey.id, counter: { lte: newCounter } },
        data: { counter: newCounter, lastUsedAt: new Date() },
      });
      if (count === 0) throw refusal();
    },
  };
}

/** Keeps a challenge that a passkey is to sign, for the account that it is made for, or for anyone who signs in. */
export const keepChallenge = (
  db: Pick<Transaction, '$executeRaw'>,
  challenge: string,
  userId: string | null,
): Promise<number> => db.$executeRaw`
  INSERT INTO passkey_challenges (challenge, user_id, expires_at)
  VALUES (${challenge}, ${userId}::uuid, now() + make_interval(secs => ${CHALLENGE_VALID_MS / 1000}::float8))`;

/**
 * Takes the challenge that a passkey signed, which is worth one try of the person it was made for.
 * @throws 400 it was taken, is too old, or was made for somebody else
 */
export async function takeChallenge(
  { db }: Platform,
  { clientDataJSON }: { clientDataJSON: string },
  userId: string | null,
): Promise<string> {
  const challenge = challengeIn(clientDataJSON);
  const count = await db.$executeRaw`
    DELETE FROM passkey_challenges
    WHERE challenge = ${challenge} AND user_id IS NOT DISTINCT FROM ${userId}::uuid AND expires_at > now()`;
  if (count === 0) throw challengeEnded();
  return challenge;
}

/** Refuses what a passkey signed for another moment. */
export const challengeEnded = () => invalid(msg('That took too long. Please try again.'));

/** Returns the challenge that the browser says was signed; empty where it says none. */
function challengeIn(clientDataJSON: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    // Postgres cannot compare with NUL.
    return typeof challenge === 'string' && /^[\w-]{1,200}$/.test(challenge) ? challenge : '';
  } catch {
    return '';
  }
}
