import { DELETION_MAIL_KIND } from '#contract/people/notifications/constants';
import type { DeleteOwnAccount, DeletionOutlook } from '#contract/people/users/users';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import type { User } from '../../../prisma/generated/client.ts';
import { endMembership, lastOwner, removeMember } from '../../farm/members/service.ts';
import { readOpenOrders } from '../../ordering/model/open-orders.ts';
import { confirmOwner, wrongPassword } from '../../people/auth/confirm-owner.ts';
import { recordNewUser } from '../../people/auth/sessions.ts';
import type { Source } from '../../people/auth/sources.ts';
import { keepApp } from '../../people/second-factor/two-factor.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { lockName, transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import {
  DELETION_TIMES_MS,
  deleteLocked,
  detachFounder,
  lockFarmOf,
  runDeletion,
} from './service.ts';

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
    const preference = { successorId, closes: closeFarm };
    const promoted = await deleteLocked(tx, {
      ...{ actor: user, target, preference },
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
    msg('You are the only admin of this market. Make somebody else an admin before you go.'),
  );
}

/**
 * Keeps where that mail goes, which the account no longer says, and plans it. A worker's sweep sends it and
 * removes the address.
 */
async function planDeletionMail(
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

/**
 * Removes a member of the caller's farm, the caller included; see {@link removeMember}. Anyone who registered the
 * farm may leave it too: the farm goes on under its id, and their account under a new one.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 not of this farm, 409 the
 *   founder by somebody else, or the last owner
 */
export async function leaveFarm(platform: Platform, user: SessionUser, id: string): Promise<void> {
  const isFounder = user.membership?.farmId === user.id;
  const own = isFounder
    ? await transact(platform.db, (tx) =>
        tx.farmMember.findUnique({ where: { userId: user.id }, select: { id: true } }),
      )
    : null;
  if (own?.id === id) await leaveAsFounder(platform, user.id);
  else await removeMember(platform, user, id);
}

async function leaveAsFounder(platform: Platform, id: string): Promise<void> {
  const work = async (tx: Transaction) => {
    const isThere = await lockAccount(tx, id);
    const farm = isThere ? await lockFarmOf(tx, id) : null;
    if (farm?.id !== id) throw sessionEnded();
    if (!farm.staff.some(({ userId, role }) => role === 'owner' && userId !== id)) {
      throw lastOwner();
    }
    const founder = await tx.user.findUniqueOrThrow({ where: { id } });
    if (founder.suspendedAt) throw sessionEnded();
    const addresses = await tx.userAddress.findMany({ where: { userId: id } });
    const changes = await tx.emailChange.findMany({
      where: { userId: id },
      include: { links: true },
    });
    const app = await tx.authenticatorApp.findUnique({ where: { userId: id } });
    await endMembership(tx, id);
    const erasure = await detachFounder(tx, founder);
    const { name, email, passwordHash, phone, street, city, state, zipCode } = founder;
    const { emailVerifiedAt, termsAcceptedAt, preferredAddressId } = founder;
    const { phoneVerifiedAt, textedAt, unreachableAt, unreachableReason } = founder;
    const person = await tx.user.create({
      data: {
        ...{ name, email, emailVerifiedAt, termsAcceptedAt, passwordHash, phone },
        ...{ street, city, state, zipCode, unreachableAt, unreachableReason },
        ...{ phoneVerifiedAt, textedAt },
        role: 'farmer',
        preferences: founder.preferences ?? {},
        createdAt: founder.createdAt,
      },
    });
    // What is about the person goes with them; reports about the farm stay with it.
    await tx.userNote.updateMany({ where: { userId: id }, data: { userId: person.id } });
    await tx.report.updateMany({ where: { reporterId: id }, data: { reporterId: person.id } });
    // Erased with the founder's account, and theirs again under the same ids.
    await tx.userAddress.createMany({
      data: addresses.map((address) => ({ ...address, userId: person.id })),
    });
    // What undoes a change of their email leads to them as before.
    const theirs = <Row>(row: Row) => ({ ...row, userId: person.id });
    await tx.emailChange.createMany({ data: changes.map(({ links: _, ...row }) => theirs(row)) });
    await tx.emailVerification.createMany({
      data: changes.flatMap(({ links }) => links.map(theirs)),
    });
    if (app) await keepApp(platform, tx, app, person.id);
    await tx.user.update({
      where: { id: person.id },
      data: { preferredAddressId },
      select: { id: true },
    });
    await recordNewUser(tx, person);
    await erasure.finish();
  };
  await transact(platform.db, work, DELETION_TIMES_MS);
  afterCommit(() => platform.sessions.invalidate(id));
}
