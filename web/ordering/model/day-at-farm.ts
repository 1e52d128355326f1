import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { localToday } from '../../platform/format/format.ts';
import { useNow } from '../../platform/hooks/use-now.ts';

type Handover = Pick<Order, 'pickupDetails' | 'deliveryDetails' | 'startsAt'>;

const CLOCK_STEP_MS = 60_000;

/**
 * Returns the day that it is at the farm of an order, by which its handover is today or tomorrow: its clock is as far
 * from UTC as the handover's time is from the instant of it. It is the reader's where the instant is not known.
 */
export function dayAtFarm(order: Handover, now: number): string {
  const { date, time } = slotOf(order);
  const offsetMs = Date.parse(`${date}T${time}Z`) - Date.parse(order.startsAt ?? '');
  return Number.isNaN(offsetMs)
    ? localToday(new Date(now))
    : new Date(now + offsetMs).toISOString().slice(0, 10);
}

/** Returns {@link dayAtFarm}, as it is now. */
export const useDayAtFarm = (order: Handover): string => dayAtFarm(order, useNow(CLOCK_STEP_MS));
