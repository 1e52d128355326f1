import type { VerifyEmail } from '#contract/auth';
import { theMarket } from '#contract/constants/market';
import { room } from '#contract/events';
import type { Transaction } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';
import { type AppError, invalid, unverifiedEmail } from '../http/errors.ts';
import { lockCaller } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { transact } from '../process/postgres.ts';
import { hashSecretToken } from '../process/secret-token.ts';

/** Asks a worker to mail a link that verifies the email of this account. */
export const requestVerification = (tx: Transaction, userId: string): Promise<void> =>
  record(tx, { name: 'email.verificationRequested', data: { _id: userId }, rooms: [] });

/**
 * Mails another link to the caller, unless their email is verified.
 * @throws 401 the account was just deleted
 */
export async function sendVerification(platform: Platform, user: SessionUser): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    const { emailVerifiedAt } = await tx.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { emailVerifiedAt: true },
    });
    if (emailVerifiedAt === null) await requestVerification(tx, user.id);
  });
}

/**
 * Verifies an email by the token of a mailed link. A link takes effect once; used again it answers as the first
 * time, so that a repeat, or a second press, shows nobody that something failed.
 * @throws 400 the link has expired or is unknown
 */
export async function verifyEmail(platform: Platform, { token }: VerifyEmail): Promise<void> {
  await transact(platform.db, async (tx) => {
    const tokenHash = hashSecretToken(token);
    const link = await tx.emailVerification.findUnique({
      where: { tokenHash, expiresAt: { gt: new Date() }, user: { deletedAt: null, isFarm: false } },
    });
    if (!link) {
      throw invalid('This link has expired or is not complete. Please ask for a new one.', [
        { path: 'token', message: 'This link no longer works.' },
      ]);
    }
    // People are locked before what belongs to them.
    await markEmailVerified(tx, link.userId);
    await tx.emailVerification.updateMany({
      where: { userId: link.userId, usedAt: null },
      data: { usedAt: new Date() },
    });
  });
}

/** Notes that somebody proved their email, by opening a link that was mailed there. Later proofs change nothing. */
export async function markEmailVerified(tx: Transaction, userId: string): Promise<void> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, emailVerifiedAt: null, deletedAt: null, isFarm: false },
    data: { emailVerifiedAt: new Date() },
  });
  if (count === 0) return;
  await record(tx, {
    name: 'account.changed',
    data: { _id: userId },
    rooms: [room.user(userId)],
  });
}

/**
 * Refuses what a farm may only do once one of its owners has proved their email, where the market asks for that:
 * buyers can reach somebody who answers for the farm.
 * @throws 403 EMAIL_NOT_VERIFIED
 */
export async function requireVerifiedOwner(
  tx: Transaction,
  farmId: string,
  user: Pick<SessionUser, 'id'>,
): Promise<void> {
  const refusal = await refuseUnverifiedOwner(tx, farmId, user);
  if (refusal) throw refusal;
}

/** Returns the refusal of {@link requireVerifiedOwner}; undefined for a farm that may. */
export async function refuseUnverifiedOwner(
  tx: Transaction,
  farmId: string,
  user: Pick<SessionUser, 'id'>,
): Promise<AppError | undefined> {
  if (!theMarket().requiresVerifiedEmail) return undefined;
  const owners = await tx.farmMember.findMany({
    where: { farmId, role: 'owner', userId: { not: null } },
    select: { userId: true, user: { select: { emailVerifiedAt: true } } },
  });
  if (owners.some((owner) => owner.user?.emailVerifiedAt)) return undefined;
  return unverifiedEmail(
    owners.some(({ userId }) => userId === user.id)
      ? 'Confirm your email before you offer products.'
      : 'An owner of the farm has to confirm their email before you offer products.',
  );
}
