import type { Order } from '#contract/ordering/orders/orders';
import { isAhead } from '../detail/next-steps.ts';
import { bySlot, isDayPast } from '../detail/slot.ts';

/** How many orders under way, and how many to order again, the home page shows. */
const MAX_UNDER_WAY = 3;
const MAX_TO_REPEAT = 3;

/** Returns the orders whose handover is still to come, the next one first. */
export function ordersUnderWay(orders: readonly Order[], today: string, now: number): Order[] {
  return orders
    .filter((order) => isAhead(order) && !isDayPast(order, today, now))
    .toSorted(bySlot)
    .slice(0, MAX_UNDER_WAY);
}

/**
 * Returns the orders that a buyer may want again: the latest of each farm, newest first, but for what the
 * farm rejected. Farms whose account was deleted sell nothing.
 */
export function ordersToRepeat(newestFirst: readonly Order[]): Order[] {
  const byFarm = new Map<string, Order>();
  for (const order of newestFirst) {
    if (order.status === 'rejected' || order.farmer.email === '') continue;
    if (!byFarm.has(order.farmer._id)) byFarm.set(order.farmer._id, order);
  }
  return [...byFarm.values()].slice(0, MAX_TO_REPEAT);
}
