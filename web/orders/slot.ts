import { slotOf } from '#contract/constants/slot';
import type { Order } from '#contract/orders';

/** Compares orders by day, time and id, as the server orders its list. */
export function bySlot(one: Order, other: Order): number {
  const [a, b] = [slotOf(one), slotOf(other)];
  return compare(a.date, b.date) || compare(a.time, b.time) || compare(one._id, other._id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
