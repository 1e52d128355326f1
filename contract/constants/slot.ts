import { addDays, formatDay, formatNearDay, formatWallTime } from '#contract/constants/days';

/** When and how an order is handed over: day and time are the farm's wall clock. */
export type Slot = { date: string; time: string; isDelivery: boolean };

type Moment = { date: string; time: string };

/** Returns when and how an order is handed over. */
export function slotOf({
  pickupDetails,
  deliveryDetails,
}: {
  pickupDetails?: Moment | undefined;
  deliveryDetails?: Moment | undefined;
}): Slot {
  const { date = '', time = '' } = pickupDetails ?? deliveryDetails ?? {};
  return { date, time, isDelivery: deliveryDetails !== undefined };
}

/** Returns how the goods change hands: 'Pickup' or 'Delivery'. */
export const wayOf = ({ isDelivery }: Pick<Slot, 'isDelivery'>): string =>
  isDelivery ? 'Delivery' : 'Pickup';

/** Formats a slot for a text that is read later too: 'Sat, Nov 28 at 10:00 AM'. */
export const formatSlot = ({ date, time }: Slot, today: string): string =>
  `${formatDay(date, today)} at ${formatWallTime(time)}`;

/** Formats a slot as people say it: 'Tomorrow, 10:00 AM', 'Sat, 10:00 AM'. */
export const formatNearSlot = ({ date, time }: Slot, today: string): string =>
  `${formatNearDay(date, today)}, ${formatWallTime(time)}`;

/** Returns when a slot is, for a sentence: 'tomorrow at 10:00 AM', 'on Sat, Nov 28 at 10:00 AM'. */
export function slotInSentence(slot: Slot, today: string): string {
  const time = formatWallTime(slot.time);
  if (slot.date === today) return `today at ${time}`;
  if (slot.date === addDays(today, 1)) return `tomorrow at ${time}`;
  return `on ${formatSlot(slot, today)}`;
}
