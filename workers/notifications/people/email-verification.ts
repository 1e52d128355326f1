import { createHmac } from 'node:crypto';
import { EMAIL_LINK_DAYS } from '#contract/people/auth/constants';
import { theMarket } from '#contract/platform/market/constants/market';
import { hashSecretToken } from '../../../server/people/auth/password.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import { compose } from '../engine/compose.ts';
import type { Reactions } from '../engine/definition.ts';
import { VERIFICATION_KIND } from '../engine/reach.ts';
import { greeting, singleLine } from '../engine/wording.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Mails a link by which somebody verifies their email, each time it was asked for. */
export const verificationReactions: Reactions = {
  'email.verificationRequested': ({ id, data }) => [
    { do: 'mail', userId: data._id, kind: VERIFICATION_KIND, key: `${VERIFICATION_KIND}:${id}` },
  ],
};

/** Whose account a mailed link is about, and where it goes. */
export interface MailedTo {
  id: string;
  name: string;
  email: string;
}

/**
 * Creates the link of one mail, which proves the address that it goes to, or undoes a change of it. Its token is
 * derived from the delivery's id, so that a repeated mail contains the same link; only the token's hash is stored.
 */
export async function makeEmailLink(
  { db, env }: Pick<ProcessPlatform, 'db' | 'env'>,
  deliveryId: string,
  { id: userId, email }: MailedTo,
  { changeId = null, expiresAt }: LinkOptions = {},
): Promise<string> {
  const token = createHmac('sha256', env.JWT_SECRET)
    .update(`email verification ${deliveryId}`)
    .digest('base64url');
  const tokenHash = hashSecretToken(token);
  await db.emailVerification.createMany({
    data: { tokenHash, userId, email, changeId, expiresAt: expiresAt ?? (await linkEnd(db)) },
    skipDuplicates: true,
  });
  return `${env.PUBLIC_URL}/verify-email?token=${token}`;
}

interface LinkOptions {
  changeId?: string | null;
  expiresAt?: Date;
}

const linkEnd = async (db: ProcessPlatform['db']) =>
  new Date((await readClock(db)).getTime() + EMAIL_LINK_DAYS * DAY_MS);

/** Composes the mail of one delivery. */
export async function composeVerification(
  platform: Pick<ProcessPlatform, 'db' | 'env'>,
  deliveryId: string,
  receiver: MailedTo,
) {
  const market = singleLine(theMarket().name);
  return compose({
    subject: 'Confirm your email',
    greeting: greeting(receiver.name),
    parts: [
      {
        body: `Please confirm that this is your email, so that ${market} can reach you about your orders. The link below works for ${EMAIL_LINK_DAYS} days.`,
        link: await makeEmailLink(platform, deliveryId, receiver),
        action: 'Confirm my email',
      },
    ],
    footer: `If you didn't open an account, open the link too and choose "This wasn't me".`,
  });
}
