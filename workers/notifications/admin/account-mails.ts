import { because, sentences } from '#contract/people/notifications/constants/written';
import { theMarket } from '#contract/platform/market/constants';
import { singleLine } from '#contract/platform/text/constants/excerpts';
import { t } from '#contract/platform/text/constants/texts';
import { contactOf } from '../../../server/platform/process/env.ts';
import { addressOnly, findAccount, letter, type MailDefinition } from '../engine/mail.ts';

/** Whether the key of a delivery is that of a suspension, not of its end. */
const isSuspensionKey = (deliveryKey: string): boolean => deliveryKey.split(':')[1] === 'suspended';

/** To a person whose account was suspended, or who can sign in again. */
export const accountSuspension: MailDefinition<'account.suspension'> = {
  reach: 'market',
  needsVerifiedEmail: true,
  reactions: {
    'user.suspensionChanged': ({ id, data: { _id, isSuspended } }) => [
      {
        do: 'mail',
        userId: _id,
        kind: 'account.suspension',
        key: `account.suspension:${isSuspended ? 'suspended' : 'restored'}:${id}`,
      },
    ],
  },
  // A state that has changed again meanwhile is in the later mail.
  findReceiver: (tx, { userId, key }) =>
    findAccount(tx, userId, { suspendedAt: isSuspensionKey(key) ? { not: null } : null }),
  compose: async ({ db, env }, { key }, to) => {
    const market = theMarket().name;
    const footer = t('You get this email because it is about your {market} account.', { market });
    if (!isSuspensionKey(key)) {
      return letter(to, {
        subject: t('You can sign in to {market} again', { market }),
        body: t('Your account is no longer suspended. Everything is as you left it.'),
        link: `${env.PUBLIC_URL}/login`,
        action: t('Sign in'),
        footer,
      });
    }
    const { suspendedReason } = await db.user.findUniqueOrThrow({ where: { id: to.id } });
    return letter(to, {
      subject: t('Your {market} account is suspended', { market }),
      body: sentences(
        t(
          "An admin has suspended your account, so you can't sign in for now. Orders you already placed or received stay as they are. If you think this is a mistake, write to us.",
        ),
        because(suspendedReason),
      ),
      link: `mailto:${contactOf(env)}`,
      action: t('Write to us'),
      footer,
    });
  },
};

/** Confirms the deletion of an account. Its address is kept until this is sent, for a day at most. */
export const accountDeleted: MailDefinition = {
  reach: 'account',
  reactions: {},
  findReceiver: async (tx, { userId }) => {
    const known = await tx.accountDeletionMail.findUnique({ where: { userId } });
    const left = await tx.user.findUnique({ where: { id: userId }, select: { language: true } });
    const language = left?.language ?? null;
    return known && addressOnly({ id: userId, name: known.name, email: known.email, language });
  },
  compose: async ({ env }, _, to) => {
    const market = singleLine(theMarket().name);
    return letter(to, {
      subject: t('Your account was deleted'),
      body: t(
        'Your {market} account and everything personal in it are gone, as you asked. Orders you placed stay with the farms, under "Deleted user". You are welcome back any time with a new account.',
        { market },
      ),
      link: env.PUBLIC_URL,
      action: t('Visit {market}', { market }),
      footer: t(
        "This is the last email about this account. If it wasn't you, please write to the market.",
      ),
    });
  },
  afterSent: async ({ db }, { id }) => {
    await db.accountDeletionMail.deleteMany({ where: { userId: id } });
  },
};
