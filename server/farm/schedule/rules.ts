import {
  BOOKABLE_DAYS,
  type Cutoff,
  cutoffFor,
  type DayRules,
  HANDOFF_DAYS_AHEAD,
  isBefore,
  isBookable,
  isWithinHours,
  keepsDays,
  openingsOn,
  type PossibleWallDay,
  possibleDays,
  type WallMoment,
  weekdayOf,
} from '#contract/farm/schedule/constants';
import type { PossibleDay } from '#contract/farm/schedule/schedule';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { type Message, msg, t } from '#contract/platform/text/constants/texts';
import { addDays, formatDay, formatWallTime, wallClockIn } from '#contract/platform/time/constants';
import { clockShows, formatWallTimes, isMidnight } from '#contract/platform/time/constants/clock';
import type { Transaction } from '../../../prisma/client.ts';
import { AppError } from '../../platform/http/errors.ts';
import { currentRequestId } from '../../platform/process/request-context.ts';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';

/** What the rules of a farm's days are read from; `openings` are those of its profile. */
export type Schedule = Pick<DayRules, 'cutoff' | 'closedDays'>;

/** Why nothing can be handed over at a moment. */
type DayProblem =
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
  return openingsOn(rules.openings, moment.date).length > 0 ? 'OUTSIDE_HOURS' : 'CLOSED_WEEKDAY';
}

/** Returns the instant at which orders for a day close; null without a cut-off. */
export function cutoffInstant(cutoff: Cutoff | null, date: string, timeZone: string): Date | null {
  return cutoff && instantOf(cutoffFor(cutoff, date), timeZone);
}

/**
 * Returns the last instant, exclusive, at which one can order for a day: its cut-off, or the start of the
 * handover where that is given and comes before it. Null where nothing limits it. Anyone who writes an order
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
 * Returns {@link ordersUntil} for a date and time that the consumer chose freely. A farm that neither lists
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

/**
 * Returns why nobody can order `today` for a day, as a sentence, where it is further ahead than the farm takes orders.
 */
export function refuseFarDay(rules: DayRules, date: string, today: string): Message | undefined {
  if (isBookable(rules, date, today)) return undefined;
  const { bookableDays = BOOKABLE_DAYS } = rules;
  return msg(
    'This farm takes orders {ahead, plural, one {one day} other {# days}} ahead, until {last}. Choose an earlier day.',
    { ahead: bookableDays, last: formatDay(addDays(today, bookableDays), today) },
  );
}

/** Returns why an order cannot be for a time, as a sentence, where the farm's clock skips it. */
export const refuseSkipped = (timeZone: string, moment: WallMoment): Message | undefined =>
  clockShows(timeZone, moment)
    ? undefined
    : msg('The clock goes forward that night and skips this time. Choose another time.');

/** Why an order cannot be for the moment it asks for. */
export interface MomentRefusal {
  code: 'DAY_CLOSED' | 'CUTOFF_PASSED';
  message: Message;
  field: 'date' | 'time';
  /** The first day from the one asked for on for which one can order; null when there is none soon. */
  next: PossibleDay | null;
}

/** What an order asks for, and what the farm's rules make of it. */
interface MomentInput {
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
  const hours = openingsOn(rules.openings, date);
  const refuse = (message: Message, field: MomentRefusal['field'] = 'date'): MomentRefusal => ({
    code: 'DAY_CLOSED',
    message,
    field,
    next,
  });
  const [first] = hours;
  if (problem === 'OUTSIDE_HOURS' && first) {
    const to = isMidnight(first.close) ? t('until|midnight') : formatWallTime(first.close);
    return refuse(
      hours.length === 1
        ? msg('On {day} the farm is open from {from} to {to}. Choose a time in between.', {
            day,
            from: formatWallTime(first.open),
            to,
          })
        : msg('On {day} the farm is open {hours}. Choose a time within these hours.', {
            day,
            hours: listOf(hours.map(({ open, close }) => isolate(formatWallTimes(open, close)))),
          }),
      'time',
    );
  }
  const nextDay = nextDayOf(next, timeZone, now);
  return refuse(
    problem === 'CLOSED_DAY'
      ? msg(
          'The farm is closed on {day}. {next, select, none {Ask the farm when it is open again.} other {The next possible day is {next}.}}',
          { day, next: nextDay },
        )
      : msg(
          'The farm is closed on {weekday, select, monday {Mondays} tuesday {Tuesdays} wednesday {Wednesdays} thursday {Thursdays} friday {Fridays} saturday {Saturdays} other {Sundays}}. {next, select, none {Ask the farm when it is open again.} other {The next possible day is {next}.}}',
          { weekday: weekdayOf(date), next: nextDay },
        ),
  );
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
      message: msg('It is {time} at the farm already. Choose a later time.', {
        time: formatWallTime(clock.time),
      }),
      field: 'time',
    };
  }
  const day = formatDay(date, clock.date);
  const nextDay = nextDayOf(next, timeZone, now);
  return {
    message: limit
      ? msg(
          'Orders for {day} closed on {closedOn} at {time}. {next, select, none {Ask the farm when it is open again.} other {The next possible day is {next}.}}',
          {
            day,
            closedOn: formatDay(limit.date, clock.date),
            time: formatWallTime(limit.time),
            next: nextDay,
          },
        )
      : msg(
          'Orders for {day} closed. {next, select, none {Ask the farm when it is open again.} other {The next possible day is {next}.}}',
          { day, next: nextDay },
        ),
    field: 'date',
  };
}

