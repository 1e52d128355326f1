import { DELETION_MAIL_KIND } from '#contract/people/notifications/constants/notifications';
import type { DeleteOwnAccount, DeletionOutlook } from '#contract/people/users/users';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Transaction } from '../../../prisma/client.ts';
import type { User } from '../../../prisma/generated/client.ts';
import { readOpenOrders } from '../../ordering/model/service.ts';
import { confirmOwner, wrongPassword } from '../../people/auth/confirm-owner.ts';
import type { Source } from '../../people/auth/sources.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockAccount, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { lockName } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { deleteLocked, runDeletion } from './service.ts';

/**
 * Deletes the caller's own account, as an admin deletes one: see `deleteUser`. They confirm it with their
 * password and their second factor, and are notified by a mail when it is done.
 * @throws 400 and 401 as `confirmOwner`, also where the password was changed at the same time; 400 at `successor`
 *   somebody who is not one of the farm's other people, or at `closeFarm` a farm that they do not own; 409 LAST_ADMIN
 */
export async function deleteOwnAccount(
  platform: Platform,
  user: SessionUser,
  { successor: successorId, closeFarm, ...confirmation }: DeleteOwnAccount,
  source: Source,
): Promise<void> {
  const owner = await confirmOwner(platform, user, confirmation, source);
  const work = async (tx: Transaction) => {
    if (!(await lockAccount(tx, user.id))) throw sessionEnded();
    const target = await tx.user.findUniqueOrThrow({ where: { id: user.id } });
    if (target.isFarm) throw sessionEnded();
    if (target.passwordHash !== owner.passwordHash) throw wrongPassword();
    await owner.takeSecondFactor(tx);
    if (target.role === 'admin') await requireOtherAdmin(tx, user.id);
    const wish = { successorId, closes: closeFarm };
    const promoted = await deleteLocked(tx, {
      ...{ actor: user, target, wish },
      closesField: 'closeFarm',
    });
    // After everything of the account was erased, or this would be too.
    await planDeletionMail(tx, target);
    return promoted;
  };
  await runDeletion(platform, user.id, work);
}

/** Returns the open orders that the deletion of the caller's own account concerns. */
export async function readDeletionOutlook(
  { db }: Platform,
  { id, membership }: SessionUser,
): Promise<DeletionOutlook> {
  const [orders, farmOrders] = await Promise.all([
    readOpenOrders(db, id, 'consumer'),
    membership && readOpenOrders(db, membership.farmId, 'farmer'),
  ]);
  return { orders, farmOrders };
}

/** Refuses to leave the market without an admin. Of two who go at once the second one finds the first one gone. */
async function requireOtherAdmin(tx: Transaction, userId: string): Promise<void> {
  await lockName(tx, 'admins');
  const others = await tx.user.count({
    where: { role: 'admin', deletedAt: null, isFarm: false, id: { not: userId } },
  });
  if (others > 0) return;
  throw conflict(
    'LAST_ADMIN',
    'You are the only admin of this market. Make somebody else an admin before you go.',
  );
}

/**
 * Keeps where that mail goes, which the account no longer says, and plans it. A worker's sweep sends it and
 * removes the address.
 */
export async function planDeletionMail(
  tx: Transaction,
  { id: userId, name, email, emailVerifiedAt }: User,
): Promise<void> {
  if (theMarket().requiresVerifiedEmail && emailVerifiedAt === null) return;
  const createdAt = await readClock(tx);
  await tx.accountDeletionMail.create({
    data: { userId, name, email, createdAt },
    select: { userId: true },
  });
  await tx.notificationDelivery.create({
    data: {
      userId,
      key: `${DELETION_MAIL_KIND}:${userId}`,
      channel: 'email',
      kind: DELETION_MAIL_KIND,
      createdAt,
      dueAt: createdAt,
    },
    select: { id: true },
  });
}
