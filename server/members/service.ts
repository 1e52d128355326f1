import { FARM_PERMISSIONS, includesRole } from '#contract/constants/farm';
import { room } from '#contract/events';
import {
  INVITE_VALID_DAYS,
  type InviteMember,
  MEMBERS_MAX,
  type Member,
  type OwnFarm,
  type UpdateMember,
} from '#contract/members';
import type { Transaction } from '../../prisma/client.ts';
import { type NewEvent, record } from '../events/event-log.ts';
import { actingFarm, withoutPermission } from '../http/acting-farm.ts';
import { conflict, notFound } from '../http/errors.ts';
import { lockCaller, lockRole } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import { endSessions, type SessionUser, sessionChanged } from '../http/sessions.ts';
import { endPushes } from '../notifications/service.ts';
import { defined } from '../process/defined.ts';
import { lockName, transact } from '../process/postgres.ts';
import { afterCommit } from '../process/request-context.ts';
import {
  type InviteRefusal,
  type MemberRefusal,
  refuseInvited,
  refuseRemoval,
  refuseUpdate,
} from './policy.ts';
import { memberInclude, presentMember } from './present.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the farm the caller works for. @throws 403 who works for none */
export async function readOwnFarm({ db }: Platform, user: SessionUser): Promise<OwnFarm> {
  const farmId = actingFarm(user);
  const farm = await db.farmerProfile.findUnique({ where: { userId: farmId } });
  if (!farm || !user.membership) throw notFound('Farm not found');
  const { role } = user.membership;
  return {
    _id: farmId,
    farmName: farm.farmName,
    timeZone: farm.timeZone,
    role,
    permissions: [...FARM_PERMISSIONS[role]],
  };
}

/** Lists who works for the caller's farm, and who is invited, in the order they came. */
export async function listMembers({ db }: Platform, user: SessionUser): Promise<Member[]> {
  const rows = await db.farmMember.findMany({
    where: { farmId: actingFarm(user) },
    include: memberInclude,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(presentMember);
}

/**
 * Invites somebody by mail. The same address again, while it is only invited, gets a new link and the
 * role given now; the old link ends.
 * @throws 403 not an owner; 409 the account of this address cannot join, or MEMBER_LIMIT_REACHED
 */
export async function inviteMember(
  platform: Platform,
  user: SessionUser,
  { email, role }: InviteMember,
): Promise<Member> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, user.id);
    await lockMembers(tx, farmId);
    await lockRole(tx, user);
    const account = await tx.user.findUnique({
      where: { email },
      select: { id: true, role: true, membership: { select: { farmId: true } } },
    });
    const known = await tx.farmMember.findUnique({
      where: { farmId_email: { farmId, email } },
      select: { userId: true },
    });
    const refusal = refuseInvited(account, farmId, known);
    if (refusal) throw inviteRefusal(refusal);
    // Whoever is invited already is one of them.
    if (!known && (await tx.farmMember.count({ where: { farmId } })) >= MEMBERS_MAX) {
      throw conflict(
        'MEMBER_LIMIT_REACHED',
        `A farm can have at most ${MEMBERS_MAX} people. Remove somebody first.`,
      );
    }
    const invitation = {
      role,
      tokenHash: null,
      inviteExpiresAt: new Date(Date.now() + INVITE_VALID_DAYS * DAY_MS),
    };
    const row = await tx.farmMember.upsert({
      where: { farmId_email: { farmId, email } },
      create: { farmId, email, ...invitation },
      update: invitation,
      include: memberInclude,
    });
    await record(tx, memberChanged(farmId, row.id), {
      name: 'member.invited',
      data: { _id: row.id, invitedBy: user.id },
      rooms: [],
    });
    return presentMember(row);
  });
}

/**
 * Changes a member's role or alerts.
 * @throws 403 not within the caller's role, 404 not of this farm, 409 the farm would lose its owner
 */
export async function updateMember(
  platform: Platform,
  user: SessionUser,
  id: string,
  change: UpdateMember,
): Promise<Member> {
  const { data, userId } = await transact(platform.db, async (tx) => {
    const { member, owners } = await lockMember(tx, user, id);
    const refusal = refuseUpdate(user, member, change, owners);
    if (refusal) throw memberRefusal(refusal);
    const row = await tx.farmMember.update({
      where: { id },
      data: defined({ role: change.role, hasAlerts: change.alerts }),
      include: memberInclude,
    });
    await record(tx, memberChanged(member.farmId, id));
    if (row.userId) {
      await record(tx, sessionChanged(row.userId));
      if (!includesRole(row.role, member.role)) await endPushes(tx, [row.userId]);
    }
    return { data: presentMember(row), userId: row.userId };
  });
  afterCommit(() => userId && platform.sessions.invalidate(userId));
  return data;
}

