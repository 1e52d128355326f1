import {
  addDays,
  formatDay,
  formatNearDay,
  formatWallTimes,
} from '#contract/platform/time/constants/days';

/** When and how an order is handed over: day and times are the farm's wall clock. */
export type Slot = {
  date: string;
  time: string;
  /** When it ends; undefined where only the start was agreed. */
  endTime?: string | undefined;
  /** The name of the farm's pickup place, if it has any. */
  place?: string | undefined;
  isDelivery: boolean;
};

type Moment = {
  date: string;
  time: string;
  endTime?: string | undefined;
  place?: { name: string } | undefined;
};

/** Returns when and how an order is handed over. */
export function slotOf({
  pickupDetails,
  deliveryDetails,
}: {
  pickupDetails?: Moment | undefined;
  deliveryDetails?: Moment | undefined;
}): Slot {
  const { date = '', time = '', endTime, place } = pickupDetails ?? deliveryDetails ?? {};
  return { date, time, endTime, place: place?.name, isDelivery: deliveryDetails !== undefined };
}

/** Returns how the goods change hands: 'Pickup' or 'Delivery'. */
export const wayOf = ({ isDelivery }: Pick<Slot, 'isDelivery'>): string =>
  isDelivery ? 'Delivery' : 'Pickup';

type Times = Pick<Slot, 'date' | 'time' | 'endTime'>;

/** Formats a slot for a text that is read later too: 'Sat, Nov 28 at 10:00 AM', '… at 10:00–10:30 AM'. */
export const formatSlot = ({ date, time, endTime }: Times, today: string): string =>
  `${formatDay(date, today)} at ${formatWallTimes(time, endTime)}`;

/** Formats a slot as people say it: 'Tomorrow, 10:00 AM', 'Sat, 10:00–10:30 AM'. */
export const formatNearSlot = ({ date, time, endTime }: Times, today: string): string =>
  `${formatNearDay(date, today)}, ${formatWallTimes(time, endTime)}`;

/** Returns when a slot is, for a sentence: 'tomorrow at 10:00 AM', 'on Sat, Nov 28 at 10:00 AM'. */
export function slotInSentence(slot: Times, today: string): string {
  const time = formatWallTimes(slot.time, slot.endTime);
  if (slot.date === today) return `today at ${time}`;
  if (slot.date === addDays(today, 1)) return `tomorrow at ${time}`;
  return `on ${formatSlot(slot, today)}`;
}
