import { EMAIL_LINK_DAYS, EMAIL_UNDO_DAYS, NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import { readableEmail } from '#contract/platform/http/email';
import { theMarket } from '#contract/platform/market/constants';
import { singleLine } from '#contract/platform/text/constants/excerpts';
import { msg, t } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery } from '../../../prisma/generated/client.ts';
import { hashSecretToken } from '../../../server/people/auth/password.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { readClock } from '../../../server/platform/time/clock.ts';
import type { Definition } from '../engine/definition.ts';
import {
  addressOnly,
  findAccount,
  letter,
  linkToken,
  type MailDefinition,
  type Receiver,
} from '../engine/mail.ts';

/**
 * Mails an hour to one account, however many ask: the limits of those who ask count in Redis, or in each process while
 * that is away.
 */
export const RESETS_PER_HOUR = 10;
const HOUR_MS = 60 * 60 * 1000;
/** How long a link to set a password is valid, in milliseconds. */
const RESET_VALID_MS = HOUR_MS;
const EMAIL_LINK_MS = EMAIL_LINK_DAYS * 24 * HOUR_MS;

const hoursFromNow = async (db: Database, ms: number): Promise<Date> =>
  new Date((await readClock(db)).getTime() + ms);

/** Finds a person by their account, unless that has no address. */
export async function findMailed(tx: Transaction, userId: string): Promise<Receiver | null> {
  const user = await findAccount(tx, userId);
  return user?.email.endsWith(NO_EMAIL_ENDING) ? null : user;
}

/** A link to set a new password, to the account it was requested for. */
export const passwordReset: MailDefinition<'password.reset'> = {
  reach: 'account',
  reactions: {
    'password.resetRequested': ({ id, data }) => [
      {
        do: 'mail',
        userId: data._id,
        kind: 'password.reset',
        key: `password.reset:${id}`,
        language: data.language,
      },
    ],
  },
  findReceiver: (tx, { userId }) => findMailed(tx, userId),
  // Each counts those before it, so no lock is needed.
  isBeyondLimit: async (tx, { id, userId, kind, createdAt }) => {
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
  },
  compose: async (platform, { id }, to) => {
    const { db, env } = platform;
    const token = linkToken(platform, 'password reset', id);
    const expiresAt = await hoursFromNow(db, RESET_VALID_MS);
    await db.passwordReset.createMany({
      data: { tokenHash: hashSecretToken(token), userId: to.id, email: to.email, expiresAt },
      skipDuplicates: true,
    });
    return letter(to, {
      subject: t('Set a new password'),
      body: t(
        'Someone asked for a new password for your {market} account. The link below works once, within the hour.',
        { market: theMarket().name },
      ),
      link: `${env.PUBLIC_URL}/reset-password?token=${token}`,
      action: t('Set a new password'),
      footer: t("If it wasn't you, ignore this email: your password stays as it is."),
    });
  },
};

/** Returns the link of one mail, which proves the address that it goes to, or undoes a change of it. */
async function makeEmailLink(
  platform: ProcessPlatform,
  deliveryId: string,
  { id: userId, email }: Receiver,
  { changeId, expiresAt }: { changeId?: string; expiresAt?: Date } = {},
): Promise<string> {
  const { db, env } = platform;
  const token = linkToken(platform, 'email verification', deliveryId);
  const own = { tokenHash: hashSecretToken(token), userId, email, changeId: changeId ?? null };
  await db.emailVerification.createMany({
    data: { ...own, expiresAt: expiresAt ?? (await hoursFromNow(db, EMAIL_LINK_MS)) },
    skipDuplicates: true,
  });
  return `${env.PUBLIC_URL}/verify-email?token=${token}`;
}

/** A link by which somebody verifies their email, each time it was asked for. */
export const emailVerification: MailDefinition<'email.verification'> = {
  reach: 'account',
  provesAddress: true,
  reactions: {
    'email.verificationRequested': ({ id, data }) => [
      {
        do: 'mail',
        userId: data._id,
        kind: 'email.verification',
        key: `email.verification:${id}`,
        language: data.language,
      },
    ],
  },
  findReceiver: async (tx, { userId }) => {
    const user = await findMailed(tx, userId);
    // A link for an email that was verified or refused in between helps nobody.
    const isProven = user?.emailVerifiedAt && !user.unreachableAt;
    return isProven || user?.emailRefusedAt ? null : user;
  },
  compose: async (platform, { id }, to) =>
    letter(to, {
      subject: t('Confirm your email'),
      body: t(
        'Please confirm that this is your email, so that {market} can reach you about your orders. The link below works for {days, plural, one {# day} other {# days}}.',
        { market: singleLine(theMarket().name), days: EMAIL_LINK_DAYS },
      ),
      link: await makeEmailLink(platform, id, to),
      action: t('Confirm my email'),
      footer: t(`If you didn't open an account, open the link too and choose "This wasn't me".`),
    }),
};

