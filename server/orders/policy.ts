import { findTransition, type OrderStatus, partyTo, type Transition } from '#contract/orders';
import type { SessionUser } from '../http/sessions.ts';

type Reader = Pick<SessionUser, 'id' | 'role'>;
interface Parties {
  consumerId: string;
  farmerId: string;
}

/** Its consumer, its farmer and admins read an order. */
export const canReadOrder = (user: Reader, order: Parties): boolean =>
  partyTo(order, user) !== undefined;

/** The change of status that this person may make, or nothing. */
export function allowedTransition(
  user: Reader,
  order: Parties & { status: OrderStatus },
  to: OrderStatus,
): Transition | undefined {
  const party = partyTo(order, user);
  return party && findTransition(order.status, to, party);
}

/** A farm without a profile yet offers pickup and no delivery. */
export const offers = (
  farm: { acceptsPickup: boolean; acceptsDelivery: boolean } | null,
  way: 'pickup' | 'delivery',
): boolean => (way === 'pickup' ? (farm?.acceptsPickup ?? true) : (farm?.acceptsDelivery ?? false));
