import { createHmac } from 'node:crypto';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery } from '../../../prisma/generated/client.ts';
import { hashSecretToken } from '../../../server/people/auth/password.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import type { Reactions } from '../engine/definition.ts';
import { RESET_KIND } from '../engine/reach.ts';
import type { MailedTo } from './email-verification.ts';

/**
 * Mails an hour to one account, whoever asks: the limits of those who ask count in Redis, or in each process while that is
 * away.
 */
export const RESETS_PER_HOUR = 10;
const HOUR_MS = 60 * 60 * 1000;
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
  options: { secret: string; publicUrl: string; to: MailedTo; deliveryId: string },
): Promise<string> {
  const token = createHmac('sha256', options.secret)
    .update(`password reset ${options.deliveryId}`)
    .digest('base64url');
  await db.passwordReset.createMany({
    data: {
      tokenHash: hashSecretToken(token),
      userId: options.to.id,
      email: options.to.email,
      expiresAt: new Date((await readClock(db)).getTime() + LINK_VALID_MS),
    },
    skipDuplicates: true,
  });
  return `${options.publicUrl}/reset-password?token=${token}`;
}

/** Returns whether a reset mail is beyond {@link RESETS_PER_HOUR}. Each counts those before it, so no lock is needed. */
export async function isResetBeyondLimit(
  tx: Transaction,
  { id, userId, kind, createdAt }: NotificationDelivery,
): Promise<boolean> {
  const since = new Date(createdAt.getTime() - HOUR_MS);
  const before = await tx.notificationDelivery.count({
    where: {
      userId,
      kind,
      status: { not: 'skipped' },
      OR: [{ createdAt: { gt: since, lt: createdAt } }, { createdAt, id: { lt: id } }],
    },
  });
  return before >= RESETS_PER_HOUR;
}
