import { room } from '#contract/platform/events/constants';
import type { Address } from '#contract/platform/http/http';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

/** Returns whether nothing of an address is filled in. */
const isBlank = ({ street, city, state, zipCode }: Address): boolean =>
  street + city + state + zipCode === '';

/**
 * Locks what holds a person's addresses together, until the transaction ends: of two changes at once the second
 * one finds what the first one left. Its caller holds the lock of `lockCaller`.
 */
export const lockAddresses = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
};

/**
 * Makes the preferred address what the profile says: changes it, keeps a first one, and removes it where the
 * profile has none any more. Call it in the transaction that wrote the profile.
 */
export async function followProfile(
  tx: Transaction,
  user: Address & { id: string; preferredAddressId: string | null },
): Promise<void> {
  const { id: userId, preferredAddressId, street, city, state, zipCode } = user;
  const address = { street, city, state, zipCode };
  if (isBlank(address)) {
    if (preferredAddressId === null) return;
    await tx.userAddress.deleteMany({ where: { id: preferredAddressId } });
    return;
  }
  if (preferredAddressId !== null) {
    await tx.userAddress.updateMany({ where: { id: preferredAddressId }, data: address });
    return;
  }
  const known = await tx.userAddress.findFirst({
    where: { userId, ...address },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  const preferred =
    known ?? (await tx.userAddress.create({ data: { userId, ...address }, select: { id: true } }));
  await tx.user.update({
    where: { id: userId },
    data: { preferredAddressId: preferred.id },
    select: { id: true },
  });
}

/** Records what follows from a change of somebody's own profile, for everybody who sees something of it. */
export async function recordProfileChange(
  tx: Transaction,
  user: Pick<SessionUser, 'id' | 'membership'>,
): Promise<void> {
  await record(
    tx,
    { name: 'session.changed', data: { _id: user.id }, rooms: [] },
    { name: 'account.changed', data: { _id: user.id }, rooms: [room.user(user.id)] },
  );
  const farmId = user.membership?.farmId;
  if (!farmId) return;
  // A farm without a name shows that of whoever registered it, and its people see each other's.
  if (farmId === user.id) {
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
  }
  await record(tx, {
    name: 'member.changed',
    data: { _id: user.id },
    rooms: [room.farm(farmId)],
  });
}
