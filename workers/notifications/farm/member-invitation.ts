import { farmNameOf } from '#contract/farm/farmers/constants';
import { INVITE_VALID_DAYS } from '#contract/farm/members/constants';
import { theMarket } from '#contract/platform/market/constants';
import { nameInText } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { hashSecretToken } from '../../../server/people/auth/password.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import { addressOnly, letter, linkToken, type MailDefinition } from '../engine/mail.ts';

/** Returns the invitation that a delivery is about; null once it was accepted, withdrawn or has ended. */
const findInvitation = async (db: Database | Transaction, deliveryKey: string) =>
  db.farmMember.findFirst({
    where: {
      id: deliveryKey.split(':')[1] ?? '',
      userId: null,
      email: { not: null },
      inviteExpiresAt: { gt: await readClock(db) },
    },
    include: { farm: { select: { farmName: true, user: { select: { name: true } } } } },
  });

/** A link to who was invited to a farm. Several invitations of a member have a mail each. */
export const memberInvitation: MailDefinition<'member.invitation'> = {
  reach: 'unsolicited',
  reactions: {
    'member.invited': ({ id, data }) => [
      {
        do: 'mail',
        userId: data.invitedBy,
        kind: 'member.invitation',
        key: `member.invitation:${data._id}:${id}`,
        // An older server does not say, and mails.
        isMailed: data.isMailed !== false,
        language: data.language,
      },
    ],
  },
  findReceiver: async (tx, { key, userId }) => {
    const invitation = await findInvitation(tx, key);
    if (!invitation) return null;
    const email = invitation.email ?? '';
    const account = await tx.user.findFirst({
      where: { email, deletedAt: null, isFarm: false },
      select: { language: true },
    });
    return addressOnly({ id: userId, name: '', email, language: account?.language ?? null });
  },
  compose: async (platform, { id: deliveryId, key }, to) => {
    const { db, env } = platform;
    const invitation = await findInvitation(db, key);
    if (!invitation) throw new Error('The invitation ended while its mail was written');
    const { id, farm, role } = invitation;
    const farmName = farmNameOf({ farmName: farm.farmName, name: farm.user.name });
    // A newer invitation replaces the hash.
    const token = linkToken(platform, 'invitation', deliveryId);
    const data = { tokenHash: hashSecretToken(token) };
    await db.farmMember.updateMany({ where: { id, userId: null }, data });
    const market = theMarket().name;
    return letter(to, {
      subject: t('You are invited to work for a farm on {market}', { market }),
      body: t(
        '{farm} invites you to {market} as {role, select, owner {owner} manager {manager} packer {packer} other {seller}}. The link below works once, for {days, plural, one {# day} other {# days}}.',
        { farm: nameInText(farmName, t('A farm')), market, role, days: INVITE_VALID_DAYS },
      ),
      link: `${env.PUBLIC_URL}/invites/${token}`,
      action: t('See the invitation'),
      footer: t('If you do not know this farm, you can ignore this mail.'),
    });
  },
};
