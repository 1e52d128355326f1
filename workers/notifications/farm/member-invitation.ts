import { createHmac } from 'node:crypto';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { hashSecretToken } from '../../../server/people/auth/password.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import type { Reactions } from '../engine/definition.ts';
import { INVITE_KIND } from '../engine/reach.ts';

/** Mails a link to whoever was invited to a farm. Several invitations of a member have a mail each. */
export const inviteReactions: Reactions = {
  'member.invited': ({ id, data }) => [
    {
      do: 'mail',
      userId: data.invitedBy,
      kind: INVITE_KIND,
      key: `${INVITE_KIND}:${data._id}:${id}`,
      // An older server does not say, and mails.
      isMailed: data.isMailed !== false,
    },
  ],
};

const memberIdIn = (deliveryKey: string): string => deliveryKey.split(':')[1] ?? '';

/** Returns the invitation that a delivery is about; null once it was accepted, withdrawn or has ended. */
export const findInvitation = async (db: Database | Transaction, deliveryKey: string) =>
  db.farmMember.findFirst({
    where: {
      id: memberIdIn(deliveryKey),
      userId: null,
      email: { not: null },
      inviteExpiresAt: { gt: await readClock(db) },
    },
    select: {
      id: true,
      email: true,
      role: true,
      farm: { select: { farmName: true, user: { select: { name: true } } } },
    },
  });

/**
 * Creates the link of one invitation. Its token is derived from the delivery's id, so that a repeated mail
 * contains the same link; only the token's hash is stored, and a newer invitation replaces it.
 */
export async function makeInviteLink(
  db: Database,
  options: { secret: string; publicUrl: string; memberId: string; deliveryId: string },
): Promise<string> {
  const token = createHmac('sha256', options.secret)
    .update(`invitation ${options.deliveryId}`)
    .digest('base64url');
  await db.farmMember.updateMany({
    where: { id: options.memberId, userId: null },
    data: { tokenHash: hashSecretToken(token) },
  });
  return `${options.publicUrl}/invites/${token}`;
}
