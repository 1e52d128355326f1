import type { UpdateMember } from '#contract/farm/members/members';
import { canActFor, type FarmRole, type Worker } from '#contract/platform/session/constants';

/** A member as the rules below see one. */
interface MemberState {
  farmId: string;
  /** Null while invited. */
  userId: string | null;
  role: FarmRole;
}

type Actor = Worker & { id: string };

export type MemberRefusal =
  | 'ROLE'
  /** Whoever registered the farm stays its owner: the farm carries their account's id. */
  | 'FOUNDER'
  | 'LAST_OWNER';

const isSelf = (actor: Actor, member: MemberState): boolean => actor.id === member.userId;

/** Why this change is refused, or nothing: owners change anybody, and everyone their own alerts. */
export function refuseUpdate(
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
export function refuseRemoval(
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

/** Why somebody cannot join the farm, or nothing. Whoever accepts is told, never whoever invites. */
export function refuseInvited(account: Invited, farmId: string): InviteRefusal | undefined {
  if (account.role !== 'farmer') return 'HAS_OTHER_ROLE';
  if (account.membership?.farmId === farmId) return 'ALREADY_MEMBER';
  return account.membership ? 'HAS_OTHER_FARM' : undefined;
}
