import type {
  CreateAddress,
  UpdateAddress,
  UserAddress,
} from '#contract/people/addresses/addresses';
import { ADDRESSES_MAX } from '#contract/people/addresses/constants';
import { room } from '#contract/platform/events/constants';
import type { Address } from '#contract/platform/http/http';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { UserAddress as AddressRow } from '../../../prisma/generated/client.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { lockCaller } from '../../platform/sessions/lock-caller.ts';
import { type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { defined, transact } from '../../platform/stores/postgres.ts';
import { presentAddress } from './present.ts';

const USED_LAST_FIRST = [
  { lastUsedAt: { sort: 'desc', nulls: 'last' } },
  { createdAt: 'desc' },
  { id: 'asc' },
] as const;

const NO_ADDRESS: Address = { street: '', city: '', state: '', zipCode: '' };

const presentUserAddress = (row: AddressRow, preferredId: string | null): UserAddress => ({
  _id: row.id,
  label: row.label,
  address: presentAddress(row),
  isPreferred: row.id === preferredId,
});

/** Returns a person's addresses, the one ordered to last first. */
export async function listAddresses({ db }: Platform, userId: string): Promise<UserAddress[]> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: { preferredAddressId: true, addresses: { orderBy: [...USED_LAST_FIRST] } },
  });
  const preferredId = user?.preferredAddressId ?? null;
  return (user?.addresses ?? []).map((row) => presentUserAddress(row, preferredId));
}

/**
 * Keeps another address of the caller; a first one is preferred.
 * @throws 401 the account was just deleted, 409 TOO_MANY_ADDRESSES
 */
export const createAddress = (
  platform: Platform,
  user: SessionUser,
  { label, address, isPreferred }: CreateAddress,
): Promise<UserAddress> =>
  change(platform, user, async (tx, preferredId) => {
    const count = await tx.userAddress.count({ where: { userId: user.id } });
    if (count >= ADDRESSES_MAX) {
      throw conflict(
        'TOO_MANY_ADDRESSES',
        msg('You can keep {max} addresses. Remove one that you no longer need first.', {
          max: ADDRESSES_MAX,
        }),
      );
    }
    const row = await tx.userAddress.create({ data: { userId: user.id, label, ...address } });
    if (isPreferred || preferredId === null) await prefer(tx, user, row);
    return presentUserAddress(row, isPreferred ? row.id : (preferredId ?? row.id));
  });

/**
 * Changes an address of the caller, or prefers it.
 * @throws 401 the account was just deleted, 404 no such address of theirs
 */
export const updateAddress = (
  platform: Platform,
  user: SessionUser,
  id: string,
  { label, address, isPreferred }: UpdateAddress,
): Promise<UserAddress> =>
  change(platform, user, async (tx, preferredId) => {
    await requireOwn(tx, user, id);
    const row = await tx.userAddress.update({
      where: { id },
      data: defined({ label, ...address }),
    });
    const changesProfile = isPreferred
      ? id !== preferredId || address
      : id === preferredId && address;
    if (changesProfile) await prefer(tx, user, row);
    return presentUserAddress(row, isPreferred ? id : preferredId);
  });

/**
 * Removes an address of the caller. Where it was the preferred one, of the rest the one used last is.
 * @throws 401 the account was just deleted, 404 no such address of theirs
 */
export const removeAddress = (platform: Platform, user: SessionUser, id: string): Promise<void> =>
  change(platform, user, async (tx, preferredId) => {
    await requireOwn(tx, user, id);
    await tx.userAddress.delete({ where: { id } });
    if (id !== preferredId) return;
    const next = await tx.userAddress.findFirst({
      where: { userId: user.id },
      orderBy: [...USED_LAST_FIRST],
    });
    await prefer(tx, user, next);
  });

/**
 * Notes that an order to this address was placed, so that it is offered first next time. Nothing fails with it.
 */
export async function noteAddressUsed(
  { db, log }: Platform,
  userId: string,
  { street, city, state, zipCode }: Address,
): Promise<void> {
  try {
    await db.userAddress.updateMany({
      where: { userId, street, city, state, zipCode },
      data: { lastUsedAt: new Date() },
    });
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'Could not note which address was used');
  }
}

/** Runs a change of the caller's addresses, one after the other, and notifies their other devices. */
async function change<Result>(
  platform: Platform,
  user: SessionUser,
  work: (tx: Transaction, preferredId: string | null) => Promise<Result>,
): Promise<Result> {
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    await lockAddresses(tx, user.id);
    // A separate statement, so that it sees what was committed while waiting for the lock.
    const { preferredAddressId } = await tx.user.findUniqueOrThrow({
      where: { id: user.id },
      select: { preferredAddressId: true },
    });
    const done = await work(tx, preferredAddressId);
    await record(tx, accountChanged(user.id));
    return done;
  });
}

async function requireOwn(tx: Transaction, user: SessionUser, id: string): Promise<void> {
  const own = await tx.userAddress.findFirst({
    where: { id, userId: user.id },
    select: { id: true },
  });
  if (!own) throw notFound(msg('Address not found'));
}

/** Makes an address that of the profile; null takes the profile's away. */
async function prefer(tx: Transaction, user: SessionUser, row: AddressRow | null): Promise<void> {
  await tx.user.update({
    where: { id: user.id },
    data: {
      preferredAddressId: row?.id ?? null,
      ...(row ? presentAddress(row) : NO_ADDRESS),
      version: { increment: 1 },
    },
    select: { id: true },
  });
  await recordProfileChange(tx, user);
}

/** Returns whether nothing of an address is filled in. */
const isBlank = ({ street, city, state, zipCode }: Address): boolean =>
  street + city + state + zipCode === '';

/**
 * Locks what holds a person's addresses together, until the transaction ends: of two changes at once the second
 * one finds what the first one left. Its caller holds the lock of `lockCaller`.
 */
const lockAddresses = async (tx: Transaction, userId: string): Promise<void> => {
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

/** The event by which a person's other devices read their account again. */
export const accountChanged = (userId: string): NewEvent => ({
  name: 'account.changed',
  data: { _id: userId },
  rooms: [room.user(userId)],
});

/** Records what follows from a change of somebody's own profile, for everybody who sees something of it. */
export async function recordProfileChange(
  tx: Transaction,
  user: Pick<SessionUser, 'id' | 'membership'>,
): Promise<void> {
  await record(tx, sessionChanged(user.id), accountChanged(user.id));
  const farmId = user.membership?.farmId;
  if (!farmId) return;
  // A farm without a name shows that of its founder, and its people see each other's.
  if (farmId === user.id) {
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
  }
  await record(tx, {
    name: 'member.changed',
    data: { _id: user.id },
    rooms: [room.farm(farmId)],
  });
}
