import { slotOf } from '#contract/farm/slots/constants';
import { isOpenStatus } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';

/** Compares orders by day, time and id, as the server orders its list. */
export const bySlot = bySlotFrom('');

/**
 * Compares orders by day, time and id from a day on, as the server does: the days before it follow, the latest first.
 */
export function bySlotFrom(firstDay: string): (one: Order, other: Order) => number {
  return (one, other) => {
    const [a, b] = [slotOf(one), slotOf(other)];
    const [isBefore, isOtherBefore] = [a.date < firstDay, b.date < firstDay];
    if (isBefore !== isOtherBefore) return isBefore ? 1 : -1;
    const byDay = isBefore ? compare(b.date, a.date) : compare(a.date, b.date);
    return byDay || compare(a.time, b.time) || compare(one._id, other._id);
  };
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

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns whether the handover still lies ahead, so that a calendar and directions are of use. */
export const isAhead = ({ status }: Pick<Order, 'status'>): boolean => isOpenStatus(status);
