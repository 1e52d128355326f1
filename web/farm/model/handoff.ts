import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Handoff, Opening } from '#contract/farm/farmers/farmers';
import {
  type DayRules,
  isBefore,
  isBrought,
  keepsDays,
  nextPossibleDay,
  type PossibleWallDay,
  type WallMoment,
} from '#contract/farm/schedule/constants';
import { formatDistance } from '#contract/platform/quantities/constants/quantities';
import { listOf } from '#contract/platform/text/constants/formats';
import { isolate } from '#contract/platform/text/constants/reader';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import {
  addDays,
  clockMs,
  dayIn,
  formatNearDay,
  formatWallDate,
  formatWallTime,
  wallClockIn,
} from '#contract/platform/time/constants';

/** From this many days in a row on, a range is shorter than a list: 'Mon–Wed'. */
const RANGE_MIN_DAYS = 3;
/** With more different hours than this, only the days fit into a sentence. */
const MAX_HOURS = 2;

/** Returns the name of a weekday, 'Saturday', or a short one, 'Sat'. */
export const weekdayName = (
  day: Weekday,
  style: 'weekdayName' | 'weekdayShort' = 'weekdayName',
): string => formatWallDate(addDays(A_MONDAY, WEEKDAYS.indexOf(day)), style);

const A_MONDAY = '2024-01-01';

/** Returns weekdays in one phrase: 'Sat', 'Tue, Thu', 'Mon–Fri', 'every day'. Empty for none. */
export function formatDays(days: readonly Weekday[]): string {
  const open = WEEKDAYS.map((day) => days.includes(day));
  if (open.every(Boolean)) return t('every day');
  const parts: string[] = [];
  for (let first = 0; first < WEEKDAYS.length; first++) {
    if (!open[first]) continue;
    let last = first;
    while (open[last + 1]) last += 1;
    const run = WEEKDAYS.slice(first, last + 1).map((day) => weekdayName(day, 'weekdayShort'));
    if (run.length >= RANGE_MIN_DAYS) parts.push(`${run[0]}–${run.at(-1)}`);
    else parts.push(...run);
    first = last;
  }
  return listOf(parts, 'unit');
}

/**
 * Returns a wall-clock time without empty minutes: `14:30` is '2:30' and ' PM', `08:00` is '8' and ' AM'. By a clock of
 * 24 hours it is '14:30' and nothing.
 */
function clock(time: string): { text: string; half: string } {
  const [, text = '', half = ''] = /^(.+?)(\s[ap]\.?m\.?)?$/i.exec(formatWallTime(time)) ?? [];
  return half === ''
    ? { text, half }
    : { text: text.replace(/:00$/, ''), half: half.replace(/^\s/, ' ') };
}

/** Returns opening hours in one phrase: '8 AM–2 PM', '3–6 PM', '6 PM to midnight', 'all day'. */
export function formatHours({ open, close }: Pick<Opening, 'open' | 'close'>): string {
  if (open === close) return t('all day');
  const [from, to] = [clock(open), clock(close)];
  if (close === '00:00') return t('{start} to midnight', { start: from.text + from.half });
  // '6 PM–2 PM' on the next day must not look like two hours.
  const isSameHalf = from.half === to.half && open < close;
  return `${from.text}${isSameHalf ? '' : from.half}–${to.text}${to.half}`;
}

const allDays = (handoff: Handoff): Weekday[] => handoff.openings.flatMap(({ days }) => days);

/** Returns the days with their hours: 'Tue, Thu 3–6 PM and Sat 8 AM–2 PM'. Empty for none. */
export function formatOpenings(handoff: Handoff): string {
  const { openings } = handoff;
  if (openings.length > MAX_HOURS) return formatDays(allDays(handoff));
  return listOf(
    openings.map((opening) => `${formatDays(opening.days)} ${isolate(formatHours(opening))}`),
  );
}

