import type { Member } from '#contract/farm/members/members';
import type { DeletionOutlook, User } from '#contract/people/users/users';
import { allOpen, orderNumbers, ordersInWords } from '../../ordering/model/order-items.ts';

/** What becomes of a person's farm when they delete their account. */
export type FarmOutcome =
  | { kind: 'none' }
  /** It goes on under others; an owner may close it all the same. */
  | { kind: 'goesOn'; mayClose: boolean }
  /** It closes unless one of these takes it over; without any it closes. */
  | { kind: 'needsSuccessor'; successors: readonly Member[] };

/**
 * Returns what becomes of the farm, as the server decides it: it goes on under its other owners; without them somebody has
 * to take it over.
 * @param staff who works there; null for no farm
 */
export function farmOutcome(
  { _id }: Pick<User, '_id'>,
  staff: readonly Member[] | null,
): FarmOutcome {
  const own = staff?.find(({ user }) => user?._id === _id);
  if (!staff || !own) return { kind: 'none' };
  const others = staff.filter(({ state, user }) => state === 'active' && user?._id !== _id);
  if (own.role !== 'owner') return { kind: 'goesOn', mayClose: false };
  return others.some(({ role }) => role === 'owner')
    ? { kind: 'goesOn', mayClose: true }
    : { kind: 'needsSuccessor', successors: others };
}

/** Returns what a deletion takes away, a line each. */
export function whatGoes(
  { role }: Pick<User, 'role'>,
  isClosing: boolean,
  { orders, farmOrders }: DeletionOutlook,
): string[] {
  const pending = orderNumbers(orders.pending);
  const farms = farmOrders ? orderNumbers(allOpen(farmOrders)) : '';
  return [
    'Your name, email, phone and addresses, everywhere.',
    'Your notifications and choices. You are signed out on every device.',
    ...(role === 'consumer'
      ? [`Pending orders, which are cancelled${pending ? `: ${pending}` : ''}.`]
      : []),
    ...(isClosing
      ? [
          'Your farm and its products. Its open orders are cancelled.',
          ...(farms ? [`Cancelled, and the customers are told: ${farms}.`] : []),
        ]
      : []),
  ];
}

/** Returns what stays with others, a line each. */
export function whatStays(
  { role }: Pick<User, 'role'>,
  isClosing: boolean,
  { orders, farmOrders }: DeletionOutlook,
): string[] {
  const accepted = ordersInWords(orders.accepted, 'accepted');
  const farms = farmOrders ? ordersInWords(allOpen(farmOrders), 'open') : '';
  return [
    ...(role === 'consumer' ? ['Orders, under “Deleted user”. Accepted ones stay as agreed.'] : []),
    ...(role === 'consumer' && accepted
      ? [`${accepted}: the farms are told that you have left.`]
      : []),
    ...(role === 'farmer'
      ? [
          isClosing
            ? 'Past orders, with their customers, under “Deleted user”.'
            : `The farm, its products and its orders${farms ? `, also ${farms}` : ''}.`,
        ]
      : []),
    ...(role === 'admin' ? ['What you did as an admin, in the audit, under “Deleted user”.'] : []),
    'Messages you wrote, with whoever got them.',
  ];
}
