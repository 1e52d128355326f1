import { randomBytes } from 'node:crypto';
import { INVITE_VALID_DAYS, MEMBERS_MAX } from '#contract/farm/members/constants';
import type {
  InvitationLink,
  InviteByLink,
  InviteMember,
  Member,
  OwnFarm,
  UpdateMember,
} from '#contract/farm/members/members';
import { room } from '#contract/platform/events/constants';
import {
  canActFor,
  FARM_PERMISSIONS,
  type FarmRole,
  includesRole,
  type Worker,
} from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { clockMs } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { hashSecretToken } from '../../people/auth/password.ts';
import { claimUnsolicited } from '../../people/notifications/limited-mails.ts';
import { endPushes } from '../../people/notifications/service.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit, currentLanguage } from '../../platform/process/request-context.ts';
import {
  actingFarm,
  lockCaller,
  lockRole,
  withoutPermission,
} from '../../platform/sessions/lock-caller.ts';
import { endSessions, type SessionUser, sessionChanged } from '../../platform/sessions/sessions.ts';
import { defined, lockName, transact } from '../../platform/stores/postgres.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the farm the caller works for. @throws 403 who works for none */
export async function readOwnFarm({ db }: Platform, user: SessionUser): Promise<OwnFarm> {
  const farmId = actingFarm(user);
  const farm = await db.farmerProfile.findUnique({ where: { userId: farmId } });
  if (!farm || !user.membership) throw notFound(msg('Farm not found'));
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
 * Invites anyone who has this address: by mail, where the caller's limits allow it, and in the app once they sign in.
 * The same address again, while it is only invited, gets the role given now, and a new link where one is mailed; the
 * old link ends then. Whether the address has an account, and of what kind, changes neither the answer nor what is
 * read.
 * @throws 403 not an owner; 409 ALREADY_MEMBER or MEMBER_LIMIT_REACHED
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
    // By the address that was invited, or that of the account that joined.
    const known = await tx.farmMember.findMany({
      where: { farmId, OR: [{ email }, { user: { email } }] },
      select: { userId: true },
    });
    if (known.some(({ userId }) => userId !== null)) {
      throw conflict('ALREADY_MEMBER', msg('This person works for your farm already.'));
    }
    // Anyone who is invited already is one of them.
    if (known.length === 0) await requireRoom(tx, farmId);
    const sender = { senderId: user.id, farmId };
    const isMailed = await claimUnsolicited(tx, platform.env, { ...sender, to: { email } });
    const invitation = {
      role,
      ...(isMailed ? { tokenHash: null, unreachableAt: null } : {}),
      invitedBy: user.id,
      inviteExpiresAt: inviteEnd(),
    };
    const row = await tx.farmMember.upsert({
      where: { farmId_email: { farmId, email } },
      create: { farmId, email, ...invitation },
      update: invitation,
      include: memberInclude,
    });
    await record(tx, memberChanged(farmId, row.id), {
      name: 'member.invited',
      data: { _id: row.id, invitedBy: user.id, isMailed, language: currentLanguage() },
      rooms: [],
    });
    return presentMember(row);
  });
}

/** @throws 409 MEMBER_LIMIT_REACHED where nobody more can be invited */
async function requireRoom(tx: Transaction, farmId: string): Promise<void> {
  if ((await tx.farmMember.count({ where: { farmId } })) < MEMBERS_MAX) return;
  throw conflict(
    'MEMBER_LIMIT_REACHED',
    msg('A farm can have at most {max} people. Remove somebody first.', { max: MEMBERS_MAX }),
  );
}

const inviteEnd = () => new Date(clockMs() + INVITE_VALID_DAYS * DAY_MS);

/**
 * Invites whoever gets the link first, such as somebody who stands beside its reader. Unlike a mailed one it proves no
 * address.
 * @throws 403 not an owner; 409 MEMBER_LIMIT_REACHED
 */
export async function inviteByLink(
  { db, env }: Platform,
  user: SessionUser,
  { role }: InviteByLink,
): Promise<InvitationLink> {
  const farmId = actingFarm(user);
  const token = randomBytes(32).toString('base64url');
  const inviteExpiresAt = inviteEnd();
  const { id } = await transact(db, async (tx) => {
    await lockCaller(tx, user.id);
    await lockMembers(tx, farmId);
    await lockRole(tx, user);
    await requireRoom(tx, farmId);
    const row = await tx.farmMember.create({
      data: {
        ...{ farmId, role, invitedBy: user.id, inviteExpiresAt },
        tokenHash: hashSecretToken(token),
      },
      select: { id: true },
    });
    await record(tx, memberChanged(farmId, row.id));
    return row;
  });
  return {
    _id: id,
    url: `${env.PUBLIC_URL}/invites/${token}`,
    invitedUntil: inviteExpiresAt.toISOString(),
  };
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
 * Removes a member, whose sessions end everywhere at once, or withdraws an invitation. Anyone who registered the
 * farm leaves it by another way: `server/admin/account-deletion/own-account.ts`.
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
  if (!member) throw notFound(msg('Member not found'));
  return { member, owners };
}