/** Returns 'Delivery up to 40 km', or undefined if the farm offers none. */
export function deliverySentence({ delivery, deliveryRadius }: Handoff): string | undefined {
  if (!delivery) return undefined;
  return deliveryRadius
    ? t('Delivery up to {distance}', { distance: formatDistance(deliveryRadius) })
    : t('Delivery');
}

/** What is said of a farm that offers neither pickup nor delivery. */
export const NO_HANDOFF = msg('No pickup or delivery at the moment');

/**
 * Returns when and how the goods of a farm can be had, in one line: 'Pickup Sat 8 AM–2 PM · Delivery up to 40 km'.
 */
export function handoffSentence(handoff: Handoff): string {
  const times = formatOpenings(handoff);
  const pickup = times === '' ? t('Pickup') : t('Pickup {times}', { times });
  const ways = [handoff.pickup && pickup, deliverySentence(handoff)];
  return ways.filter(Boolean).join(' · ') || writeMessage(NO_HANDOFF);
}

/** Returns the rules of a farm's days that its handoff has. */
export const dayRulesOf = ({ openings, cutoff, closedDays, bookableDays }: Handoff): DayRules => ({
  openings,
  cutoff: cutoff ?? null,
  closedDays: closedDays ?? [],
  bookableDays,
});

/** Returns whether a farm can still bring goods with this last day, as {@link isBrought} has it; where no farm is known it may. */
export const canBring = (
  handoff: Handoff | undefined,
  lastDay: string | null,
  now: Date | number = clockMs(),
): boolean =>
  !handoff ||
  isBrought({ ...handoff, ...dayRulesOf(handoff) }, lastDay, wallClockIn(handoff.timeZone, now));

/**
 * Returns from when on a farm that takes no orders takes them again: 'Takes orders again from Sat 8 AM'. Undefined while
 * it takes them.
 */
export function pauseSentence(
  handoff: Pick<Handoff, 'pausedUntil' | 'timeZone'> | undefined,
  now: Date | number = clockMs(),
): string | undefined {
  const end = Date.parse(handoff?.pausedUntil ?? '');
  if (!handoff || !(end > Number(now))) return undefined;
  const { timeZone } = handoff;
  const moment = formatMoment(wallClockIn(timeZone, end), dayIn(timeZone, now));
  return t('Takes orders again from {moment}', { moment });
}

/** The next day for which one can order, and the town of the place where one picks up then. */
type NextHandoff = PossibleWallDay & { town?: string };

/**
 * Returns the next day for which one can order, by the farm's clock: without closed days, and until its
 * cut-off or closing time; of several pickup places at the first to open. Undefined if the farm lists no hours and has
 * no cut-off, or none comes soon, or by `lastDay`.
 */
export function nextHandoff(
  handoff: Handoff,
  now: Date | number = clockMs(),
  lastDay: string | null = null,
): NextHandoff | undefined {
  const rules = dayRulesOf(handoff);
  const clock = wallClockIn(handoff.timeZone, now);
  const { places = [rules] } = handoff;
  return places
    .flatMap(({ openings, ...place }): NextHandoff[] => {
      const at = { ...rules, openings };
      const next = keepsDays(at) && nextPossibleDay(at, clock);
      return next && (!lastDay || next.date <= lastDay)
        ? [{ ...next, ...('town' in place && { town: place.town }) }]
        : [];
    })
    .sort((one, other) => (`${one.date}${one.open}` < `${other.date}${other.open}` ? -1 : 1))[0];
}

/** Returns a day and time for the middle of a sentence: 'Fri 6 PM', '6 PM today'. `today` is the day at the same clock. */
export function formatMoment({ date, time }: WallMoment, today: string): string {
  const { text, half } = clock(time);
  const near = nearnessOf(date, today);
  const written = `${text}${half}`;
  if (near === 'today') return t('{time} today', { time: written });
  if (near === 'tomorrow') return t('{time} tomorrow', { time: written });
  return `${formatNearDay(date, today)} ${isolate(written)}`;
}

