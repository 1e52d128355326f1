import { createHmac } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import { readClock } from '../../server/process/clock.ts';
import { hashSecretToken } from '../../server/process/secret-token.ts';
import type { Reactions } from './definition.ts';

export const RESET_KIND = 'password.reset';
/** How long a link is valid, in milliseconds. */
const LINK_VALID_MS = 60 * 60 * 1000;

/** Mails a link to set a new password to the account it was requested for. */
export const resetReactions: Reactions = {
  'password.resetRequested': ({ id, data }) => [
    { do: 'mail', userId: data._id, kind: RESET_KIND, key: `${RESET_KIND}:${id}` },
  ],
};

/**
 * Creates the reset link of one request. Its token is derived from the delivery's id, so that a repeated
 * mail contains the same link; only the token's hash is stored.
 */
export async function makeResetLink(
  db: Database,
  options: { secret: string; publicUrl: string; userId: string; deliveryId: string },
): Promise<string> {
  const token = createHmac('sha256', options.secret)
    .update(`password reset ${options.deliveryId}`)
    .digest('base64url');
  await db.passwordReset.createMany({
    data: {
      tokenHash: hashSecretToken(token),
      userId: options.userId,
      expiresAt: new Date((await readClock(db)).getTime() + LINK_VALID_MS),
    },
    skipDuplicates: true,
  });
  return `${options.publicUrl}/reset-password?token=${token}`;
}
