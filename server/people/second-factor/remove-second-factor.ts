import type { RemoveSecondFactor } from '#contract/people/second-factor/second-factor';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, forbidden, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';

/** Returns whether an account has an authenticator app that is on, or a passkey. */
export async function hasSecondFactor(
  db: Pick<Transaction, 'authenticatorApp' | 'passkey'>,
  userId: string,
): Promise<boolean> {
  const [apps, passkeys] = await Promise.all([
    db.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } }),
    db.passkey.count({ where: { userId } }),
  ]);
  return apps + passkeys > 0;
}

/**
 * Removes the second factor of somebody who lost it, so that the password alone signs in again. Passkeys go too: they
 * may be on the device that was lost. All sessions end, and the person is notified by a mail.
 * @throws 403 one's own, which takes no admin; 404 unknown; 409 NO_SECOND_FACTOR
 */
export async function removeSecondFactor(
  platform: Platform,
  admin: SessionUser,
  id: string,
  { reason }: RemoveSecondFactor,
): Promise<void> {
  if (id === admin.id) {
    throw forbidden("You can't remove your own second factor here. Turn it off under Security.");
  }
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    const target = await tx.user.findUnique({
      where: { id, deletedAt: null, isFarm: false },
      select: { id: true, role: true },
    });
    if (!target || !(await lockAccount(tx, id))) throw notFound('User not found');
    if (!(await removeLocked(tx, target))) {
      throw conflict('NO_SECOND_FACTOR', 'This account has no second factor.');
    }
    await audit(tx, admin, 'user.secondFactorRemoved', id, { role: target.role, reason });
  });
  afterCommit(() => platform.sessions.invalidate(id));
}

/**
 * Removes the second factor of an account whose row is locked, and ends its sessions.
 * @returns false when there was none, and nothing changed
 */
export async function removeLocked(
  tx: Transaction,
  { id, role }: { id: string; role: SessionUser['role'] },
): Promise<boolean> {
  if (!(await hasSecondFactor(tx, id))) return false;
  await tx.authenticatorApp.deleteMany({ where: { userId: id } });
  await tx.recoveryCode.deleteMany({ where: { userId: id } });
  await tx.passkey.deleteMany({ where: { userId: id } });
  await tx.user.update({
    where: { id },
    data: { tokenVersion: { increment: 1 } },
    select: { id: true },
  });
  await endSessions(tx, id);
  const isAdmin = role === 'admin';
  await record(tx, {
    name: 'account.securityChanged',
    data: { _id: id, change: 'secondFactorRemoved', device: '', isAdmin },
    rooms: [],
  });
  return true;
}
