import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { SignedChallenge } from '#contract/people/auth/confirmation';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type AppError, invalid } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { allowedOrigins } from '../../platform/http/security-headers.ts';
import { membershipInclude } from '../users/present.ts';

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
export interface VerifiedPasskey {
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

/** Keeps a challenge that a passkey is to sign, for the account that it is made for, or for whoever signs in. */
export const keepChallenge = (
  db: Pick<Transaction, '$executeRaw'>,
  challenge: string,
  userId: string | null,
): Promise<number> => db.$executeRaw`
  INSERT INTO passkey_challenges (challenge, user_id, expires_at)
  VALUES (${challenge}, ${userId}::uuid, now() + make_interval(secs => ${CHALLENGE_VALID_MS / 1000}::float8))`;

/**
 * Takes the challenge that a passkey signed, which is worth one try of whoever it was made for.
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
export const challengeEnded = () => invalid('That took too long. Please try again.');

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