/**
 * Removes a member, whose sessions end everywhere at once, or withdraws an invitation. Whoever registered the
 * farm leaves it by another way: `server/account-deletion/leave-farm.ts`.
 * @throws 403 not within the caller's role, 404 not of this farm, 409 the founder or the last owner
 */
export async function removeMember(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<void> {
  const userId = await transact(platform.db, async (tx) => {
    const { member, owners } = await lockMember(tx, user, id);
    const refusal = refuseRemoval(user, member, owners);
    if (refusal) throw memberRefusal(refusal);
    await tx.farmMember.delete({ where: { id }, select: { id: true } });
    await record(tx, memberChanged(member.farmId, id));
    if (member.userId) {
      await tx.user.update({
        where: { id: member.userId },
        data: { tokenVersion: { increment: 1 } },
        select: { id: true },
      });
      await endSessions(tx, member.userId);
    }
    return member.userId;
  });
  afterCommit(() => userId && platform.sessions.invalidate(userId));
}

/** The event of a change of a farm's members. It holds no names and addresses, which would stay in the log. */
export const memberChanged = (farmId: string, memberId: string): NewEvent => ({
  name: 'member.changed',
  data: { _id: memberId },
  rooms: [room.farm(farmId)],
});

/** Serialises the changes of one farm's members, so that counts of owners and people hold. */
export const lockMembers = (tx: Transaction, farmId: string): Promise<void> =>
  lockName(tx, `members ${farmId}`);

/** Locks the caller and their farm's members. @throws 404 when the member is not of this farm */
async function lockMember(tx: Transaction, user: SessionUser, id: string) {
  const farmId = actingFarm(user);
  await lockCaller(tx, user.id);
  await lockMembers(tx, farmId);
  // After the farm's people, whose roles others may be about to change.
  await lockRole(tx, user);
  const [member, owners] = [
    await tx.farmMember.findFirst({ where: { id, farmId } }),
    await tx.farmMember.count({ where: { farmId, role: 'owner', userId: { not: null } } }),
  ];
  if (!member) throw notFound('Member not found');
  return { member, owners };
}

function memberRefusal(refusal: MemberRefusal) {
  switch (refusal) {
    case 'ROLE':
      return withoutPermission();
    case 'FOUNDER':
      return conflict(
        'FARM_FOUNDER',
        'Whoever registered the farm stays its owner for as long as they work here. Only they can leave it.',
      );
    case 'LAST_OWNER':
      return lastOwner();
  }
}

/** Refuses to leave a farm without an owner. */
export const lastOwner = () =>
  conflict('LAST_OWNER', 'A farm needs an owner. Make somebody else an owner first.');

/** Removes an account that leaves, or is being deleted, from the farm it works for; the farm goes on. */
export async function endMembership(tx: Transaction, userId: string): Promise<void> {
  const own = await tx.farmMember.findUnique({ where: { userId } });
  if (!own) return;
  await tx.farmMember.delete({ where: { id: own.id }, select: { id: true } });
  await record(tx, memberChanged(own.farmId, own.id));
}

/**
 * Removes everybody from a farm that closes with an account: whoever worked there works for no farm any more.
 * @param closedBy the account, whose sessions end anyway
 */
export async function endMemberships(
  tx: Transaction,
  farmId: string,
  closedBy: string,
): Promise<void> {
  const people = await tx.farmMember.findMany({
    where: { farmId, userId: { not: closedBy } },
    select: { userId: true },
  });
  await tx.farmMember.deleteMany({ where: { farmId } });
  const ids = people.flatMap(({ userId }) => userId ?? []);
  await endPushes(tx, ids);
  await record(tx, ...ids.map(sessionChanged));
}

/** Makes a member an owner of their farm, whose people are locked. */
export async function promoteToOwner(
  tx: Transaction,
  farmId: string,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await tx.farmMember.update({ where: { id }, data: { role: 'owner' }, select: { id: true } });
  await record(tx, memberChanged(farmId, id), sessionChanged(userId));
}

/** Says to whoever invites why somebody cannot join. */
function inviteRefusal(refusal: InviteRefusal) {
  switch (refusal) {
    case 'ALREADY_MEMBER':
      return conflict('ALREADY_MEMBER', 'This person works for your farm already.');
    case 'HAS_OTHER_FARM':
      return conflict(
        'HAS_OTHER_FARM',
        'This person works for another farm. Invite them with another email address.',
      );
    case 'HAS_OTHER_ROLE':
      return conflict(
        'HAS_OTHER_ROLE',
        'This email belongs to an account that cannot work for a farm. Invite them with another email address.',
      );
  }
}
