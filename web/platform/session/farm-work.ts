import {
  canActFor,
  type FarmPermission,
  type FarmRole,
  type SignedInUser,
} from '#contract/platform/session/constants';

/** Where somebody works: a farmer's account that was stored before farms had members owns its own farm. */
const membershipOf = ({ _id, role, membership }: SignedInUser) =>
  membership === undefined && role === 'farmer'
    ? { farmId: _id, role: 'owner' as const }
    : (membership ?? null);

/** Returns the id of the farm that somebody works for; undefined for none. */
export const farmIdOf = (user: SignedInUser | null | undefined): string | undefined =>
  (user && membershipOf(user)?.farmId) ?? undefined;

/** Whether somebody may do this for the farm they work for. */
export function mayForFarm(
  user: SignedInUser | null | undefined,
  permission: FarmPermission,
): boolean {
  const membership = user ? membershipOf(user) : null;
  return membership !== null && canActFor({ membership }, membership.farmId, permission);
}

/** Where work begins for those who do one thing; the pages choose the day. */
const WORK_PATHS: Partial<Record<FarmRole, string>> = {
  packer: '/farmer/picklist?date=next',
  seller: '/farmer/orders?day=today',
};

/** Returns the path at which somebody's work for their farm begins. */
export const workPathOf = (user: SignedInUser): string =>
  WORK_PATHS[membershipOf(user)?.role ?? 'owner'] ?? '/farmer/dashboard';

/** Returns the id as which somebody writes and reads messages: those who may write for a farm do so as the farm. */
export const senderIdOf = (user: SignedInUser | null | undefined): string | undefined =>
  mayForFarm(user, 'writeMessages') ? farmIdOf(user) : user?._id;

/** Whether somebody takes part in conversations: everyone, but of a farm's people those who may write for it. */
export const hasConversations = (user: SignedInUser | null | undefined): boolean =>
  user?.role === 'farmer' ? mayForFarm(user, 'writeMessages') : user != null;