/** Finds the change of email that a delivery is about; null where it has ended. */
const findChange = (
  db: Database | Transaction,
  { kind, key }: Pick<NotificationDelivery, 'kind' | 'key'>,
) =>
  db.emailChange.findFirst({
    where: {
      id: key.slice(key.indexOf(':') + 1),
      undoneAt: null,
      user: { deletedAt: null, isFarm: false },
      // A change that was replaced can be undone, and confirmed no more.
      ...(kind === 'email.change' ? { confirmedAt: null, endedAt: null } : {}),
    },
    include: { user: { select: { name: true, language: true } } },
  });

async function requireChange({ db }: ProcessPlatform, row: NotificationDelivery) {
  const change = await findChange(db, row);
  if (!change) throw new Error('The change of email ended while its mail was written');
  return change;
}

/** To the new address of an account whose email is to change. */
export const emailChange: MailDefinition<'email.change'> = {
  reach: 'account',
  reactions: {
    'email.changeRequested': ({ data: { _id: userId, change } }) =>
      (['email.change', 'email.changeNotice'] as const).map((kind) => ({
        do: 'mail' as const,
        userId,
        kind,
        key: `${kind}:${change}`,
      })),
  },
  findReceiver: async (tx, row) => {
    const change = await findChange(tx, row);
    return change && addressOnly({ id: change.userId, ...change.user, email: change.newEmail });
  },
  compose: async (platform, row, to) => {
    const { id: changeId } = await requireChange(platform, row);
    return letter(to, {
      subject: t('Confirm your new email'),
      body: t(
        'Please confirm that this is the new email of your {market} account. Until then your present one stays. The link below works for {days, plural, one {# day} other {# days}}.',
        { market: singleLine(theMarket().name), days: EMAIL_LINK_DAYS },
      ),
      link: await makeEmailLink(platform, row.id, to, { changeId }),
      action: t('Confirm my new email'),
      footer: t(`If you don't have an account, open the link too and choose "This wasn't me".`),
    });
  },
};

/** To its old address. */
export const emailChangeNotice: MailDefinition<'email.changeNotice'> = {
  reach: 'account',
  reactions: {},
  findReceiver: async (tx, row) => {
    const change = await findChange(tx, row);
    return change && addressOnly({ id: change.userId, ...change.user, email: change.oldEmail });
  },
  compose: async (platform, row, to) => {
    const { id: changeId, newEmail, undoUntil: expiresAt } = await requireChange(platform, row);
    return letter(to, {
      subject: t('Your email is about to change'),
      body: t(
        "Somebody who knows your password asked to change the email of your {market} account to {email}. It changes once it is confirmed there. If that wasn't you, the link below undoes it, for {days, plural, one {# day} other {# days}} after the change.",
        {
          market: singleLine(theMarket().name),
          email: singleLine(readableEmail(newEmail)),
          days: EMAIL_UNDO_DAYS,
        },
      ),
      link: await makeEmailLink(platform, row.id, to, { changeId, expiresAt }),
      action: t("This wasn't me"),
      footer: t('If it was you, there is nothing to do.'),
    });
  },
};

/**
 * Notifies the owner of an account how its protection changed. Always by mail, at once and whether or not it was read:
 * who holds a stolen device could read it away.
 */
export const accountSecurity: Definition<'account.security'> = {
  kind: 'account.security',
  reach: 'account',
  action: msg('See sign-in and security'),
  isUrgent: true,
  reactions: {
    'account.securityChanged': ({ id, data: { _id, change, device, isAdmin, left } }) => [
      {
        do: 'notify',
        userId: _id,
        kind: 'account.security',
        key: `account.security:${id}`,
        params: { change, device, left },
        link: isAdmin ? '/admin/security' : '/profile',
      },
    ],
  },
};
