import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { DeleteUserQuery } from '#contract/people/users/users';
import { room } from '#contract/platform/events/constants';
import type { Role } from '#contract/platform/http/http';
import { msg, t } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { User } from '../../../prisma/generated/client.ts';
import { roomsSeeing } from '../../farm/farmers/service.ts';
import {
  endMembership,
  endMemberships,
  lockMembers,
  promoteToOwner,
} from '../../farm/members/service.ts';
import { expireProposalsOf } from '../../ordering/changes/commands.ts';
import {
  cancelOrdersOf,
  lockOpenOrdersOf,
  recordPartyChange,
} from '../../ordering/model/open-orders.ts';
import { REACHABLE } from '../../people/auth/change-email.ts';
import { record } from '../../platform/events/event-log.ts';
import { forbidden, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { inLanguageOf } from '../../platform/market/readers.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, lockCaller } from '../../platform/sessions/lock-caller.ts';
import { type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { type TransactionTimes, transact } from '../../platform/stores/postgres.ts';
import { beginErasure, deleteOwnRecords } from './personal-data.ts';
import {
  canDeleteUser,
  decideFarmOutcome,
  type FarmChoice,
  type FarmOutcome,
  type StaffedFarm,
} from './policy.ts';

/** Scanning a log of millions of events takes longer than other transactions. */
export const DELETION_TIMES_MS: TransactionTimes = { maxWait: 15_000, timeout: 300_000 };

/**
 * Deletes an account. The row stays without personal data, so that orders and messages of others stay complete; the
 * email can be registered again. All tokens are revoked at once. Personal data is removed from the event log, orders
 * and notifications in the same transaction. A farm goes on under its other owners, or the successor; without either,
 * or where that is asked for, it closes, which cancels its open orders.
 * @throws 400 a successor who is not one of the farm's other people, or a farm to close that they do not own; 403 for
 * an admin's account, one's own
 *   included; 404 for an unknown account
 */
export async function deleteUser(
  platform: Platform,
  admin: SessionUser,
  id: string,
  { successor: successorId, closes }: DeleteUserQuery,
): Promise<void> {
  const work = async (tx: Transaction) => {
    await lockCaller(tx, admin.id);
    const target = await tx.user.findUnique({ where: { id, deletedAt: null, isFarm: false } });
    if (!target) throw notFound(msg('User not found'));
    if (!canDeleteUser(admin, target)) {
      throw forbidden(
        target.id === admin.id
          ? msg("You can't delete your own account.")
          : msg("Admin accounts can't be deleted."),
      );
    }
    // Of two concurrent deletions the second one gets 404.
    if (!(await lockAccount(tx, id))) throw notFound(msg('User not found'));
    const preference = { successorId, closes: closes === 'true' };
    return deleteLocked(tx, { actor: admin, target, preference });
  };
  await runDeletion(platform, id, work);
}

/**
 * Runs the transaction of a deletion, and ends the sessions of the account and of the person who took its farm over.
 * @param work returns the id of that successor, if there is one
 */
export async function runDeletion(
  platform: Platform,
  id: string,
  work: (tx: Transaction) => Promise<string | undefined>,
): Promise<void> {
  const promoted = await transact(platform.db, work, DELETION_TIMES_MS);
  afterCommit(() => {
    platform.sessions.invalidate(id);
    if (promoted) platform.sessions.invalidate(promoted);
  });
}

/**
 * Deletes an account whose row is locked; see {@link deleteUser}. What an admin does is audited.
 * @param actor who deletes it, which may be the account itself
 * @param closesField the field by which the caller wished that the farm closes
 * @returns the id of the person who took its farm over
 * @throws 400 as {@link deleteUser}
 */
export async function deleteLocked(
  tx: Transaction,
  {
    actor,
    target,
    preference,
    closesField = 'closes',
  }: { actor: SessionUser; target: User; preference: FarmChoice; closesField?: string },
): Promise<string | undefined> {
  const { id } = target;
  const farm = await lockFarmOf(tx, id);
  const outcome = decideFarmOutcome(farm, id, preference);
  if (outcome.kind === 'refused') {
    throw outcome.field === 'successor'
      ? invalidField('successor', msg('Choose somebody who works for this farm.'))
      : invalidField(
          closesField,
          msg('Only the account of an owner closes a farm, and without a successor.'),
        );
  }
  if (actor.role === 'admin') {
    await audit(tx, actor, 'user.deleted', id, auditDetail(target.role, outcome));
  }
  if (farm && outcome.kind === 'goesOn') {
    await endMembership(tx, id);
    if (outcome.successor) await promoteToOwner(tx, farm.id, outcome.successor);
  }
  if (farm?.id === id && outcome.kind === 'goesOn') {
    await (await detachFounder(tx, target)).finish();
    return outcome.successor?.userId;
  }
  const closing = farm && outcome.kind === 'closes' ? farm.id : null;
  const people = closing && closing !== id ? [id, closing] : [id];
  const seers = closing ? await roomsSeeing(tx, closing) : [];
  const erasure = await beginErasure(tx, people, { closingFarm: closing });
  if (closing) await endMemberships(tx, closing, id);
  for (const each of people) await clearAccount(tx, each);
  if (closing) {
    // Lock orders before products, as every command does.
    await lockOpenOrdersOf(tx, closing, 'farmer');
    await deleteProducts(tx, closing, seers);
    // Nobody is left to answer these orders, or to hand them over.
    await cancelOrdersOf(tx, closing, actor, 'farmer');
  } else if (target.role === 'consumer') {
    await expireProposalsOf(tx, id);
    await cancelOrdersOf(tx, id, actor, 'consumer');
    // What is accepted stays with its farm, which has to know.
    await recordPartyChange(tx, id, 'consumer', 'customer_left');
  }
  await record(
    tx,
    { name: 'user.deleted', data: { _id: id }, rooms: [room.admins] },
    sessionChanged(id),
  );
  await erasure.finish();
  return outcome.kind === 'goesOn' ? outcome.successor?.userId : undefined;
}

const auditDetail = (role: Role, outcome: FarmOutcome) => ({
  role,
  ...(outcome.kind === 'closes' ? { farm: 'closed' } : {}),
  ...(outcome.kind === 'goesOn' && outcome.successor
    ? { successor: outcome.successor.userId }
    : {}),
});

async function clearAccount(tx: Transaction, id: string): Promise<void> {
  await tx.user.update({
    where: { id },
    data: {
      name: DELETED_USER_NAME,
      email: `${id}@deleted.invalid`,
      passwordHash: '',
      phone: '',
      phoneVerifiedAt: null,
      textedAt: [],
      street: '',
      city: '',
      state: '',
      zipCode: '',
      preferences: {},
      lastSeenAt: null,
      suspendedAt: null,
      suspendedReason: '',
      emailVerifiedAt: null,
      ...REACHABLE,
      isFarm: false,
      tokenVersion: { increment: 1 },
      deletedAt: new Date(clockMs()),
    },
  });
  // The farm's slots go with it, and orders are locked before slots.
  await lockOpenOrdersOf(tx, id, 'farmer');
  await deleteOwnRecords(tx, id);
}

/**
 * Deletes the farm's products, locked by ascending id; orders keep their lines. Records one event for
 * all of them, since they may be tens of thousands.
 */
async function deleteProducts(
  tx: Transaction,
  farmerId: string,
  seers: Awaited<ReturnType<typeof roomsSeeing>>,
): Promise<void> {
  // Apart from the deletion, which then needs no join of the farm's products with themselves: where
  // statistics are old, Postgres compares each with each.
  await tx.$queryRaw`
    SELECT count(*) FROM (
      SELECT FROM products WHERE farmer_id = ${farmerId}::uuid ORDER BY id FOR UPDATE) AS locked`;
  await tx.$executeRaw`DELETE FROM products WHERE farmer_id = ${farmerId}::uuid`;
  await tx.productImport.deleteMany({ where: { farmId: farmerId } });
  // Clears the low-stock flags, since no `product.deleted` event does.
  await tx.notificationDelivery.deleteMany({
    where: { userId: farmerId, channel: 'in_app', kind: 'stock.low' },
  });
  await record(tx, {
    name: 'farmer.deleted',
    data: { _id: farmerId },
    rooms: seers,
  });
}

/**
 * Locks the farm that somebody works for: its people, its profile and, unless they registered it themselves, the
 * account that carries its id.
 * @returns null for anyone who works for none
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

/** Returns what a farm without a name is called. */
const nameIn = (city: string): string =>
  city ? t('Farm in {city}', { city }).replaceAll(/[\u2068\u2069]/g, '') : t('Farm');

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
  const name = farm.farmName.trim() || (await inLanguageOf(null, async () => nameIn(founder.city)));
  const erasure = await beginErasure(tx, [id], { farmName: name });
  await deleteOwnRecords(tx, id, { keepsFarm: true });
  // The account may be the founder's own; the person who follows gives theirs.
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
      phoneVerifiedAt: null,
      textedAt: [],
      street: '',
      preferences: {},
      lastSeenAt: null,
      // A suspended farm stays off the market until an admin says otherwise.
      suspendedReason: '',
      emailVerifiedAt: null,
      ...REACHABLE,
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
    sessionChanged(id),
  );
  return erasure;
}
