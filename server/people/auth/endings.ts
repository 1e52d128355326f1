import { randomBytes } from 'node:crypto';
import { room } from '#contract/platform/events/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { endSessions } from '../../platform/sessions/sessions.ts';
import { hashPassword } from './password.ts';
import { renewCalendarAddress } from './sessions.ts';
import { deleteSources } from './sources.ts';

/**
 * Ends what was made for an account before its address was proven for the first time: whoever registers with the
 * address of somebody else keeps no way in once its owner comes. The password and the sessions go on, since most who
 * verify an address are those who registered with it.
 * @returns whether anything ended
 */
export async function endWithFirstProof(tx: Transaction, userId: string): Promise<boolean> {
  const where = { userId };
  // The app before its codes: whoever turns it on holds its row until both are written.
  const ended = [
    await tx.authenticatorApp.deleteMany({ where }),
    await tx.recoveryCode.deleteMany({ where }),
    await tx.passkey.deleteMany({ where }),
    await tx.passkeyChallenge.deleteMany({ where }),
    await tx.pushSubscription.deleteMany({ where }),
  ];
  const sent = {
    userId: null,
    // Those of an earlier release do not say whose they are.
    OR: [{ invitedBy: userId }, { invitedBy: null, farmId: userId }],
  };
  const invitations = await tx.farmMember.findMany({
    where: sent,
    select: { id: true, farmId: true },
  });
  ended.push(await tx.farmMember.deleteMany({ where: sent }));
  await record(
    tx,
    ...invitations.map(({ id, farmId }) => ({
      name: 'member.changed' as const,
      data: { _id: id },
      rooms: [room.farm(farmId)],
    })),
  );
  return ended.some(({ count }) => count > 0);
}

/**
 * Gives an account a new password by its address, and ends every session and link that somebody without the new
 * password may have. What protects a proven address beside the password stays. Its caller holds `lockAccount`.
 */
export async function endWithReset(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<void> {
  const where = { userId };
  await tx.user.update({
    where: { id: userId },
    data: { passwordHash, tokenVersion: { increment: 1 } },
    select: { id: true },
  });
  await endSessions(tx, userId);
  await renewCalendarAddress(tx, userId);
  await tx.passkeyChallenge.deleteMany({ where });
  await tx.authenticatorApp.deleteMany({ where: { userId, confirmedAt: null } });
  await tx.emailVerification.updateMany({
    where: { userId, changeId: null, usedAt: null },
    data: { usedAt: new Date() },
  });
  await endResetLinks(tx, userId);
  await deleteSources(tx, userId);
}

/** Ends the links and the change of email that somebody who knew the password before may have asked for. */
export async function endResetLinks(tx: Transaction, userId: string): Promise<void> {
  const now = new Date();
  await tx.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
  await endPendingChange(tx, userId);
}

/** Ends a change of email that waits for its confirmation. @returns whether there was one */
export async function endPendingChange(tx: Transaction, userId: string): Promise<boolean> {
  const { count } = await tx.emailChange.updateMany({
    where: { userId, confirmedAt: null, endedAt: null },
    data: { endedAt: new Date() },
  });
  return count > 0;
}

/** Returns the hash of a password that nobody knows: the account waits for a reset. */
export const hashOfNoPassword = (): Promise<string> =>
  hashPassword(randomBytes(32).toString('base64url'));

/** Returns in words what still signs in, or is asked for, beside the password. */
export async function describeWhatIsLeft(tx: Transaction, userId: string): Promise<string[]> {
  const app = await tx.authenticatorApp.count({ where: { userId, confirmedAt: { not: null } } });
  const codes = await tx.recoveryCode.count({ where: { userId } });
  const passkeys = await tx.passkey.findMany({
    where: { userId },
    select: { device: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return [
    ...(app > 0 ? ['your authenticator app'] : []),
    ...(codes > 0 ? [codes === 1 ? '1 recovery code' : `${codes} recovery codes`] : []),
    ...passkeys.map(({ device }) => `the passkey of ${device || 'a device'}`),
  ];
}
