import type { Role } from '#contract/platform/http/http';
import type { FarmRole } from '#contract/platform/session/constants';

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

/** Whether somebody owns a farm: then they may close it when they go. */
export const isOwner = ({ staff }: StaffedFarm, userId: string): boolean =>
  staff.some((member) => member.role === 'owner' && member.userId === userId);

/** Returns whether a farm closes with this account unless somebody takes it over: with its last owner's. */
export const needsSuccessor = (farm: StaffedFarm, userId: string): boolean =>
  isOwner(farm, userId) &&
  !farm.staff.some((member) => isOwner(farm, member.userId) && member.userId !== userId);

/** What becomes of a farm when the account of one of its people is deleted. */
export type FarmOutcome =
  /** The account works for no farm. */
  | { kind: 'none' }
  | { kind: 'closes' }
  | { kind: 'goesOn'; successor: Staff | null }
  /**
   * The successor is not one of the farm's other people; or who closes it is no owner, or names a successor as well.
   */
  | { kind: 'refused'; field: 'successor' | 'closes' };

/** What somebody wants to become of the farm. */
export interface FarmChoice {
  /** The membership of the person who takes the farm over. */
  successorId?: string | undefined;
  /** Whether it closes, although other owners could go on with it. */
  closes?: boolean | undefined;
}

/**
 * Decides what becomes of the farm of an account that is deleted: it goes on under its other owners, without a
 * question; where there are none, under the successor, or it closes.
 */
export function decideFarmOutcome(
  farm: StaffedFarm | null,
  userId: string,
  { successorId, closes = false }: FarmChoice,
): FarmOutcome {
  if (closes) {
    const mayClose = farm !== null && isOwner(farm, userId) && successorId === undefined;
    return mayClose ? { kind: 'closes' } : { kind: 'refused', field: 'closes' };
  }
  const successor = farm?.staff.find(
    (member) => member.id === successorId && member.userId !== userId,
  );
  if (successorId !== undefined) {
    return successor ? { kind: 'goesOn', successor } : { kind: 'refused', field: 'successor' };
  }
  if (!farm) return { kind: 'none' };
  return needsSuccessor(farm, userId) ? { kind: 'closes' } : { kind: 'goesOn', successor: null };
}
