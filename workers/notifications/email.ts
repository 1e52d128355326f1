import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import { INVITE_VALID_DAYS } from '#contract/farm/members/constants';
import { NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import {
  ALWAYS_MAILED,
  DELETION_MAIL_KIND,
} from '#contract/people/notifications/constants/notifications';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Transaction } from '../../prisma/client.ts';
import type { NotificationDelivery } from '../../prisma/generated/client.ts';
import { claimUnproven } from '../../server/people/notifications/limited-mails.ts';
import { presentPreferences } from '../../server/people/notifications/present.ts';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { contactOf } from '../../server/platform/process/env.ts';
import { transact } from '../../server/platform/stores/postgres.ts';
import { OUTDATED } from '../../server/platform/stores/timers.ts';
import type { Exclusive } from '../delivery/exclusive.ts';
import {
  composeDeletionMail,
  deleteDeletionMail,
  findDeletionMail,
} from './admin/account-deleted.ts';
import { isSuspensionKey } from './admin/account-suspension.ts';
import { definitionOf } from './definitions.ts';
import { compose } from './engine/compose.ts';
import {
  type Attempt,
  findOutdated,
  isSettled,
  markFailed,
  markSent,
  markSkipped,
} from './engine/delivery.ts';
import type { Mailer } from './engine/mailer.ts';
import {
  CHANGE_KIND,
  CHANGE_NOTICE_KIND,
  INVITE_KIND,
  REACH,
  RESET_KIND,
  SUSPENSION_KIND,
  VERIFICATION_KIND,
} from './engine/reach.ts';
import { because, greeting, nameInText } from './engine/wording.ts';
import { findInvitation, makeInviteLink } from './farm/member-invitation.ts';
import { composeNotifications } from './notification-mail.ts';
import { composeChange, findChange, isChangeKind } from './people/email-change.ts';
import { composeVerification } from './people/email-verification.ts';
import { isResetBeyondLimit, makeResetLink } from './people/password-reset.ts';

type Row = NotificationDelivery;

interface Receiver {
  id: string;
  /** Empty for somebody invited, whose name is not known. */
  name: string;
  email: string;
}

/**
 * Sends the mail of one delivery, unless it was read meanwhile or is no longer wanted, or is always mailed. What is held
 * for the same time, and the person's unsent deliveries of a kind with a digest, become one batch before the first
 * attempt, and only the job of the oldest one sends it.
 * @throws when the mail was not accepted, so that the job is retried
 */
export async function deliverEmail(
  platform: ProcessPlatform,
  tools: { exclusive: Exclusive; mailer: Mailer },
  { deliveryId, isLast }: Attempt,
): Promise<void> {
  const row = await platform.db.notificationDelivery.findUnique({ where: { id: deliveryId } });
  if (!row) return;
  await tools.exclusive.run(`email ${batchName(row)}`, async () => {
    const { batch, receiver } = await claim(platform, deliveryId);
    const ids = batch.map(({ id }) => id);
    if (!receiver || ids.length === 0) return;
    try {
      const mail = definitionOf(row.kind)
        ? await composeNotifications(platform, batch, receiver)
        : await composeTransactional(platform, batch[0], receiver);
      await tools.mailer.send({
        id: ids[0] ?? deliveryId,
        to: receiver.email,
        ...mail,
      });
    } catch (error) {
      await markFailed(platform, ids, error, isLast);
      throw error;
    }
    await markSent(platform, ids);
    if (batch[0]?.kind === DELETION_MAIL_KIND) await deleteDeletionMail(platform, receiver.id);
  });
}

/** Returns what the jobs of one batch share. */
const batchName = ({ id, userId, kind, about, isHeld, dueAt }: Row): string => {
  if (isHeld) return `${userId} ${about} ${dueAt.toISOString()}`;
  return definitionOf(kind)?.digest ? `${userId} ${kind}` : id;
};

/** Selects what goes in the same mail. */
const goesWith = ({ id, userId, kind, about, isHeld, dueAt }: Row) => {
  if (isHeld) return { userId, about, isHeld, dueAt };
  return definitionOf(kind)?.digest ? { userId, kind, isHeld } : { id };
};

