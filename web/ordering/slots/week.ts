import { weekdays } from '#contract/farm/farmers/constants';
import { weekdayOf } from '#contract/farm/schedule/constants';
import type { FarmSlot } from '#contract/farm/slots/slots';
import { addDays, formatWallDates } from '#contract/platform/time/constants';
import { byStart, placesOf } from './rules.ts';

/** Returns the seven days of the week of a day, from the day on with which the market's weeks begin. */
export function weekOf(date: string): string[] {
  const first = addDays(date, -weekdays().indexOf(weekdayOf(date)));
  return weekdays().map((_, index) => addDays(first, index));
}

/** Returns a week in words: 'Nov 23 – 29', 'Nov 30 – Dec 6', with the year where it is not this one. */
export function formatWeek(days: readonly string[], today: string): string {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const year = last.slice(0, 4) === today.slice(0, 4) ? '' : `, ${last.slice(0, 4)}`;
  return `${formatWallDates(first, last)}${year}`;
}

/** The slots of one place, by day. */
export type PlaceRow = {
  place: FarmSlot['place'];
  slotsByDay: ReadonlyMap<string, readonly FarmSlot[]>;
};

/** Returns the rows of the grid: the places by name, each with its slots by day and start. */
export function rowsOf(slots: readonly FarmSlot[]): PlaceRow[] {
  const ordered = slots.toSorted(byStart);
  return placesOf(slots).map((place) => {
    const slotsByDay = new Map<string, FarmSlot[]>();
    for (const slot of ordered) {
      if (slot.place._id !== place._id) continue;
      slotsByDay.set(slot.date, [...(slotsByDay.get(slot.date) ?? []), slot]);
    }
    return { place, slotsByDay };
  });
}

/** How full a slot is. */
export type Load = {
  /** '12 / 20'; without a limit '12'. */
  text: string;
  /** Orders beyond the capacity. */
  over: number;
  isFull: boolean;
  /** From 0 to 1; without a limit 0. */
  share: number;
};

/** Returns how full a slot is. */
export function loadOf({ taken, capacity }: Pick<FarmSlot, 'taken' | 'capacity'>): Load {
  if (capacity === null) return { text: String(taken), over: 0, isFull: false, share: 0 };
  return {
    text: `${taken} / ${capacity}`,
    over: Math.max(0, taken - capacity),
    isFull: taken >= capacity,
    share: Math.min(1, taken / capacity),
  };
}

/** Returns why a slot takes no orders, in a word; undefined if it is open. */
export function closedWord({
  state,
  isDayClosed,
}: Pick<FarmSlot, 'state' | 'isDayClosed'>): string | undefined {
  if (state === 'cancelled') return 'Not offered';
  if (isDayClosed) return 'Day closed';
  return state === 'closed' ? 'Closed' : undefined;
}
