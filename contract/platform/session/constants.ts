/** What people may be on a farm. */
export const FARM_ROLES = ['owner', 'manager', 'packer', 'seller'] as const;
export type FarmRole = (typeof FARM_ROLES)[number];

/**
 * What somebody may do for a farm:
 * - `read`: its orders, products and what there is to do;
 * - `answerOrders`: accept, reject and cancel; `handOverOrders`: complete; `packOrders`: the pick list;
 * - `changeProducts`: products, stock and pictures;
 * - `writeMessages`: the farm's conversations;
 * - `changeFarm`: its profile, days and places;
 * - `seeSales`: what all orders come to, sums and charts, and how customers pay; an order's own total is no secret;
 * - `manageMoney`: how customers pay; `manageMembers` and `closeFarm`.
 */
export const FARM_PERMISSION_NAMES = [
  'read',
  'answerOrders',
  'handOverOrders',
  'packOrders',
  'changeProducts',
  'writeMessages',
  'changeFarm',
  'seeSales',
  'manageMembers',
  'manageMoney',
  'closeFarm',
] as const;
export type FarmPermission = (typeof FARM_PERMISSION_NAMES)[number];

const MANAGER: readonly FarmPermission[] = [
  'read',
  'answerOrders',
  'handOverOrders',
  'packOrders',
  'changeProducts',
  'writeMessages',
  'changeFarm',
  'seeSales',
];

/** What each role may do. */
export const FARM_PERMISSIONS: Record<FarmRole, readonly FarmPermission[]> = {
  owner: [...MANAGER, 'manageMembers', 'manageMoney', 'closeFarm'],
  manager: MANAGER,
  packer: ['read', 'packOrders'],
  seller: ['read', 'handOverOrders', 'writeMessages'],
};

/** Returns what a role may do: nothing, where only a newer release knows it. */
const permissionsOf = (role: FarmRole) => FARM_PERMISSIONS[role] ?? [];

/** Returns whether a role may do all that another one may. */
export const includesRole = (role: FarmRole, other: FarmRole): boolean =>
  permissionsOf(other).every((permission) => permissionsOf(role).includes(permission));

/** For which farm somebody works, and as what. */
export interface Membership {
  farmId: string;
  role: FarmRole;
}

/** Somebody who may work for a farm. */
export interface Worker {
  /** Null for everyone who works for no farm. */
  membership: Membership | null;
}

/** The one rule for acting on a farm's behalf: its members may, as far as their role goes. */
export const canActFor = (
  { membership }: Worker,
  farmId: string,
  permission: FarmPermission,
): boolean => membership?.farmId === farmId && permissionsOf(membership.role).includes(permission);

/**
 * The person who is signed in, as the API returns them. `people/users` says what is known of them (`declare module`),
 * so that what keeps a session imports no feature.
 */
// biome-ignore lint/suspicious/noEmptyInterface: people/users fills it
export interface SignedInUser {}

/** What can change about how an account is protected. */
export type SecurityChange =
  | 'appTurnedOn'
  | 'appTurnedOff'
  | 'recoveryCodesMade'
  | 'recoveryCodeUsed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passwordReset'
  | 'emailVerified'
  | 'emailChanged'
  | 'emailChangeUndone'
  | 'secondFactorRemoved';

/** What else signs in, or is asked for, after a password was set anew. */
export type StillThere =
  | { what: 'app' }
  | { what: 'codes'; count: number }
  | { what: 'passkey'; device: string }
  // An older server says it in words.
  | string;
