import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { redactText } from '../../platform/process/log.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { accountChanged } from '../users/addresses.ts';
import { REACHABLE } from './change-email.ts';

const REASON_MAX_LENGTH = 300;

/** Lets everyone who sees an account or a member read again whether mail reaches them. */
async function recordReachability(
  tx: Transaction,
  userIds: readonly string[],
  members: readonly { id: string; farmId: string }[],
): Promise<void> {
  const changes = members.map(({ id, farmId }) => ({
    name: 'member.changed' as const,
    data: { _id: id },
    rooms: [room.farm(farmId)],
  }));
  await record(tx, ...userIds.map(accountChanged), ...changes);
}

const findMembers = (tx: Transaction, userIds: readonly string[]) =>
  tx.farmMember.findMany({
    where: { userId: { in: [...userIds] } },
    select: { id: true, farmId: true },
  });

/**
 * Marks an address that a mail server refuses permanently, wherever it stands: as that of an account, as the new one of
 * an account, and as that of somebody invited. Nothing more is mailed there until it is changed or proven again.
 * @param reply what the mail server answered
 */
export async function markUnreachable(
  tx: Transaction,
  email: string,
  reply: string,
): Promise<void> {
  const unreachableAt = new Date();
  const unreachableReason = redactText(reply).slice(0, REASON_MAX_LENGTH);
  const users = await tx.user.updateManyAndReturn({
    where: { email, deletedAt: null, isFarm: false },
    data: { unreachableAt, unreachableReason },
    select: { id: true },
  });
  const changes = await tx.emailChange.updateManyAndReturn({
    where: { newEmail: email, confirmedAt: null, endedAt: null },
    data: { unreachableAt },
    select: { userId: true },
  });
  const invited = await tx.farmMember.updateManyAndReturn({
    where: { email, userId: null },
    data: { unreachableAt },
    select: { id: true, farmId: true },
  });
  const ids = users.map(({ id }) => id);
  const people = new Set([...ids, ...changes.map(({ userId }) => userId)]);
  await recordReachability(tx, [...people], [...invited, ...(await findMembers(tx, ids))]);
}

/** Notes that an account's address may be mailed again. @returns whether it was marked */
export async function clearUnreachable(tx: Transaction, userId: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, unreachableAt: { not: null } },
    data: REACHABLE,
  });
  if (count > 0) await recordReachability(tx, [userId], await findMembers(tx, [userId]));
  return count > 0;
}

/** Lets an account's address be mailed again, for an admin who knows that it is right. @throws 404 */
export async function mailAgain(platform: Platform, admin: SessionUser, id: string): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    if ((await tx.user.count({ where: { id, deletedAt: null } })) === 0) {
      throw notFound(msg('User not found'));
    }
    if (await clearUnreachable(tx, id)) await audit(tx, admin, 'user.mailedAgain', id);
  });
}

/** Whether an address is one that a mail server refuses permanently. */
export const isUnreachable = async (tx: Transaction, email: string): Promise<boolean> =>
  (await tx.user.count({ where: { email, unreachableAt: { not: null } } })) > 0;
