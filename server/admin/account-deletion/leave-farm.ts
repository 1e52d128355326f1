import { room } from '#contract/platform/events/constants/events';
import type { Transaction } from '../../../prisma/client.ts';
import { endMembership, lastOwner, removeMember } from '../../farm/members/service.ts';
import { keepApp } from '../../people/second-factor/two-factor.ts';
import { presentUser } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockAccount, sessionEnded } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { DELETION_TIMES_MS, detachFounder, lockFarmOf } from './service.ts';

/**
 * Removes a member of the caller's farm, the caller included; see {@link removeMember}. Whoever registered the
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
    const person = await tx.user.create({
      data: {
        ...{ name, email, emailVerifiedAt, termsAcceptedAt, passwordHash, phone },
        ...{ street, city, state, zipCode },
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
    await record(tx, { name: 'user.created', data: presentUser(person), rooms: [room.admins] });
    await erasure.finish();
  };
  await transact(platform.db, work, DELETION_TIMES_MS);
  afterCommit(() => platform.sessions.invalidate(id));
}
