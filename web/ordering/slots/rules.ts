import { weekdayOf } from '#contract/farm/schedule/constants';
import { byNearness, NEAREST_SLOTS_SHOWN } from '#contract/farm/slots/constants';
import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import type { Order } from '#contract/ordering/orders/orders';
import { formatAddress } from '#contract/platform/text/constants/addresses';
import { listOf } from '#contract/platform/text/constants/formats';
import { compareNames, sortByName } from '#contract/platform/text/constants/names';
import { isolate } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';
import { fitsGoods, type LastDay } from '../model/last-day.ts';

/** Why a slot cannot be chosen; `free` if it can. */
export type Availability = 'free' | 'full' | 'closed' | 'late';

/** Returns whether a slot can be chosen for so many orders at an instant (milliseconds), and why not. */
export function availabilityOf(
  {
    state,
    closesAt,
    hasLimit,
    remaining,
  }: Pick<OfferedSlot, 'state' | 'closesAt' | 'hasLimit' | 'remaining'>,
  nowMs: number,
  orders = 1,
): Availability {
  if (Date.parse(closesAt) <= nowMs) return 'late';
  if (state !== 'open') return 'closed';
  return hasLimit && remaining !== null && remaining < orders ? 'full' : 'free';
}

/** Returns the few words beside a slot: how many orders it still takes, or why it takes none. */
export function noteOf(slot: OfferedSlot, nowMs: number, orders = 1): string | undefined {
  switch (availabilityOf(slot, nowMs, orders)) {
    case 'closed':
      return t('Closed');
    case 'late':
      return t('Too late');
    case 'full':
      return slot.remaining ? t('Only {count} left', { count: slot.remaining }) : t('Full');
    case 'free':
      return slot.remaining === null ? undefined : t('{count} left', { count: slot.remaining });
  }
}

/** Returns the times of a slot: '10:00–10:30 AM'. */
export const timesOf = ({ from, to }: { from: string; to: string }): string =>
  formatWallTimes(from, to);

type Timed = Pick<OfferedSlot, '_id' | 'startsAt'> & { place: { name: string } };

/** Compares slots by start, place and id. */
export const byStart = (a: Timed, b: Timed): number =>
  Date.parse(a.startsAt) - Date.parse(b.startsAt) ||
  compareNames(a.place.name, b.place.name) ||
  (a._id < b._id ? -1 : 1);

/** Returns the free slots nearest to another one, as {@link byNearness} has it, the nearest first. */
export function nearestFree(
  slots: readonly OfferedSlot[],
  to: Pick<OfferedSlot, '_id' | 'startsAt' | 'place'>,
  nowMs: number,
  orders = 1,
): OfferedSlot[] {
  const nearness = byNearness(to);
  return slots
    .filter((slot) => slot._id !== to._id && availabilityOf(slot, nowMs, orders) === 'free')
    .sort((a, b) => nearness(a, b) || byStart(a, b))
    .slice(0, NEAREST_SLOTS_SHOWN);
}

/** When and where somebody came last time. */
export type UsualSlot = { placeId: string; date: string; from: string };

/**
 * Returns the slot to begin with: the next free one like last time's, as to place, weekday and time as far
 * as there is one; without a last time, or where nothing of that place is free, the first free one.
 */
export function firstChoice(
  slots: readonly OfferedSlot[],
  nowMs: number,
  usual?: UsualSlot,
  orders = 1,
): OfferedSlot | undefined {
  const free = slots.filter((slot) => availabilityOf(slot, nowMs, orders) === 'free').sort(byStart);
  if (!usual) return free[0];
  const there = free.filter(({ place }) => place._id === usual.placeId);
  const sameDay = there.filter(({ date }) => weekdayOf(date) === weekdayOf(usual.date));
  const isSameTime = ({ from }: OfferedSlot) => from === usual.from;
  return sameDay.find(isSameTime) ?? sameDay[0] ?? there.find(isSameTime) ?? there[0] ?? free[0];
}

/** The slots of a day at one place. */
export type Day = {
  date: string;
  slots: OfferedSlot[];
  free: number;
  /** When orders for its free slots close, where that is before any of them begins. */
  closesAt?: string | undefined;
};

