import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Calls } from '#contract/platform/http/constants';
import { addDays } from '#contract/platform/time/constants';

// The days on which a farm hands over its goods, and until when one can order for each. All of it is by the
// farm's wall clock, so the browser can compute it too; only the server turns a cut-off into an instant.

/** A cut-off is at most so many days before the day of the handover. */
export const CUTOFF_DAYS_MAX = 14;
/** Closed days that a farm can list. */
export const CLOSED_DAYS_MAX = 400;
/**
 * How many days ahead customers can order, where the farm says nothing else: eight weeks. A farm says at most a year.
 */
export const BOOKABLE_DAYS = 56;
export const BOOKABLE_DAYS_MAX = 366;
/** How far ahead a closed day can lie, in days. */
export const CLOSED_DAYS_AHEAD_MAX = 731;
/** How many days ahead public answers include closed days, and the next possible day is looked for. */
export const HANDOFF_DAYS_AHEAD = 35;
/** Days that one call about possible days covers. */
export const POSSIBLE_DAYS_MAX = 31;

/** What becomes of orders that are unanswered at their cut-off. */
export const AT_CUTOFF = ['remind', 'accept', 'reject'] as const;
export type AtCutoff = (typeof AT_CUTOFF)[number];

/** Until when one can order for a day: so many days before it, at a time of the farm's clock. */
export interface Cutoff {
  daysBefore: number;
  time: string;
}

/** A day and time of the farm's clock. */
export interface WallMoment {
  date: string;
  time: string;
}

/** Hours that several days of the week share. */
export interface SharedHours {
  days: readonly Weekday[];
  open: string;
  close: string;
}

/** What a farm's days follow from. */
export interface DayRules {
  /** Empty for a farm that lists no hours: it is open on each day, at any time. */
  openings: readonly SharedHours[];
  cutoff: Cutoff | null;
  /** `YYYY-MM-DD`, in any order. */
  closedDays: readonly string[];
  /** How many days ahead one can order; undefined where an older server does not say. */
  bookableDays?: number | undefined;
}

/** A day for which one can still order. */
export interface PossibleWallDay {
  date: string;
  /** Null where the farm lists no hours. */
  open: string | null;
  close: string | null;
  /** The last moment to order for this day, exclusive. */
  until: WallMoment;
}

/** Returns the day of the week of a calendar day. */
export const weekdayOf = (date: string): Weekday =>
  // `getUTCDay` starts with Sunday, WEEKDAYS with Monday.
  WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] as Weekday;

/** Returns the hours of a day of the week by time, closed days aside; none for a day without hours. */
export function openingsOn(openings: readonly SharedHours[], date: string): SharedHours[] {
  const weekday = weekdayOf(date);
  return openings
    .filter(({ days }) => days.includes(weekday))
    .sort((one, other) => (one.open < other.open ? -1 : 1));
}

/** Returns whether hours go on into the next day: until 2 AM, or all day. */
const endsNextDay = ({ open, close }: Pick<SharedHours, 'open' | 'close'>): boolean =>
  close <= open;

/**
 * Returns whether a farm is open at a moment, closed days aside. Hours include the minute at which they end; equal
 * times mean all day, and hours that end before they begin go on after midnight, unless the day before was closed.
 */
export function isWithinHours(
  openings: readonly SharedHours[],
  { date, time }: WallMoment,
  wasOpenYesterday = true,
): boolean {
  const isOpenToday = openingsOn(openings, date).some(
    (hours) =>
      hours.open === hours.close ||
      (time >= hours.open && (endsNextDay(hours) || time <= hours.close)),
  );
  return (
    isOpenToday ||
    (wasOpenYesterday &&
      openingsOn(openings, addDays(date, -1)).some(
        (hours) => hours.open !== hours.close && endsNextDay(hours) && time <= hours.close,
      ))
  );
}

/** Returns the moment at which orders for a day close. */
export const cutoffFor = ({ daysBefore, time }: Cutoff, date: string): WallMoment => ({
  date: addDays(date, -daysBefore),
  time,
});

/** Returns whether one moment is before another one, by the same clock. */
export const isBefore = (one: WallMoment, other: WallMoment): boolean =>
  one.date === other.date ? one.time < other.time : one.date < other.date;

/**
 * Returns whether a farm has days to choose from: it lists hours or has a cut-off. Any other farm takes
 * orders for any date and time, but for its closed days.
 */
export const keepsDays = ({ openings, cutoff }: Pick<DayRules, 'openings' | 'cutoff'>): boolean =>
  openings.length > 0 || cutoff !== null;

