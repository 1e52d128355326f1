import {
  type Cutoff,
  cutoffFor,
  type DayRules,
  isBookable,
  isWithinHours,
  keepsDays,
  openingOn,
  type PossibleWallDay,
  possibleDays,
  type WallMoment,
} from '#contract/farm/schedule/constants';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { wallClockIn } from '#contract/platform/time/constants';
import { daysAfter, instantOf } from '../../platform/time/wall-clock.ts';

/** What the rules of a farm's days are read from; `openings` are those of its profile. */
export type Schedule = Pick<DayRules, 'cutoff' | 'closedDays'>;

/** Why nothing can be handed over at a moment. */
export type DayProblem =
  /** The farm is closed on this very day. */
  | 'CLOSED_DAY'
  /** The farm is closed on this day of the week. */
  | 'CLOSED_WEEKDAY'
  /** The farm is open on this day, at other times. */
  | 'OUTSIDE_HOURS';

/** Returns whether a farm is closed on this very day, whatever the hours of the farm or of a place say. */
export const isClosedDay = ({ closedDays }: Pick<Schedule, 'closedDays'>, date: string): boolean =>
  closedDays.includes(date);

/** Returns why a farm hands nothing over at a moment of its clock; undefined if it does. */
export function dayProblem(rules: DayRules, moment: WallMoment): DayProblem | undefined {
  if (isClosedDay(rules, moment.date)) return 'CLOSED_DAY';
  if (rules.openings.length === 0) return undefined;
  // Hours that go on after midnight do not begin on a closed day.
  const hasEvening = !isClosedDay(rules, daysAfter(moment.date, -1));
  if (isWithinHours(rules.openings, moment, hasEvening)) return undefined;
  return openingOn(rules.openings, moment.date) ? 'OUTSIDE_HOURS' : 'CLOSED_WEEKDAY';
}

/** Returns the instant at which orders for a day close; null without a cut-off. */
export function cutoffInstant(cutoff: Cutoff | null, date: string, timeZone: string): Date | null {
  return cutoff && instantOf(cutoffFor(cutoff, date), timeZone);
}

/**
 * Returns the last instant, exclusive, at which one can order for a day: its cut-off, or the start of the
 * handover where that is given and comes before it. Null where nothing limits it. Whoever writes an order
 * compares the instant with the clock of the database, in the statement that writes.
 */
export function ordersUntil(
  { cutoff }: Pick<Schedule, 'cutoff'>,
  date: string,
  timeZone: string,
  startsAt?: Date,
): Date | null {
  const limit = cutoffInstant(cutoff, date, timeZone);
  if (!limit || !startsAt) return limit ?? startsAt ?? null;
  return limit < startsAt ? limit : startsAt;
}

/**
 * Returns {@link ordersUntil} for a date and time that the buyer chose freely. A farm that neither lists
 * hours nor has a cut-off takes orders for any time of a day that is not over.
 */
export const freeOrdersUntil = (
  rules: DayRules,
  date: string,
  timeZone: string,
  startsAt: Date,
): Date | null => (keepsDays(rules) ? ordersUntil(rules, date, timeZone, startsAt) : null);

const present = ({ until, ...day }: PossibleWallDay, timeZone: string): PossibleDay => ({
  ...day,
  ordersUntil: instantOf(until, timeZone).toISOString(),
});

/** Returns the days of a range, both ends included, for which one can order `now`. */
export function listPossibleDays(
  rules: DayRules,
  timeZone: string,
  now: Date,
  { from, to }: { from: string; to: string },
): PossibleDay[] {
  const clock = wallClockIn(timeZone, now);
  // Wall clocks repeat or skip an hour, so the instants decide; what was over a day ago is over by both.
  const dayAgo = { ...clock, date: daysAfter(clock.date, -1) };
  const first = from < dayAgo.date ? dayAgo.date : from;
  return possibleDays({ ...rules, bookableDays: undefined }, dayAgo, { from: first, to })
    .filter(({ date }) => isBookable(rules, date, clock.date))
    .map((day) => present(day, timeZone))
    .filter((day) => Date.parse(day.ordersUntil) > now.getTime());
}

/**
 * Returns the first day from `from` on for which one can order `now`; null when there is none within
 * `daysAhead` days.
 */
export function nextPossible(
  rules: DayRules,
  timeZone: string,
  now: Date,
  { from, daysAhead }: { from: string; daysAhead: number },
): PossibleDay | null {
  const range = { from, to: daysAfter(from, daysAhead) };
  return listPossibleDays(rules, timeZone, now, range)[0] ?? null;
}
