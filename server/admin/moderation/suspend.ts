import type { SetSuspension, Suspension } from '#contract/admin/moderation/moderation';
import { room } from '#contract/platform/events/constants';
import type { Role } from '#contract/platform/http/http';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { isDraftFarm } from '../../farm/farmers/policy.ts';
import { recordPartyChange } from '../../ordering/model/open-orders.ts';
import { record } from '../../platform/events/event-log.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller } from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { type TransactionTimes, transact } from '../../platform/stores/postgres.ts';

/** A farm may have tens of thousands of products. */
export const SUSPENSION_TIMES_MS: TransactionTimes = { maxWait: 15_000, timeout: 60_000 };

const SENTENCES: Record<SuspensionRefusal, Message> = {
  ONESELF: msg("You can't suspend your own account."),
  ADMIN: msg("Admin accounts can't be suspended."),
};

/**
 * Suspends an account, or lets it in again. All its sessions end at once. Where it carries a farm's id, the farm leaves
 * the market with its products and comes back with those that were active; its other people still see and finish its
 * orders, and their customers may cancel them. All of it is one transaction, the events of its open orders too. Orders,
 * messages and memberships stay as they are.
 * @throws 403 an admin's account, one's own included; 404 unknown
 */
export async function setSuspension(
  platform: Platform,
  admin: SessionUser,
  id: string,
  input: SetSuspension,
): Promise<Suspension> {
  const work = async (tx: Transaction): Promise<Suspension> => {
    await lockCaller(tx, admin.id);
    const target = await tx.user.findUnique({
      where: { id, deletedAt: null },
      select: { id: true, role: true },
    });
    if (!target) throw notFound(msg('User not found'));
    const refusal = refuseSuspension(admin, target);
    if (refusal) throw forbidden(SENTENCES[refusal]);
    if (!(await lockAccount(tx, id))) throw notFound(msg('User not found'));
    // A separate statement, so that it sees what was committed while waiting for the lock.
    const before = await tx.user.findUniqueOrThrow({
      where: { id },
      select: {
        role: true,
        suspendedAt: true,
        suspendedReason: true,
        farm: { select: { userId: true, approvedAt: true } },
      },
    });
    const change = decideSuspension(before, input);
    if (change === 'nothing') return present({ id, ...before });
    const { suspended } = input;
    const reason = suspended ? input.reason : '';
    const after = await tx.user.update({
      where: { id },
      data: {
        suspendedReason: reason,
        ...(change === 'state' ? { suspendedAt: suspended ? new Date() : null } : {}),
        ...(change === 'state' && suspended ? { tokenVersion: { increment: 1 } } : {}),
      },
      select: { suspendedAt: true, suspendedReason: true },
    });
    await audit(tx, admin, suspended ? 'user.suspended' : 'user.restored', id, {
      role: before.role,
      ...(reason === '' ? {} : { reason }),
    });
    if (change === 'state') {
      if (suspended) await endSessions(tx, id);
      if (before.farm) {
        // Orders are locked before products.
        await recordPartyChange(tx, id, 'farmer', suspended ? 'farm_suspended' : 'farm_restored');
        await setListing(tx, id, !suspended);
        await record(tx, {
          name: 'farmer.listingChanged',
          data: { _id: id, isListed: !suspended },
          // A draft is seen by the same people as before.
          rooms: isDraftFarm(before.farm) ? [room.farm(id), room.admins] : [room.everyone],
        });
      }
      await record(
        tx,
        {
          name: 'user.suspensionChanged',
          data: { _id: id, isSuspended: suspended },
          rooms: [room.admins],
        },
        sessionChanged(id),
      );
    }
    return present({ id, ...after });
  };
  const suspension = await transact(platform.db, work, SUSPENSION_TIMES_MS);
  afterCommit(() => platform.sessions.invalidate(id));
  return suspension;
}

/**
 * Takes all products of a farm off the market, or brings back those that would be active. One event stands for all of
 * them.
 */
async function setListing(tx: Transaction, farmId: string, isListed: boolean): Promise<void> {
  // Orders lock products by ascending id too.
  await tx.$queryRaw`
    SELECT count(*) FROM (
      SELECT FROM products WHERE farmer_id = ${farmId}::uuid ORDER BY id FOR NO KEY UPDATE) AS locked`;
  if (isListed) {
    await tx.$executeRaw`
      UPDATE products SET is_farm_suspended = false,
        is_active = hidden_reason IS NULL AND is_active_unhidden,
        is_active_unhidden = hidden_reason IS NOT NULL AND is_active_unhidden,
        version = version + 1, updated_at = now()
      WHERE farmer_id = ${farmId}::uuid`;
  } else {
    await tx.$executeRaw`
      UPDATE products SET is_farm_suspended = true, is_active = false,
        is_active_unhidden = CASE WHEN hidden_reason IS NULL THEN is_active ELSE is_active_unhidden END,
        version = version + 1, updated_at = now()
      WHERE farmer_id = ${farmId}::uuid`;
  }
}

const present = (row: {
  id: string;
  suspendedAt: Date | null;
  suspendedReason: string;
}): Suspension => ({
  _id: row.id,
  isSuspended: row.suspendedAt !== null,
  at: row.suspendedAt?.toISOString() ?? null,
  reason: row.suspendedReason,
});

/** Why an admin may not suspend or restore somebody. */
type SuspensionRefusal = 'ONESELF' | 'ADMIN';

/** Returns why `admin` may not suspend or restore `target`, if that is so: admins stay, themselves included. */
function refuseSuspension(
  admin: { id: string },
  target: { id: string; role: Role },
): SuspensionRefusal | undefined {
  if (target.id === admin.id) return 'ONESELF';
  return target.role === 'admin' ? 'ADMIN' : undefined;
}

/** What a suspension changes: nothing, the reason alone, or whether the account is suspended. */
type SuspensionChange = 'nothing' | 'reason' | 'state';

/**
 * Decides what a request changes. The same state again keeps its reason unless another one is given, so that a
 * repeat does no harm and a reason can be put right.
 */
function decideSuspension(
  before: { suspendedAt: Date | null; suspendedReason: string },
  { suspended, reason }: { suspended: boolean; reason: string },
): SuspensionChange {
  if (suspended !== (before.suspendedAt !== null)) return 'state';
  const isCorrected = suspended && reason !== '' && reason !== before.suspendedReason;
  return isCorrected ? 'reason' : 'nothing';
}