/** Returns when a day's handover ends: at closing time, or at midnight where no hours are listed. */
function endOf(date: string, hours: SharedHours | undefined): WallMoment {
  if (!hours || hours.open === hours.close) return { date: addDays(date, 1), time: '00:00' };
  return { date: endsNextDay(hours) ? addDays(date, 1) : date, time: hours.close };
}

/** Returns whether a day is within the days ahead for which one can order `today`, by the farm's clock. */
export const isBookable = (
  { bookableDays }: Pick<DayRules, 'bookableDays'>,
  date: string,
  today: string,
): boolean => bookableDays === undefined || date <= addDays(today, bookableDays);

/** Returns what a day offers to the person who orders `now`; undefined when one cannot order for it. */
export function possibleDay(
  { openings, cutoff, closedDays, bookableDays }: DayRules,
  date: string,
  now: WallMoment,
): PossibleWallDay | undefined {
  if (closedDays.includes(date) || !isBookable({ bookableDays }, date, now.date)) return undefined;
  const hours = openingsOn(openings, date).find((each) => isBefore(now, endOf(date, each)));
  if (openings.length > 0 && !hours) return undefined;
  const end = endOf(date, hours);
  const limit = cutoff && cutoffFor(cutoff, date);
  const until = limit && isBefore(limit, end) ? limit : end;
  if (!isBefore(now, until)) return undefined;
  return { date, open: hours?.open ?? null, close: hours?.close ?? null, until };
}

/** Returns the days from `from` to `to`, both included, for which one can order `now`. */
export function possibleDays(
  rules: DayRules,
  now: WallMoment,
  { from, to }: { from: string; to: string },
): PossibleWallDay[] {
  const days: PossibleWallDay[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const day = possibleDay(rules, date, now);
    if (day) days.push(day);
  }
  return days;
}

/**
 * Returns the first day for which one can order `now`, at `from` at the earliest; undefined when there is
 * none within {@link HANDOFF_DAYS_AHEAD} days.
 */
export function nextPossibleDay(
  rules: DayRules,
  now: WallMoment,
  from = now.date,
): PossibleWallDay | undefined {
  for (let ahead = 0; ahead <= HANDOFF_DAYS_AHEAD; ahead++) {
    const day = possibleDay(rules, addDays(from, ahead), now);
    if (day) return day;
  }
  return undefined;
}

/** A farm's days, and by which ways its goods reach their consumer. */
export interface Ways extends DayRules {
  pickup: boolean;
  delivery: boolean;
  /** The farm's own hours, where `openings` are those of its places: every pickup is in a slot there then. */
  ownOpenings?: readonly SharedHours[] | undefined;
}

/** Returns whether one can order `now` for some time of a day that one chooses freely, also for hours of the night before. */
function hasFreeTime(rules: DayRules, date: string, now: WallMoment): boolean {
  const { openings, cutoff, closedDays } = rules;
  if (closedDays.includes(date) || !isBookable(rules, date, now.date)) return false;
  if (cutoff && !isBefore(now, cutoffFor(cutoff, date))) return false;
  const yesterday = addDays(date, -1);
  const hoursOn = (day: string) => openings.filter(({ days }) => days.includes(weekdayOf(day)));
  // Of each of the hours the last time of the day; without any it is that of the day, and without a cut-off the day itself.
  const times = [
    ...(openings.length === 0 ? [cutoff ? '23:59' : '24:00'] : []),
    ...hoursOn(date).map((hours) => (endsNextDay(hours) ? '23:59' : hours.close)),
    ...(closedDays.includes(yesterday) ? [] : hoursOn(yesterday))
      .filter(({ open, close }) => close < open)
      .map(({ close }) => close),
  ];
  return times.some((time) => isBefore(now, { date, time }));
}

/**
 * Returns whether goods can be ordered `now` at all: by a way of their farm, for a day that is not after their `lastDay`
 * (null for none). What this refuses no order brings, whatever it asks for; of slots it does not know which are full.
 */
export function isBrought(ways: Ways, lastDay: string | null, now: WallMoment): boolean {
  const { pickup, delivery, ownOpenings, bookableDays = BOOKABLE_DAYS_MAX } = ways;
  const own = { ...ways, openings: ownOpenings ?? ways.openings };
  const isFree = delivery || (pickup && !ownOpenings);
  const last = addDays(now.date, bookableDays);
  for (let { date } = now; date <= last && !(lastDay && lastDay < date); date = addDays(date, 1)) {
    if (isFree && hasFreeTime(own, date, now)) return true;
    if (pickup && ownOpenings && possibleDay(ways, date, now)) return true;
  }
  return false;
}

export const scheduleApi = {
  own: { method: 'GET', path: '/farm/schedule' },
  update: { method: 'PUT', path: '/farm/schedule' },
  days: { method: 'GET', path: '/users/farmers/:id/days' },
} as const satisfies Calls;
