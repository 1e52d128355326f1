import { createHmac } from 'node:crypto';
import { EMAIL_LINK_DAYS } from '#contract/auth';
import { theMarket } from '#contract/constants/market';
import type { Database } from '../../prisma/client.ts';
import type { ProcessPlatform } from '../../server/events/platform.ts';
import { readClock } from '../../server/process/clock.ts';
import { hashSecretToken } from '../../server/process/secret-token.ts';
import { compose } from './compose.ts';
import type { Reactions } from './definition.ts';
import { greeting, singleLine } from './wording.ts';

export const VERIFICATION_KIND = 'email.verification';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Mails a link by which somebody verifies their email, each time it was asked for. */
export const verificationReactions: Reactions = {
  'email.verificationRequested': ({ id, data }) => [
    { do: 'mail', userId: data._id, kind: VERIFICATION_KIND, key: `${VERIFICATION_KIND}:${id}` },
  ],
};

/**
 * Creates the link of one mail. Its token is derived from the delivery's id, so that a repeated mail contains
 * the same link; only the token's hash is stored.
 */
async function makeVerificationLink(
  db: Database,
  options: { secret: string; publicUrl: string; userId: string; deliveryId: string },
): Promise<string> {
  const token = createHmac('sha256', options.secret)
    .update(`email verification ${options.deliveryId}`)
    .digest('base64url');
  await db.emailVerification.createMany({
    data: {
      tokenHash: hashSecretToken(token),
      userId: options.userId,
      expiresAt: new Date((await readClock(db)).getTime() + EMAIL_LINK_DAYS * DAY_MS),
    },
    skipDuplicates: true,
  });
  return `${options.publicUrl}/verify-email?token=${token}`;
}

/** Composes the mail of one delivery. */
export async function composeVerification(
  { db, env }: Pick<ProcessPlatform, 'db' | 'env'>,
  deliveryId: string,
  receiver: { id: string; name: string },
) {
  const link = await makeVerificationLink(db, {
    secret: env.JWT_SECRET,
    publicUrl: env.PUBLIC_URL,
    userId: receiver.id,
    deliveryId,
  });
  const market = singleLine(theMarket().name);
  return compose({
    subject: 'Confirm your email',
    greeting: greeting(receiver.name),
    parts: [
      {
        body: `Please confirm that this is your email, so that ${market} can reach you about your orders. The link below works for ${EMAIL_LINK_DAYS} days.`,
        link,
        action: 'Confirm my email',
      },
    ],
    footer: "If you didn't open an account, you can ignore this email.",
  });
}
