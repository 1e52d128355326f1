import type { Member } from '#contract/members';
import type { User } from '#contract/users';

/** What becomes of a person's farm when they delete their account. */
export type FarmOutcome =
  | { kind: 'none' }
  | { kind: 'goesOn' }
  /** It closes unless one of these takes it over; without any it closes. */
  | { kind: 'needsSuccessor'; successors: readonly Member[] };

/**
 * Returns what becomes of the farm, as the server decides it: without its founder or its last owner somebody has to
 * take it over.
 * @param staff who works there; null for no farm
 */
export function farmOutcome(
  { _id }: Pick<User, '_id'>,
  staff: readonly Member[] | null,
): FarmOutcome {
  const own = staff?.find(({ user }) => user?._id === _id);
  if (!staff || !own) return { kind: 'none' };
  const others = staff.filter(({ state, user }) => state === 'active' && user?._id !== _id);
  const isNeeded =
    own.isFounder || (own.role === 'owner' && !others.some(({ role }) => role === 'owner'));
  return isNeeded ? { kind: 'needsSuccessor', successors: others } : { kind: 'goesOn' };
}

/** Returns what a deletion takes away, a line each. */
export function whatGoes({ role }: Pick<User, 'role'>, isClosing: boolean): string[] {
  return [
    'Your name, email, phone and addresses, everywhere.',
    'Your notifications and choices. You are signed out on every device.',
    ...(role === 'consumer' ? ['Pending orders, which are cancelled.'] : []),
    ...(isClosing ? ['Your farm and its products. Its pending orders are cancelled.'] : []),
  ];
}

/** Returns what stays with others, a line each. */
export function whatStays({ role }: Pick<User, 'role'>, isClosing: boolean): string[] {
  return [
    ...(role === 'consumer' ? ['Orders, under “Deleted user”. Accepted ones stay as agreed.'] : []),
    ...(role === 'farmer'
      ? [
          isClosing
            ? 'Past orders, with their customers, under “Deleted user”.'
            : 'The farm, its products and its orders.',
        ]
      : []),
    ...(role === 'admin' ? ['What you did as an admin, in the audit, under “Deleted user”.'] : []),
    'Messages you wrote, with whoever got them.',
  ];
}