/**
 * Returns the days of these slots in order, each with its slots by start. A slot whose time for orders is
 * over, or that is no longer offered, is left out unless it is the one `kept`, so that the choice does not
 * disappear from the screen.
 */
export function daysOf(
  slots: readonly OfferedSlot[],
  nowMs: number,
  kept?: string,
  orders = 1,
): Day[] {
  const days = new Map<string, Day>();
  for (const slot of slots.toSorted(byStart)) {
    const availability = availabilityOf(slot, nowMs, orders);
    const isGone = availability === 'late' || slot.state === 'cancelled';
    if (isGone && slot._id !== kept) continue;
    const day = days.get(slot.date) ?? { date: slot.date, slots: [], free: 0 };
    day.slots.push(slot);
    if (availability === 'free') {
      day.free += 1;
      if (slot.closesAt < slot.startsAt) day.closesAt ??= slot.closesAt;
    }
    days.set(slot.date, day);
  }
  return [...days.values()];
}

/** Returns the places of these slots in the order of their names, each once. */
export function placesOf<Place extends { _id: string; name: string }>(
  slots: readonly { place: Place }[],
): Place[] {
  const places = new Map(slots.map(({ place }) => [place._id, place]));
  return sortByName([...places.values()], ({ name }) => name);
}

/** Returns where a place is, on one line: 'Market square, 1 Main St, Putney'. */
export const placeLine = ({ name, address }: Pick<OfferedSlot['place'], 'name' | 'address'>) =>
  listOf([name, formatAddress(address)].filter(Boolean), 'unit');

/** Returns when and where an order is picked up, as the usual for the next one; undefined without a slot. */
export function usualSlotOf(
  order: Order | undefined,
  slots: readonly OfferedSlot[],
): UsualSlot | undefined {
  const { placeId: known, place, date, time } = order?.pickupDetails ?? {};
  // A place may have another name by now, and one that was created again has another id.
  const found =
    slots.find((slot) => slot.place._id === known) ??
    slots.find((slot) => slot.place.name === place?.name);
  return found && date && time ? { placeId: found.place._id, date, from: time } : undefined;
}

/**
 * Says why the place or the day of the week of somebody's last pickup is not offered this time; undefined where it is,
 * and where they had no slot.
 */
export function whyNotUsual(
  last: Order,
  slots: readonly OfferedSlot[],
  { nowMs, lastDay }: { nowMs: number; lastDay: LastDay | null | undefined },
): string | undefined {
  const { place: lastPlace, date } = last.pickupDetails ?? {};
  if (!lastPlace || !date) return undefined;
  const place = isolate(lastPlace.name);
  const usual = usualSlotOf(last, slots);
  if (!usual)
    return t('{place}, where you picked up last time, has no pickup times now.', { place });
  const there = slots.filter((slot) => slot.place._id === usual.placeId);
  const sameDay = there.filter((slot) => weekdayOf(slot.date) === weekdayOf(date));
  const weekday = formatWallDate(date, 'weekdayName');
  if (sameDay.length === 0)
    return t('{place} has no pickup times now on your usual {weekday}.', { place, weekday });
  const free = sameDay.filter((slot) => availabilityOf(slot, nowMs) === 'free');
  if (free.length === 0)
    return t('At {place} nothing is free on your usual {weekday}.', { place, weekday });
  return lastDay && !free.some((slot) => fitsGoods(slot.date, lastDay))
    ? t('Your usual {weekday} is too late this time. {name} can be had until {day} only.', {
        weekday,
        name: lastDay.name,
        day: formatWallDate(lastDay.day, 'weekday'),
      })
    : undefined;
}

/**
 * Returns a slot of one's own farm as a target for its orders, with the exact room it has: the farm itself
 * may use what it has closed to consumers, and until it begins.
 */
export function asTarget({ taken, capacity, isDayClosed, ...slot }: FarmSlot): OfferedSlot {
  const state = slot.state === 'closed' ? 'open' : slot.state;
  return {
    ...slot,
    closesAt: slot.startsAt,
    state: isDayClosed ? 'closed' : state,
    hasLimit: capacity !== null,
    remaining: capacity === null ? null : Math.max(0, capacity - taken),
  };
}