const nextFrom = (rules: DayRules, timeZone: string, now: Date, from: string): PossibleDay | null =>
  nextPossible(rules, timeZone, now, { from, daysAhead: HANDOFF_DAYS_AHEAD });

/** Returns the next possible day as a sentence names it, or `none`. */
const nextDayOf = (next: PossibleDay | null, timeZone: string, now: Date): string =>
  next ? formatDay(next.date, wallClockIn(timeZone, now).date) : 'none';

/** Returns the answer to an order for a moment at which it cannot be. `path` is where its moment stands. */
export const momentRefused = (
  { code, message, field, next }: MomentRefusal,
  path: 'pickupDetails' | 'deliveryDetails',
): AppError =>
  new AppError(409, code, message, {
    errors: [{ path: `${path}.${field}`, message }],
    data: { next },
  });

/** The kind of the timers that look at unanswered orders when their cut-off comes. */
export const CUTOFF_TIMER = 'order.cutoff';

/** Returns the key of the timer of a farm's day, or of one that an order of that day has for itself. */
export const cutoffTimerKey = (
  farmId: string,
  date: string,
  orderId?: string,
): `${typeof CUTOFF_TIMER}:${string}` =>
  `${CUTOFF_TIMER}:${farmId}:${date}${orderId === undefined ? '' : `:${orderId}`}`;

/** Returns the farm, the day and the order that a timer's key names. @throws Error for a key of another form */
export function readCutoffTimerKey(key: string): {
  farmId: string;
  date: string;
  orderId: string | undefined;
} {
  const [kind, farmId, date, orderId] = key.split(':');
  if (kind !== CUTOFF_TIMER || !farmId || !date)
    throw new Error(`Not the key of a cut-off: ${key}`);
  return { farmId, date, orderId };
}

interface WaitingDay {
  farmId: string;
  /** Null in both or neither. */
  daysBefore: number | null;
  time: string | null;
  timeZone: string;
  date: string;
}

// $1 the farms. Orders whose handover has begun are left to people; no timer has a year of five digits.
const WAITING = `SELECT o.farmer_id AS "farmId", farm.cutoff_days_before AS "daysBefore",
    farm.cutoff_time AS time, farm.time_zone AS "timeZone", o.date::text AS date
  FROM orders o JOIN farmer_profiles farm ON farm.user_id = o.farmer_id
  WHERE o.farmer_id = ANY ($1::uuid[]) AND o.status = 'pending' AND o.starts_at > now()
    AND o.date < '3000-01-01'
  GROUP BY o.farmer_id, farm.user_id, o.date`;

// $1 the timers, $2 the request's id. One that has run at this very time has nothing more to do.
const SET = `INSERT INTO timers (key, kind, due_at, request_id)
  SELECT key, '${CUTOFF_TIMER}', "dueAt", $2
  FROM json_to_recordset($1::json) AS timer (key text, "dueAt" timestamptz(3))
  ORDER BY key
  ON CONFLICT (key) DO UPDATE SET kind = EXCLUDED.kind, due_at = EXCLUDED.due_at, done_at = NULL,
    attempts = 0, error = NULL, request_id = EXCLUDED.request_id
  WHERE timers.due_at <> EXCLUDED.due_at`;

/**
 * Moves the timers of all days with pending orders to their cut-off. Call it in the transaction that changes
 * the cut-off or the time zone, once the farms' rows are locked and before any order is. A zone that is not
 * written yet is given. Timers without a cut-off stay: they find nothing to do.
 */
export async function moveCutoffTimers(
  tx: Transaction,
  farmIds: string | readonly string[],
  newTimeZone?: string,
): Promise<void> {
  const days = await tx.$queryRawUnsafe<WaitingDay[]>(WAITING, [farmIds].flat());
  const timers = days.flatMap(({ farmId, daysBefore, time, timeZone, date }) => {
    const cutoff: Cutoff | null =
      daysBefore === null || time === null ? null : { daysBefore, time };
    const dueAt = cutoffInstant(cutoff, date, newTimeZone ?? timeZone);
    return dueAt ? [{ key: cutoffTimerKey(farmId, date), dueAt }] : [];
  });
  if (timers.length === 0) return;
  await tx.$executeRawUnsafe(SET, JSON.stringify(timers), currentRequestId() ?? null);
}
