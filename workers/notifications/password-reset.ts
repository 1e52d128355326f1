import { createHmac } from 'node:crypto';
import type { Database } from '../../prisma/client.ts';
import { hashSecretToken } from '../../server/platform/secret-token.ts';
import type { Reactions } from './definition.ts';

export const RESET_KIND = 'password.reset';
/** How long a link counts. */
const LINK_LIFE_MS = 60 * 60 * 1000;

/** A link to set a new password, to whoever asked for it. */
export const resetReactions: Reactions = {
  'password.resetRequested': ({ id, data }) => [
    { do: 'mail', userId: data._id, kind: RESET_KIND, key: `${RESET_KIND}:${id}` },
  ],
};

/**
 * The link for one request. Its token follows from the request, so that a mail tried twice carries
 * the same one; only the token's hash is kept.
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
      expiresAt: new Date(Date.now() + LINK_LIFE_MS),
    },
    skipDuplicates: true,
  });
  return `${options.publicUrl}/reset-password?token=${token}`;
}
