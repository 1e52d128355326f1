import { slotOf } from '#contract/constants/slot';
import type { Order } from '#contract/orders';

/** Compares orders by day, time and id, as the server orders its list. */
export function bySlot(one: Order, other: Order): number {
  const [a, b] = [slotOf(one), slotOf(other)];
  return compare(a.date, b.date) || compare(a.time, b.time) || compare(one._id, other._id);
}

/**
 * Returns whether the day of a handover is over. For a reader whose day began before the farm's it is not, while the
 * time of the handover is still to come.
 */
export function isDayPast(
  order: Pick<Order, 'pickupDetails' | 'deliveryDetails' | 'startsAt' | 'endsAt'>,
  today: string,
  now: number,
): boolean {
  const isToCome = Date.parse(order.endsAt ?? order.startsAt ?? '') > now;
  return slotOf(order).date < today && !isToCome;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