const nearnessOf = (date: string, today: string): 'today' | 'tomorrow' | undefined =>
  date === today ? 'today' : date === addDays(today, 1) ? 'tomorrow' : undefined;

/**
 * Returns when goods can be had next and until when to order, in one line: 'Next pickup Sat 8 AM–2 PM, order
 * until Fri 6 PM'; of several places '3 places, next: Islamabad, Thu 4 PM'. Undefined where {@link nextHandoff} is, and for a farm that offers neither way.
 */
export function nextHandoffSentence(
  handoff: Handoff,
  now: Date | number = clockMs(),
  lastDay: string | null = null,
): string | undefined {
  const next = nextHandoff(handoff, now, lastDay);
  if (!next || (!handoff.pickup && !handoff.delivery)) return undefined;
  const brief = briefOf(next, handoff, now);
  const { date, close, until } = next;
  const isLimited = handoff.cutoff != null && !(until.date === date && until.time === close);
  if (!isLimited) return brief;
  return t('{next}, order until {moment}', {
    next: brief,
    moment: formatMoment(until, wallClockIn(handoff.timeZone, now).date),
  });
}

function briefOf(next: NextHandoff, handoff: Handoff, now: Date | number): string {
  const { town } = next;
  const count = handoff.places?.length ?? 0;
  if (count > 1 && town !== undefined) {
    const when = startOf(next, handoff, now);
    return t('{count, plural, other {# places}}, next: {town}, {when}', { count, town, when });
  }
  const when = formatWhen(next, wallClockIn(handoff.timeZone, now).date);
  return handoff.pickup ? t('Next pickup {when}', { when }) : t('Next delivery {when}', { when });
}

/** Returns when a day begins: 'Sat 8 AM'; once it has begun until when it goes on, 'today 8 AM–2 PM'. */
function startOf(next: PossibleWallDay, { timeZone }: Handoff, now: Date | number): string {
  const clock = wallClockIn(timeZone, now);
  const { date, open } = next;
  return open !== null && isBefore(clock, { date, time: open })
    ? formatMoment({ date, time: open }, clock.date)
    : formatWhen(next, clock.date);
}

/**
 * Returns what a small card says of how goods can be had, `when` as short as can be, 'Sat 8 AM', and `brief` in a
 * sentence: 'Next pickup Sat 8 AM–2 PM', '3 places, next: Islamabad, Thu 4 PM'; and the town of the next pickup, where
 * that is at a place.
 */
export function handoffAtAGlance(
  handoff: Handoff,
  now: Date | number = clockMs(),
  lastDay: string | null = null,
): { when: string; brief: string; town?: string | undefined } {
  const { pickup, delivery } = handoff;
  const next = pickup || delivery ? nextHandoff(handoff, now, lastDay) : undefined;
  if (next) {
    const { town } = next;
    const when = startOf(next, handoff, now);
    const brief = briefOf(next, handoff, now);
    return { when: pickup ? when : t('Delivery {when}', { when }), brief, town };
  }
  const way = pickup ? t('Pickup') : delivery ? t('Delivery') : writeMessage(NO_HANDOFF);
  return { when: way, brief: way, town: handoff.places?.[0]?.town };
}

/** Returns a day with its hours for the middle of a sentence: 'today 8 AM–2 PM', 'Sat 8 AM–2 PM', 'tomorrow'. */
export function formatWhen({ date, open, close }: PossibleWallDay, today: string): string {
  const near = nearnessOf(date, today);
  if (open === null || close === null) {
    if (near === undefined) return formatNearDay(date, today);
    return near === 'today' ? t('today') : t('tomorrow');
  }
  const hours = formatHours({ open, close });
  if (near === 'today') return t('today {hours}', { hours });
  if (near === 'tomorrow') return t('tomorrow {hours}', { hours });
  return `${formatNearDay(date, today)} ${isolate(hours)}`;
}
