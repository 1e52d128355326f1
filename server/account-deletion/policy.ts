import type { FarmRole } from '#contract/constants/farm';
import type { Role } from '#contract/http';

/** Returns whether `user` may delete `target`: admins may, except admins (themselves included). */
export const canDeleteUser = (user: { role: Role }, target: { role: Role }): boolean =>
  user.role === 'admin' && target.role !== 'admin';

/** Somebody who works on a farm; people who are only invited are not among them. */
export interface Staff {
  /** The id of the membership. */
  id: string;
  userId: string;
  role: FarmRole;
}

/** A farm and who works there. */
export interface StaffedFarm {
  id: string;
  staff: readonly Staff[];
}

/** Returns whether a farm closes with this account unless somebody takes it over: its founder's, or its last owner's. */
export function needsSuccessor({ id, staff }: StaffedFarm, userId: string): boolean {
  if (userId === id) return true;
  const isOwner = (member: Staff) => member.role === 'owner';
  return (
    !staff.some((member) => isOwner(member) && member.userId !== userId) &&
    staff.some((member) => isOwner(member) && member.userId === userId)
  );
}

/** What becomes of a farm when the account of one of its people is deleted. */
export type FarmOutcome =
  /** The account works for no farm. */
  | { kind: 'none' }
  | { kind: 'closes' }
  | { kind: 'goesOn'; successor: Staff | null }
  /** The successor is not one of the farm's other people. */
  | { kind: 'refused' };

/**
 * Decides what becomes of the farm of an account that is deleted.
 * @param successorId the membership of whoever takes the farm over
 */
export function decideFarmOutcome(
  farm: StaffedFarm | null,
  userId: string,
  successorId: string | undefined,
): FarmOutcome {
  const successor = farm?.staff.find(
    (member) => member.id === successorId && member.userId !== userId,
  );
  if (successorId !== undefined) {
    return successor ? { kind: 'goesOn', successor } : { kind: 'refused' };
  }
  if (!farm) return { kind: 'none' };
  return needsSuccessor(farm, userId) ? { kind: 'closes' } : { kind: 'goesOn', successor: null };
}
