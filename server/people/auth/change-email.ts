import type { AccountEmail, ChangeEmail } from '#contract/people/auth/auth';
import { EMAIL_LINK_DAYS, EMAIL_UNDO_DAYS, NO_EMAIL_ENDING } from '#contract/people/auth/constants';
import type { Role } from '#contract/platform/http/http';
import type { Membership } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { EmailChange } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { accountKey } from '../../platform/http/rate-limit.ts';
import { currentLanguage } from '../../platform/process/request-context.ts';
import { lockAccount } from '../../platform/sessions/lock-caller.ts';
import { type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { isDuplicate, transact } from '../../platform/stores/postgres.ts';
import { accountChanged, recordProfileChange } from '../users/addresses.ts';
import { membershipInclude, presentUnreachable } from '../users/present.ts';
import { confirmOwner, lockConfirmed } from './confirm-owner.ts';
import { endPendingChange, endWithReset, recordSecurityChange } from './sessions.ts';
import type { Source } from './sources.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Account {
  id: string;
  email: string;
  role: Role;
  membership: Membership | null;
}

const undoUntil = (from: Date) => new Date(from.getTime() + EMAIL_UNDO_DAYS * DAY_MS);

/** Returns the email of an account, and the one that waits for its confirmation. */
export async function readEmail(db: Database | Transaction, userId: string): Promise<AccountEmail> {
  const [user, change] = [
    await db.user.findUniqueOrThrow({ where: { id: userId } }),
    await db.emailChange.findFirst({ where: { userId, confirmedAt: null, endedAt: null } }),
  ];
  const until = new Date((change?.createdAt.getTime() ?? 0) + EMAIL_LINK_DAYS * DAY_MS);
  return {
    email: user.email,
    isVerified: user.emailVerifiedAt !== null,
    ...(user.unreachableAt ? { unreachable: presentUnreachable(user) } : {}),
    pending:
      change && until > new Date()
        ? {
            email: change.newEmail,
            until: until.toISOString(),
            ...(change.unreachableAt ? { isUnreachable: true as const } : {}),
          }
        : null,
  };
}

/**
 * Changes the email of somebody who is signed in and confirms it as the owner. An email that was never proven is
 * replaced at once, so that a mistyped one locks nobody out; a proven one stays until the link in the new one is
 * opened, and its reader is mailed how to undo the change. The present email ends a change that waits.
 * @throws 400 and 401 as {@link confirmOwner}; 409 EMAIL_TAKEN; 429
 */
export async function changeEmail(
  platform: Platform,
  user: SessionUser,
  { email, ...confirmation }: ChangeEmail,
  source: Source,
): Promise<AccountEmail> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  // Each is a mail to an address that somebody only says is theirs.
  await platform.rateLimits('resetMails', [accountKey(email)]);
  const answer = await refuseTakenEmail(() =>
    transact(platform.db, async (tx) => {
      // Alone, so that of two changes at once the second one finds the first.
      await lockAccount(tx, user.id);
      await lockConfirmed(tx, user.id, owner);
      const account = await tx.user.findUniqueOrThrow({
        where: { id: user.id },
        include: membershipInclude,
      });
      const hasEnded = await endPendingChange(tx, user.id);
      if (email === account.email) {
        if (hasEnded) await recordAccountChange(tx, user.id);
      } else if (account.emailVerifiedAt === null) {
        await writeEmail(tx, account, email);
        const data = { _id: user.id, language: currentLanguage() };
        await record(tx, { name: 'email.verificationRequested', data, rooms: [] });
      } else {
        if (await isTaken(tx, email, user.id)) throw emailTaken();
        const change = await tx.emailChange.create({
          data: {
            userId: user.id,
            oldEmail: account.email,
            newEmail: email,
            undoUntil: undoUntil(new Date()),
          },
        });
        const data = { _id: user.id, change: change.id };
        await record(tx, { name: 'email.changeRequested', data, rooms: [] });
        await recordAccountChange(tx, user.id);
      }
      return readEmail(tx, user.id);
    }),
  );
  platform.sessions.invalidate(user.id);
  return answer;
}

/** Lets a change take effect whose link in the new address was opened. Ends nothing but links to the old address. */
export async function confirmChange(
  tx: Transaction,
  account: Account,
  change: EmailChange,
  source: Source,
): Promise<void> {
  const now = new Date();
  const times = { confirmedAt: now, undoUntil: undoUntil(now) };
  await tx.emailChange.update({ where: { id: change.id }, data: times, select: { id: true } });
  await tx.emailVerification.updateMany({
    where: { changeId: change.id, email: change.oldEmail },
    data: { expiresAt: times.undoUntil },
  });
  await releaseUnproven(tx, change.newEmail);
  await writeEmail(tx, account, change.newEmail);
  await recordSecurityChange(tx, account, 'emailChanged', source.name);
}

