import {
  findTransition,
  isCalledOff,
  partyTo,
  permissionFor,
  type Transition,
} from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { canActFor } from '#contract/platform/session/constants';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { isFarmAway, type OrderRow } from './present.ts';

/** Who an order is read or changed by. */
export type Reader = Pick<SessionUser, 'id' | 'role' | 'membership'>;
interface Parties {
  consumerId: string;
  farmerId: string;
}

/** Its consumer, everyone of its farm and admins read an order. */
export const canReadOrder = (user: Reader, order: Parties): boolean =>
  partyTo(order, user) !== undefined;

/** The change of status that this person may make, or nothing. */
export function allowedTransition(
  user: Reader,
  order: Parties & Pick<OrderRow, 'status' | 'farmer'>,
  to: OrderStatus,
): Transition | undefined {
  const party = partyTo(order, user);
  return party && findTransition(order.status, to, party, { isFarmAway: isFarmAway(order) });
}

/** Whether this person's role on the farm, if they act for it, lets them give the order this status. */
export const isWithinRole = (user: Reader, order: Parties, to: OrderStatus): boolean =>
  partyTo(order, user) !== 'farmer' || canActFor(user, order.farmerId, permissionFor(to));

/** Whether an order of this status takes room in its slot. */
export const holdsSlot = (status: OrderStatus): boolean => !isCalledOff(status);

/** A farm without a profile yet offers pickup and no delivery. */
export const offers = (
  farm: { acceptsPickup: boolean; acceptsDelivery: boolean } | null,
  way: 'pickup' | 'delivery',
): boolean => (way === 'pickup' ? (farm?.acceptsPickup ?? true) : (farm?.acceptsDelivery ?? false));
