import {
  BOOKABLE_DAYS,
  cutoffFor,
  type DayRules,
  HANDOFF_DAYS_AHEAD,
  isBefore,
  isBookable,
  openingOn,
  type WallMoment,
  weekdayOf,
} from '#contract/farm/schedule/constants';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import {
  addDays,
  clockShows,
  formatDay,
  formatWallTime,
  wallClockIn,
} from '#contract/platform/time/constants';
import { AppError } from '../../platform/http/errors.ts';
import { dayProblem, freeOrdersUntil, nextPossible } from './rules.ts';

/** Returns why nobody can order `today` for a day, as a sentence, where it is further ahead than the farm takes orders. */
export function refuseFarDay(rules: DayRules, date: string, today: string): string | undefined {
  if (isBookable(rules, date, today)) return undefined;
  const { bookableDays = BOOKABLE_DAYS } = rules;
  const ahead = bookableDays === 1 ? 'one day' : `${bookableDays} days`;
  const last = formatDay(addDays(today, bookableDays), today);
  return `This farm takes orders ${ahead} ahead, until ${last}. Choose an earlier day.`;
}

/** Returns why an order cannot be for a time, as a sentence, where the farm's clock skips it. */
export const refuseSkipped = (timeZone: string, moment: WallMoment): string | undefined =>
  clockShows(timeZone, moment)
    ? undefined
    : 'The clock goes forward that night and skips this time. Choose another time.';

/** Why an order cannot be for the moment it asks for. */
export interface MomentRefusal {
  code: 'DAY_CLOSED' | 'CUTOFF_PASSED';
  message: string;
  field: 'date' | 'time';
  /** The first day from the one asked for on for which one can order; null when there is none soon. */
  next: PossibleDay | null;
}

/** What an order asks for, and what the farm's rules make of it. */
export interface MomentInput {
  rules: DayRules;
  timeZone: string;
  now: Date;
  /** By the farm's clock. */
  moment: WallMoment;
  startsAt: Date;
}

/**
 * Returns why nobody can order `now` for a moment that was chosen freely; undefined if one can. A closed day
 * comes before hours, and both before the cut-off.
 */
export function refuseMoment(input: MomentInput): MomentRefusal | undefined {
  return refuseDay(input) ?? refuseLateOrder(input);
}

function refuseDay({ rules, timeZone, now, moment }: MomentInput): MomentRefusal | undefined {
  const problem = dayProblem(rules, moment);
  if (!problem) return undefined;
  const { date } = moment;
  const next = nextFrom(rules, timeZone, now, date);
  const day = formatDay(date, wallClockIn(timeZone, now).date);
  const weekday = weekdayOf(date);
  const hours = openingOn(rules.openings, date);
  const refuse = (message: string, field: MomentRefusal['field'] = 'date'): MomentRefusal => ({
    code: 'DAY_CLOSED',
    message,
    field,
    next,
  });
  if (problem === 'OUTSIDE_HOURS' && hours) {
    const [from, to] = [formatWallTime(hours.open), formatWallTime(hours.close)];
    return refuse(
      `On ${day} the farm is open from ${from} to ${to}. Choose a time in between.`,
      'time',
    );
  }
  const closed =
    problem === 'CLOSED_DAY'
      ? `The farm is closed on ${day}.`
      : `The farm is closed on ${weekday.charAt(0).toUpperCase()}${weekday.slice(1)}s.`;
  return refuse(withNext(closed, next, timeZone, now));
}

function refuseLateOrder(input: MomentInput): MomentRefusal | undefined {
  const { rules, timeZone, now, moment, startsAt } = input;
  const until = freeOrdersUntil(rules, moment.date, timeZone, startsAt);
  if (!until || now < until) return undefined;
  const next = nextFrom(rules, timeZone, now, moment.date);
  return { code: 'CUTOFF_PASSED', next, ...wordsForLate(input, next) };
}

function wordsForLate(
  { rules: { cutoff }, timeZone, now, moment: { date }, startsAt }: MomentInput,
  next: PossibleDay | null,
): Pick<MomentRefusal, 'message' | 'field'> {
  const clock = wallClockIn(timeZone, now);
  const limit = cutoff && cutoffFor(cutoff, date);
  const isOver = startsAt <= now && !(limit && !isBefore(clock, limit));
  if (isOver) {
    return {
      message: `It is ${formatWallTime(clock.time)} at the farm already. Choose a later time.`,
      field: 'time',
    };
  }
  return {
    message: withNext(
      `Orders for ${formatDay(date, clock.date)} closed${limit ? ` on ${formatDay(limit.date, clock.date)} at ${formatWallTime(limit.time)}` : ''}.`,
      next,
      timeZone,
      now,
    ),
    field: 'date',
  };
}

const nextFrom = (rules: DayRules, timeZone: string, now: Date, from: string): PossibleDay | null =>
  nextPossible(rules, timeZone, now, { from, daysAhead: HANDOFF_DAYS_AHEAD });

function withNext(sentence: string, next: PossibleDay | null, timeZone: string, now: Date): string {
  if (!next) return `${sentence} Ask the farm when it is open again.`;
  const today = wallClockIn(timeZone, now).date;
  return `${sentence} The next possible day is ${formatDay(next.date, today)}.`;
}

/** Returns the answer to an order for a moment at which it cannot be. `path` is where its moment stands. */
export const momentRefused = (
  { code, message, field, next }: MomentRefusal,
  path: 'pickupDetails' | 'deliveryDetails',
): AppError =>
  new AppError(409, code, message, {
    errors: [{ path: `${path}.${field}`, message }],
    data: { next },
  });