/**
 * Marks the deliveries of the mail as `sending`. An unfinished batch stays the same on the next
 * attempt.
 */
async function claim(
  { db, env }: ProcessPlatform,
  deliveryId: string,
): Promise<{ batch: Row[]; receiver: Receiver | null }> {
  const nothing = { batch: [], receiver: null };
  return transact(db, async (tx) => {
    const row = await tx.notificationDelivery.findUnique({ where: { id: deliveryId } });
    if (!row || isSettled(row)) return nothing;
    const receiver = await findReceiver(tx, row);
    if (!receiver) {
      await markSkipped(tx, [row.id]);
      return nothing;
    }
    const unsent = await tx.notificationDelivery.findMany({
      where: {
        ...goesWith(row),
        channel: 'email',
        restoredAt: null,
        // A manual retry includes the deliveries that failed with this one.
        status: {
          in: ['pending', 'sending', ...(row.status === 'failed' ? ['failed' as const] : [])],
        },
      },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const fixed = unsent.filter(({ status }) => status === 'sending');
    if (fixed.length > 0) {
      return fixed[0]?.id === row.id ? { batch: fixed, receiver } : nothing;
    }

    const unread = await tx.notification.findMany({
      where: { userId: row.userId, key: { in: unsent.map(({ key }) => key) }, readAt: null },
      select: { key: true },
    });
    const unreadKeys = new Set(unread.map(({ key }) => key));
    const preferences = presentPreferences(receiver.preferences);
    const isWanted = ({ kind, key }: Row): boolean => {
      const definition = definitionOf(kind);
      if (!definition) return kind !== SUSPENSION_KIND || mayMail(receiver);
      const isUnread = ALWAYS_MAILED.includes(definition.kind) || unreadKeys.has(key);
      return isUnread && preferences[definition.kind].email && mayMail(receiver);
    };
    const isLimited =
      row.kind === RESET_KIND
        ? await isResetBeyondLimit(tx, row)
        : receiver.emailVerifiedAt === null &&
          isAboutAccount(row.kind) &&
          !(await claimUnproven(tx, env, receiver.email));
    const outdated = await findOutdated(tx, unsent);
    const batch = isLimited
      ? []
      : unsent.filter((each) => isWanted(each) && !outdated.has(each.id));
    await markSkipped(tx, [...outdated], OUTDATED);
    await markSkipped(
      tx,
      unsent.filter((each) => !batch.includes(each) && !outdated.has(each.id)).map(({ id }) => id),
    );
    await tx.notificationDelivery.updateMany({
      where: { id: { in: batch.map(({ id }) => id) } },
      data: { status: 'sending' },
    });
    return { batch, receiver };
  });
}

/** What stands for an account where a mail goes to an address, whatever the account is. */
const NO_ACCOUNT = { preferences: {}, emailVerifiedAt: null, emailRefusedAt: null };

const receiverSelect = {
  id: true,
  name: true,
  email: true,
  preferences: true,
  emailVerifiedAt: true,
  emailRefusedAt: true,
} as const;

async function findReceiver(tx: Transaction, row: Row) {
  const { kind, key, userId } = row;
  if (kind === INVITE_KIND) {
    const invitation = await findInvitation(tx, key);
    return (
      invitation && {
        id: userId,
        name: '',
        email: invitation.email ?? '',
        ...NO_ACCOUNT,
      }
    );
  }
  if (isChangeKind(kind)) {
    const found = await findChange(tx, row);
    return found && { ...found.to, ...NO_ACCOUNT };
  }
  if (kind === DELETION_MAIL_KIND) {
    const deletionMail = await findDeletionMail(tx, userId);
    return deletionMail && { ...deletionMail, id: userId, ...NO_ACCOUNT };
  }
  if (kind === SUSPENSION_KIND) {
    // A state that has changed again meanwhile is in the later mail.
    const suspendedAt = isSuspensionKey(key) ? { not: null } : null;
    return tx.user.findUnique({
      where: { id: userId, deletedAt: null, isFarm: false, suspendedAt },
      select: receiverSelect,
    });
  }
  const user = await tx.user.findUnique({
    where: { id: userId, deletedAt: null, isFarm: false },
    select: receiverSelect,
  });
  if (user?.email.endsWith(NO_EMAIL_ENDING)) return null;
  // A link for an email that was verified or refused in between helps nobody.
  const isAnswered = user?.emailVerifiedAt || user?.emailRefusedAt;
  return kind === VERIFICATION_KIND && isAnswered ? null : user;
}

/** Whether the market mails what is not needed to verify an email or to sign in to this address. */
const mayMail = ({ emailVerifiedAt, emailRefusedAt }: ReceiverState): boolean =>
  emailRefusedAt === null && (emailVerifiedAt !== null || !theMarket().requiresVerifiedEmail);

interface ReceiverState {
  emailVerifiedAt: Date | null;
  emailRefusedAt: Date | null;
}

/** Whether a kind is about the account of an address, which its owner need not have opened. */
const isAboutAccount = (kind: string): boolean => REACH[kind as keyof typeof REACH] === 'account';

/** Composes a mail that is no notification. */
const composeTransactional = (platform: ProcessPlatform, row: Row | undefined, to: Receiver) => {
  if (!row) throw new Error('The delivery of the mail is missing');
  switch (row.kind) {
    case INVITE_KIND:
      return composeInvitation(platform, row);
    case VERIFICATION_KIND:
      return composeVerification(platform, row.id, to);
    case CHANGE_KIND:
    case CHANGE_NOTICE_KIND:
      return composeChange(platform, row, to);
    case SUSPENSION_KIND:
      return composeSuspension(platform, row, to);
    case DELETION_MAIL_KIND:
      return composeDeletionMail(platform, to);
    default:
      return composeReset(platform, row.id, to);
  }
};

async function composeSuspension({ db, env }: ProcessPlatform, { key }: Row, to: Receiver) {
  const { suspendedReason: reason } = await db.user.findUniqueOrThrow({
    where: { id: to.id },
    select: { suspendedReason: true },
  });
  const isSuspended = isSuspensionKey(key);
  return compose({
    subject: isSuspended
      ? `Your ${theMarket().name} account is suspended`
      : `You can sign in to ${theMarket().name} again`,
    greeting: greeting(to.name),
    parts: [
      isSuspended
        ? {
            body: `An admin has suspended your account, so you can't sign in for now. Orders you already placed or received stay as they are. If you think this is a mistake, write to us.${because(reason)}`,
            link: `mailto:${contactOf(env)}`,
            action: 'Write to us',
          }
        : {
            body: 'Your account is no longer suspended. Everything is as you left it.',
            link: `${env.PUBLIC_URL}/login`,
            action: 'Sign in',
          },
    ],
    footer: `You get this email because it is about your ${theMarket().name} account.`,
  });
}

async function composeInvitation({ db, env }: ProcessPlatform, { id, key }: Row) {
  const invitation = await findInvitation(db, key);
  if (!invitation) throw new Error('The invitation ended while its mail was written');
  const { farm, role } = invitation;
  const farmName = farmNameOf({ farmName: farm.farmName, name: farm.user.name });
  const link = await makeInviteLink(db, {
    secret: env.JWT_SECRET,
    publicUrl: env.PUBLIC_URL,
    memberId: invitation.id,
    deliveryId: id,
  });
  return compose({
    subject: `You are invited to work for a farm on ${theMarket().name}`,
    greeting: 'Hello,',
    parts: [
      {
        body: `${nameInText(farmName, 'A farm')} invites you to ${theMarket().name} as ${role}. The link below works once, for ${INVITE_VALID_DAYS} days.`,
        link,
        action: 'See the invitation',
      },
    ],
    footer: 'If you do not know this farm, you can ignore this mail.',
  });
}

async function composeReset({ db, env }: ProcessPlatform, deliveryId: string, receiver: Receiver) {
  const link = await makeResetLink(db, {
    secret: env.JWT_SECRET,
    publicUrl: env.PUBLIC_URL,
    to: receiver,
    deliveryId,
  });
  return compose({
    subject: 'Set a new password',
    greeting: greeting(receiver.name),
    parts: [
      {
        body: `Someone asked for a new password for your ${theMarket().name} account. The link below works once, within the hour.`,
        link,
        action: 'Set a new password',
      },
    ],
    footer: "If it wasn't you, ignore this email: your password stays as it is.",
  });
}