/**
 * Gives an account back the address that a change began with, whatever was changed after it. The person who asked for
 * the change knew the password: it opens nothing any more, what they added since goes, and a link to set another
 * password is mailed to the old address.
 * @param noPassword the hash of a password that nobody knows
 */
export async function undoChange(
  tx: Transaction,
  account: Account,
  { id, userId, oldEmail, createdAt }: EmailChange,
  { noPassword, source }: { noPassword: string; source: Source },
): Promise<void> {
  // With their links: the address in between undoes nothing any more.
  await tx.emailChange.deleteMany({
    where: { userId, id: { not: id }, createdAt: { gte: createdAt } },
  });
  const now = new Date();
  const ended = { endedAt: now, undoneAt: now };
  await tx.emailChange.update({ where: { id }, data: ended, select: { id: true } });
  if (account.email !== oldEmail) {
    await releaseUnproven(tx, oldEmail);
    await writeEmail(tx, account, oldEmail);
  }
  await tx.passkey.deleteMany({ where: { userId, createdAt: { gte: createdAt } } });
  const { count } = await tx.authenticatorApp.deleteMany({
    where: { userId, confirmedAt: { gte: createdAt } },
  });
  if (count > 0) await tx.recoveryCode.deleteMany({ where: { userId } });
  await endWithReset(tx, userId, noPassword);
  await recordSecurityChange(tx, account, 'emailChangeUndone', source.name);
  const data = { _id: userId, language: currentLanguage() };
  await record(tx, { name: 'password.resetRequested', data, rooms: [] });
}

/** What an account says of an address that no mail server has refused. */
export const REACHABLE = { unreachableAt: null, unreachableReason: '' };

/** Writes another email, and ends the links that were mailed to the present one. */
async function writeEmail(tx: Transaction, account: Account, email: string): Promise<void> {
  const { id: userId } = account;
  await tx.user.update({
    where: { id: userId },
    data: { email, version: { increment: 1 }, ...REACHABLE },
    select: { id: true },
  });
  await endLinksTo(tx, userId);
  // Anyone who gets the earlier address may be invited by it.
  await tx.farmMember.updateMany({ where: { userId }, data: { email: null } });
  await recordProfileChange(tx, account);
}

async function endLinksTo(tx: Transaction, userId: string): Promise<void> {
  await tx.passwordReset.deleteMany({ where: { userId } });
  await tx.emailVerification.deleteMany({ where: { userId, changeId: null } });
}

/**
 * Takes an email from an account that never proved it, for somebody who did. The account goes on without one: its
 * person can give their own.
 */
export async function releaseUnproven(tx: Transaction, email: string): Promise<void> {
  const [holder] = await tx.$queryRaw<{ id: string }[]>`
    UPDATE users SET email = id || ${NO_EMAIL_ENDING}, version = version + 1,
      unreachable_at = NULL, unreachable_reason = ''
    WHERE email = ${email} AND email_verified_at IS NULL AND deleted_at IS NULL AND NOT is_farm
    RETURNING id`;
  if (!holder) return;
  await endLinksTo(tx, holder.id);
  await record(tx, sessionChanged(holder.id));
  await recordAccountChange(tx, holder.id);
}

export const recordAccountChange = (tx: Transaction, userId: string): Promise<void> =>
  record(tx, accountChanged(userId));

/** Returns whether another account has the email, or may still get it back: see prisma/sql/email_kept.sql. */
async function isTaken(tx: Transaction, email: string, userId: string): Promise<boolean> {
  const kept = { userId: { not: userId }, undoneAt: null, undoUntil: { gt: new Date() } };
  const counts = [
    await tx.user.count({ where: { email } }),
    await tx.emailChange.count({ where: { oldEmail: email, ...kept } }),
  ];
  return counts.some((count) => count > 0);
}

const emailTaken = () =>
  conflict('EMAIL_TAKEN', msg('An account with this email already exists.'), [
    { path: 'email', message: msg('This email is already registered.') },
  ]);

/** Does something that gives an account an email. @throws 409 EMAIL_TAKEN, also for two at the same moment */
export async function refuseTakenEmail<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw isDuplicate(error) ? emailTaken() : error;
  }
}
