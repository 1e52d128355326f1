import { WEEKDAYS } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import { REMAINING_SHOWN_MAX, type SlotState } from '#contract/farm/slots/constants';
import type { OfferedSlot } from '#contract/farm/slots/slots';
import { addDays, wallClockIn } from '#contract/platform/time/constants';
import { clockShows, minutesOf, timeAt } from '#contract/platform/time/constants/clock';
import { instantOf } from '../../platform/time/clock.ts';

/** Hours of a weekday at a place; 0 is Monday. */
export interface Hours {
  weekday: number;
  from: string;
  to: string;
  slotMinutes: number;
  capacity: number | null;
}

/** A slot as hours make it. */
export interface SlotTimes {
  date: string;
  from: string;
  to: string;
  startsAt: Date;
  endsAt: Date;
  capacity: number | null;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/**
 * Returns the slots that hours make on so many days from `first` on, by the farm's clock. In the night that
 * skips an hour those are left out whose start no clock shows, or that would be over at once.
 */
export function slotsOf(
  hours: readonly Hours[],
  { first, days }: { first: string; days: number },
  timeZone: string,
): SlotTimes[] {
  if (hours.length === 0) return [];
  return Array.from({ length: days }, (_, index) => addDays(first, index)).flatMap((date) => {
    const weekday = WEEKDAYS.indexOf(weekdayOf(date));
    const today = hours.filter((each) => each.weekday === weekday);
    if (today.length === 0) return [];
    const instantAt = clockOf(date, timeZone);
    return today.flatMap(({ from, to, slotMinutes, capacity }) => {
      const slots: SlotTimes[] = [];
      const end = minutesOf(to);
      for (let start = minutesOf(from); start + slotMinutes <= end; start += slotMinutes) {
        const startsAt = instantAt(start);
        const endsAt = instantAt(start + slotMinutes);
        if (startsAt === undefined || endsAt === undefined || endsAt <= startsAt) continue;
        slots.push({
          date,
          from: timeAt(start),
          to: timeAt(start + slotMinutes),
          startsAt,
          endsAt,
          capacity,
        });
      }
      return slots;
    });
  });
}

/**
 * Returns a function from a day's minutes to their instant. Nearly every day has 24 hours, and is computed once.
 * Of another day it returns nothing for times that its clock skips; each day has an end, shown or not.
 */
function clockOf(date: string, timeZone: string): (minutes: number) => Date | undefined {
  const midnight = instantOf({ date, time: '00:00' }, timeZone).getTime();
  const next = instantOf({ date: addDays(date, 1), time: '00:00' }, timeZone).getTime();
  if (next - midnight === DAY_MS) return (minutes) => new Date(midnight + minutes * MINUTE_MS);
  return (minutes) => {
    const moment = { date, time: timeAt(minutes) };
    const isShown = minutes === DAY_MINUTES || clockShows(timeZone, moment);
    return isShown ? instantOf(moment, timeZone) : undefined;
  };
}

/** Day and times by a farm's clock; no end where only the start was agreed. */
interface WallTimes {
  date: string;
  from: string;
  to: string | null;
}

/**
 * Returns day and times as the clock of a time zone shows them, and their instants. What a night skips there is the
 * first moment after it; what would end as it begins, or before, keeps its length.
 */
export function shownIn(
  timeZone: string,
  { date, from, to }: WallTimes,
): WallTimes & { startsAt: Date; endsAt: Date | null } {
  const startsAt = instantOf({ date, time: from }, timeZone);
  const start = wallClockIn(timeZone, startsAt);
  const shown = { date: start.date, from: start.time, startsAt };
  if (to === null) return { ...shown, to, endsAt: null };
  const lengthMs = ((minutesOf(to) - minutesOf(from) + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
  const agreed = instantOf({ date, time: to }, timeZone);
  const endsAt = agreed > startsAt ? agreed : new Date(startsAt.getTime() + lengthMs);
  const end = wallClockIn(timeZone, endsAt);
  const midnight = instantOf({ date: start.date, time: '24:00' }, timeZone);
  const isMidnight = endsAt.getTime() === midnight.getTime();
  return { ...shown, to: isMidnight ? '24:00' : end.time, endsAt };
}

/** What is taken of a slot, and of how much. */
export interface Load {
  taken: number;
  capacity: number | null;
}

/** Returns whether a slot takes so many more orders. */
export const hasRoomFor = ({ taken, capacity }: Load, orders: number): boolean =>
  capacity === null || taken + orders <= capacity;

/** Returns how much room a slot has, as everyone may know it: exactly only when there is little. */
export function publicRoom({
  taken,
  capacity,
  state,
}: Load & { state: SlotState }): Pick<OfferedSlot, 'hasLimit' | 'remaining' | 'state'> {
  const left = capacity === null ? null : Math.max(0, capacity - taken);
  return {
    hasLimit: capacity !== null,
    remaining: left !== null && left <= REMAINING_SHOWN_MAX ? left : null,
    state,
  };
}

/** Why a slot takes no order now. */
export type SlotRefusal = 'DAY_CLOSED' | 'CUTOFF_PASSED' | 'SLOT_CLOSED' | 'SLOT_FULL';

/** What {@link refuseSlot} decides on. */
export interface SlotOffer extends Load {
  state: SlotState;
  /** Whether its place offers anything. */
  isPlaceActive: boolean;
  /** Whether the farm's schedule closes its day. */
  isDayClosed: boolean;
  /** Until when consumers can order for it. */
  closesAt: Date;
  startsAt: Date;
}

/**
 * Why a slot takes no more orders now, or nothing. The farm itself may still put orders into a slot that it
 * has closed to consumers or whose cut-off has passed, as long as it has not begun.
 */
export function refuseSlot(
  slot: SlotOffer | null,
  now: Date,
  { orders = 1, isByFarm = false } = {},
): SlotRefusal | undefined {
  if (!slot) return 'SLOT_CLOSED';
  if (slot.isDayClosed) return 'DAY_CLOSED';
  if ((isByFarm ? slot.startsAt : slot.closesAt) <= now) return 'CUTOFF_PASSED';
  if (!slot.isPlaceActive || slot.state === 'cancelled') return 'SLOT_CLOSED';
  if (slot.state === 'closed' && !isByFarm) return 'SLOT_CLOSED';
  return hasRoomFor(slot, orders) ? undefined : 'SLOT_FULL';
}
