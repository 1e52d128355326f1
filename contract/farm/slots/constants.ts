import type { Calls } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, formatDay, formatNearDay } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';

/** The most orders that a limited slot can be given room for. */
export const SLOT_CAPACITY_MAX = 10_000;
/** What a field for the orders of a slot takes. */
export const CAPACITY_LIMITS = { decimals: 0, min: 1, max: SLOT_CAPACITY_MAX };
/** Up to this many free places are shown exactly; beyond it nobody learns how busy a farm is. */
export const REMAINING_SHOWN_MAX = 5;
/**
 * Days for which slots are made from the hours of a place, from today on: however few of them customers can order for.
 */
export const SLOT_DAYS_AHEAD = 92;
/** Most days that one call can ask the slots of. */
export const SLOT_RANGE_MAX_DAYS = 31;

/**
 * The states of a slot: `open` takes orders; `closed` was closed by the farm; `cancelled` is no longer in
 * the hours of its place, and stays because of its orders.
 */
export const SLOT_STATES = ['open', 'closed', 'cancelled'] as const;
export type SlotState = (typeof SLOT_STATES)[number];

export const slotsApi = {
  offered: { method: 'GET', path: '/users/farmers/:id/slots' },
  list: { method: 'GET', path: '/farm/slots' },
  update: { method: 'PUT', path: '/farm/slots/:id' },
} as const satisfies Calls;

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
  isDelivery ? t('Delivery') : t('Pickup');

type Times = Pick<Slot, 'date' | 'time' | 'endTime'>;

/** Formats a slot for a text that is read later too: 'Sat, Nov 28 at 10:00 AM', '… at 10:00–10:30 AM'. */
export const formatSlot = ({ date, time, endTime }: Times, today: string): string =>
  t('{day} at {time}', { day: formatDay(date, today), time: formatWallTimes(time, endTime) });

/** Formats a slot as people say it: 'Tomorrow, 10:00 AM', 'Sat, 10:00–10:30 AM'. */
export const formatNearSlot = ({ date, time, endTime }: Times, today: string): string =>
  t('{day}, {time}', { day: formatNearDay(date, today), time: formatWallTimes(time, endTime) });

/** Returns when a slot is, for a sentence: 'tomorrow at 10:00 AM', 'on Sat, Nov 28 at 10:00 AM'. */
export function slotInSentence(slot: Times, today: string): string {
  const time = formatWallTimes(slot.time, slot.endTime);
  if (slot.date === today) return t('today at {time}', { time });
  if (slot.date === addDays(today, 1)) return t('tomorrow at {time}', { time });
  return t('on {day} at {time}', { day: formatDay(slot.date, today), time });
}

/** How many free slots are named in the place of one that takes no order. */
export const NEAREST_SLOTS_SHOWN = 2;

/** When and where a slot is. */
interface SlotPosition {
  startsAt: string;
  place: { _id: string };
}

/**
 * Returns how to compare slots that may stand in for another one: those of its place come first, on whatever day, and
 * among them the nearest in time. Without a place only the time counts.
 */
export function byNearness(to: { startsAt: string; place?: { _id: string } | undefined }) {
  const distance = ({ startsAt }: SlotPosition) =>
    Math.abs(Date.parse(startsAt) - Date.parse(to.startsAt));
  const isElsewhere = ({ place }: SlotPosition) => Number(place._id !== to.place?._id);
  return (one: SlotPosition, other: SlotPosition): number =>
    isElsewhere(one) - isElsewhere(other) || distance(one) - distance(other);
}