function memberRefusal(refusal: MemberRefusal) {
  switch (refusal) {
    case 'ROLE':
      return withoutPermission();
    case 'FOUNDER':
      return conflict(
        'FARM_FOUNDER',
        msg(
          'The founder of the farm stays its owner for as long as they work here. Only they can leave it.',
        ),
      );
    case 'LAST_OWNER':
      return lastOwner();
  }
}

/** Refuses to leave a farm without an owner. */
export const lastOwner = () =>
  conflict('LAST_OWNER', msg('A farm needs an owner. Make somebody else an owner first.'));

/** Removes an account that leaves, or is being deleted, from the farm it works for; the farm goes on. */
export async function endMembership(tx: Transaction, userId: string): Promise<void> {
  const own = await tx.farmMember.findUnique({ where: { userId } });
  if (!own) return;
  await tx.farmMember.delete({ where: { id: own.id }, select: { id: true } });
  await record(tx, memberChanged(own.farmId, own.id));
}

/**
 * Removes everybody from a farm that closes with an account: anyone who worked there works for no farm any more.
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

/** What {@link presentMember} needs. */
const memberInclude = {
  user: { select: { id: true, name: true, email: true, unreachableAt: true } },
} satisfies Prisma.FarmMemberInclude;

type MemberRow = Prisma.FarmMemberGetPayload<{ include: typeof memberInclude }>;

/** Returns a member, or somebody invited, in wire form. */
const presentMember = (row: MemberRow): Member => ({
  _id: row.id,
  user: row.user && { _id: row.user.id, name: row.user.name },
  email: row.user?.email ?? row.email ?? '',
  role: row.role,
  alerts: row.hasAlerts,
  state: row.user ? 'active' : 'invited',
  isFounder: row.userId === row.farmId,
  invitedUntil: row.user ? null : (row.inviteExpiresAt?.toISOString() ?? null),
  ...((row.user ?? row).unreachableAt ? { isUnreachable: true as const } : {}),
});

/** A member as the rules below see one. */
interface MemberState {
  farmId: string;
  /** Null while invited. */
  userId: string | null;
  role: FarmRole;
}

type Actor = Worker & { id: string };

type MemberRefusal =
  | 'ROLE'
  /** The founder of the farm stays its owner: the farm carries their account's id. */
  | 'FOUNDER'
  | 'LAST_OWNER';

const isSelf = (actor: Actor, member: MemberState): boolean => actor.id === member.userId;

/** Why this change is refused, or nothing: owners change anybody, and everyone their own alerts. */
function refuseUpdate(
  actor: Actor,
  member: MemberState,
  change: UpdateMember,
  owners: number,
): MemberRefusal | undefined {
  const mayManage = canActFor(actor, member.farmId, 'manageMembers');
  const isOwnAlerts = isSelf(actor, member) && change.role === undefined;
  if (!mayManage && !isOwnAlerts) return 'ROLE';
  const losesOwner =
    member.role === 'owner' && change.role !== undefined && change.role !== 'owner';
  if (!losesOwner) return undefined;
  if (member.userId === member.farmId) return 'FOUNDER';
  return owners <= 1 ? 'LAST_OWNER' : undefined;
}

/** Why somebody may not be removed, or nothing: owners remove anybody, and everyone may leave. */
function refuseRemoval(
  actor: Actor,
  member: MemberState,
  owners: number,
): MemberRefusal | undefined {
  if (!canActFor(actor, member.farmId, 'manageMembers') && !isSelf(actor, member)) return 'ROLE';
  if (member.userId === member.farmId) return 'FOUNDER';
  const isOwner = member.role === 'owner' && member.userId !== null;
  return isOwner && owners <= 1 ? 'LAST_OWNER' : undefined;
}

/** The account that accepts an invitation. */
interface Invited {
  id: string;
  role: 'consumer' | 'farmer' | 'admin';
  membership: { farmId: string } | null;
}

export type InviteRefusal = 'ALREADY_MEMBER' | 'HAS_OTHER_FARM' | 'HAS_OTHER_ROLE';

/** Why somebody cannot join the farm, or nothing. Anyone who accepts is told, never the person who invites. */
export function refuseInvited(account: Invited, farmId: string): InviteRefusal | undefined {
  if (account.role !== 'farmer') return 'HAS_OTHER_ROLE';
  if (account.membership?.farmId === farmId) return 'ALREADY_MEMBER';
  return account.membership ? 'HAS_OTHER_FARM' : undefined;
}
