import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import type { AdminFarm, DecideApproval, FarmOpening } from '#contract/farm/opening/opening';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Transaction } from '../../../prisma/client.ts';
import { claimUnsolicited } from '../../people/notifications/limited-mails.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockCaller, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { recordApproval, roomsSeeing } from '../farmers/approval.ts';
import { type FarmRow, isReady, presentFarm, presentOpening, readFarm } from './read.ts';

/**
 * Asks admins to approve the farm. Asking again, or for a farm that is approved, changes nothing.
 * @throws 409 NOT_READY when a step is missing
 */
export function askForApproval({ db, env }: Platform, user: SessionUser): Promise<FarmOpening> {
  const farmId = actingFarm(user);
  return transact(db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarm(tx, farmId);
    if (before.approvedAt !== null || before.askedAt !== null) return presentOpening(before);
    if (!isReady(before, theMarket())) {
      throw conflict(
        'NOT_READY',
        'Something is still missing. Take the steps on your dashboard first.',
      );
    }
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { askedAt: new Date(), sentBackReason: null },
      select: { userId: true },
    });
    const after = await recordChange(tx, before);
    const isMailed = await claimUnsolicited(tx, env, { senderId: user.id, farmId, to: 'admins' });
    const data = { _id: farmId, name: farmNameOf(after), isMailed };
    await record(tx, { name: 'farm.waiting', data, rooms: [] });
    return presentOpening(after);
  });
}

/**
 * Approves a farm, or sends it back with a reason: one that is in the market leaves it. The same again changes
 * nothing and is still audited.
 * @throws 404 no such farm, 409 APPROVAL_NOT_NEEDED the market approves no farms
 */
export function decideApproval(
  { db }: Platform,
  admin: SessionUser,
  farmId: string,
  { approved, reason }: DecideApproval,
): Promise<AdminFarm> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    // People before the market and the farm. New products wait for it, and others for their locks, so that no
    // event of a product is addressed by what the farm was before.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${farmId}::uuid FOR NO KEY UPDATE`;
    // Shared: where the market stops approving farms, none may be sent back afterwards.
    const [market] = await tx.$queryRaw<{ approvesFarms: boolean }[]>`
      SELECT approves_farms AS "approvesFarms" FROM market_settings WHERE id = 1 FOR SHARE`;
    const before = await lockFarm(tx, farmId);
    await tx.$queryRaw`
      SELECT 1 FROM products WHERE farmer_id = ${farmId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    if (!approved && !market?.approvesFarms) {
      throw conflict(
        'APPROVAL_NOT_NEEDED',
        'This market does not approve farms, so none can be sent back.',
      );
    }
    await audit(tx, admin, approved ? 'farm.approved' : 'farm.sentBack', farmId, {
      name: farmNameOf(before),
      ...(approved ? {} : { reason }),
    });
    const isSame = approved
      ? before.approvedAt !== null
      : before.approvedAt === null && before.askedAt === null && before.sentBackReason === reason;
    if (isSame) return presentFarm(before);
    const seersBefore = await roomsSeeing(tx, farmId);
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: {
        approvedAt: approved ? new Date() : null,
        askedAt: null,
        sentBackReason: approved ? null : reason,
      },
      select: { userId: true },
    });
    return presentFarm(await recordChange(tx, before, seersBefore));
  });
}

/** Locks the farm's profile until the transaction ends, and reads the farm. @throws 404 */
async function lockFarm(tx: Transaction, farmId: string): Promise<FarmRow> {
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR UPDATE`;
  return readFarm(tx, farmId);
}

/**
 * Records what a change has made of a farm.
 * @param seersBefore the rooms of those who saw it before, where it may have left the market
 * @returns the farm as it is now
 */
async function recordChange(
  tx: Transaction,
  before: FarmRow,
  seersBefore: Awaited<ReturnType<typeof roomsSeeing>> = [],
): Promise<FarmRow> {
  const after = await readFarm(tx, before.id);
  const { state, reason } = presentOpening(after);
  const isApproved = after.approvedAt !== null;
  const isChanged = (before.approvedAt !== null) !== isApproved;
  const seers = isApproved ? await roomsSeeing(tx, before.id) : seersBefore;
  await recordApproval(tx, [
    { _id: after.id, name: farmNameOf(after), state, reason, seers: isChanged ? seers : undefined },
  ]);
  return after;
}
