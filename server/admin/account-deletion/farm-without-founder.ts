import { room } from '#contract/platform/events/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { lockMembers } from '../../farm/members/service.ts';
import { lockOpenOrdersOf } from '../../ordering/model/open-orders.ts';
import { record } from '../../platform/events/event-log.ts';
import { beginErasure, deleteOwnRecords } from './personal-data.ts';
import type { StaffedFarm } from './policy.ts';

/**
 * Locks the farm that somebody works for: its people, its profile and, unless they registered it themselves, the
 * account that carries its id.
 * @returns null for whoever works for none
 */
export async function lockFarmOf(tx: Transaction, userId: string): Promise<StaffedFarm | null> {
  const membership = () =>
    tx.farmMember.findUnique({ where: { userId }, select: { farmId: true, role: true } });
  const before = await membership();
  if (!before) return null;
  const { farmId } = before;
  // An owner's deletion may close the farm. People are locked before named locks.
  if (farmId !== userId && before.role === 'owner') {
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${farmId}::uuid FOR UPDATE`;
  }
  await lockMembers(tx, farmId);
  // Separate statements, so that they see what was committed while waiting for the locks.
  if ((await membership())?.farmId !== farmId) return null;
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR NO KEY UPDATE`;
  const rows = await tx.farmMember.findMany({
    where: { farmId, userId: { not: null } },
    select: { id: true, userId: true, role: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return {
    id: farmId,
    staff: rows.flatMap(({ userId: id, ...member }) => (id ? [{ ...member, userId: id }] : [])),
  };
}

/**
 * Makes the account of a farm's founder the farm's identity alone: emptied of everything personal, named after
 * the farm, nobody's to sign in with, its tokens ended and its email free. The farm keeps its id, so nothing
 * that refers to it is rewritten; it stays in its town, without the founder's street and phone. Its caller
 * holds the locks of {@link lockFarmOf} and on the account.
 * @returns what ends the erasure; call it last in the transaction
 */
export async function detachFounder(
  tx: Transaction,
  founder: { id: string; city: string },
): Promise<{ finish: () => Promise<void> }> {
  const { id } = founder;
  const farm = await tx.farmerProfile.findUniqueOrThrow({
    where: { userId: id },
    select: { farmName: true },
  });
  // A farm without a name was known by its founder's.
  const name = farm.farmName.trim() || (founder.city ? `Farm in ${founder.city}` : 'Farm');
  const erasure = await beginErasure(tx, [id], { farmName: name });
  await deleteOwnRecords(tx, id, { keepsFarm: true });
  // The account may be the founder's own; whoever follows gives theirs.
  await tx.farmerProfile.update({
    where: { userId: id },
    data: { paymentDetails: '', paymentVersion: { increment: 1 } },
    select: { userId: true },
  });
  await tx.user.update({
    where: { id },
    data: {
      name,
      email: `${id}@farm.invalid`,
      passwordHash: '',
      phone: '',
      street: '',
      preferences: {},
      lastSeenAt: null,
      // A suspended farm stays off the market until an admin says otherwise.
      suspendedReason: '',
      emailVerifiedAt: null,
      isFarm: true,
      tokenVersion: { increment: 1 },
      version: { increment: 1 },
    },
    select: { id: true },
  });
  if (name !== farm.farmName) {
    // The farm's name is a part of its products: orders are locked before them.
    await lockOpenOrdersOf(tx, id, 'farmer');
    await tx.farmerProfile.update({
      where: { userId: id },
      data: { farmName: name, version: { increment: 1 } },
      select: { userId: true },
    });
  }
  await record(
    tx,
    { name: 'farmer.updated', data: { _id: id }, rooms: [room.everyone] },
    { name: 'user.deleted', data: { _id: id }, rooms: [room.admins] },
    { name: 'session.changed', data: { _id: id }, rooms: [] },
  );
  return erasure;
}
