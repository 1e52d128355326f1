import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Handoff, Opening } from '#contract/farm/farmers/farmers';
import {
  type DayRules,
  keepsDays,
  nextPossibleDay,
  type PossibleWallDay,
  type WallMoment,
} from '#contract/farm/schedule/constants';
import { formatDistance } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import {
  clockMs,
  formatNearDay,
  formatWallTime,
  midSentence,
  wallClockIn,
} from '#contract/platform/time/constants';
import { capitalized } from '../../platform/format/format.ts';

/** From this many days in a row on, a range is shorter than a list: 'Mon–Wed'. */
const RANGE_MIN_DAYS = 3;
/** With more different hours than this, only the days fit into a sentence. */
const MAX_HOURS = 2;

const shortDay = (day: Weekday): string => capitalized(day).slice(0, 3);

/** Returns weekdays in one phrase: 'Sat', 'Tue, Thu', 'Mon–Fri', 'every day'. Empty for none. */
export function formatDays(days: readonly Weekday[]): string {
  const open = WEEKDAYS.map((day) => days.includes(day));
  if (open.every(Boolean)) return 'every day';
  const parts: string[] = [];
  for (let first = 0; first < WEEKDAYS.length; first++) {
    if (!open[first]) continue;
    let last = first;
    while (open[last + 1]) last += 1;
    const run = WEEKDAYS.slice(first, last + 1).map(shortDay);
    if (run.length >= RANGE_MIN_DAYS) parts.push(`${run[0]}–${run.at(-1)}`);
    else parts.push(...run);
    first = last;
  }
  return parts.join(', ');
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

/** Returns opening hours in one phrase: '8 AM–2 PM', '3–6 PM', 'all day'. */
export function formatHours({ open, close }: Pick<Opening, 'open' | 'close'>): string {
  if (open === close) return 'all day';
  const [from, to] = [clock(open), clock(close)];
  // '6 PM–2 PM' on the next day must not look like two hours.
  const isSameHalf = from.half === to.half && open < close;
  return `${from.text}${isSameHalf ? '' : from.half}–${to.text}${to.half}`;
}

const allDays = (handoff: Handoff): Weekday[] => handoff.openings.flatMap(({ days }) => days);

/** Returns the days with their hours: 'Tue, Thu 3–6 PM and Sat 8 AM–2 PM'. Empty for none. */
function formatOpenings(handoff: Handoff): string {
  const { openings } = handoff;
  if (openings.length > MAX_HOURS) return formatDays(allDays(handoff));
  return openings
    .map((opening) => `${formatDays(opening.days)} ${formatHours(opening)}`)
    .join(' and ');
}

/** Returns 'Pickup Sat 8 AM–2 PM in Putney, VT', or undefined if the farm offers none. */
export function pickupSentence(handoff: Handoff, place = ''): string | undefined {
  if (!handoff.pickup) return undefined;
  return [t('Pickup'), formatOpenings(handoff), place && `in ${place}`].filter(Boolean).join(' ');
}

/** Returns 'Delivery up to 40 km', or undefined if the farm offers none. */
export function deliverySentence({ delivery, deliveryRadius }: Handoff): string | undefined {
  if (!delivery) return undefined;
  return deliveryRadius
    ? t('Delivery up to {deliveryRadius}', { deliveryRadius: formatDistance(deliveryRadius) })
    : t('Delivery');
}

/** What is said of a farm that offers neither pickup nor delivery. */
export const NO_HANDOFF = 'No pickup or delivery at the moment';

/**
 * Returns when, how and where the goods of a farm can be had, in one line: 'Pickup Sat 8 AM–2 PM in
 * Putney, VT · Delivery up to 40 km'.
 */
export function handoffSentence(handoff: Handoff, place = ''): string {
  const ways = [pickupSentence(handoff, place), deliverySentence(handoff)];
  return ways.filter(Boolean).join(' · ') || NO_HANDOFF;
}

/** Returns the same for a small card, which names the place elsewhere: 'Pickup Tue, Sat · Delivery'. */
export function handoffBrief(handoff: Handoff): string {
  const pickup =
    handoff.pickup && [t('Pickup'), formatDays(allDays(handoff))].filter(Boolean).join(' ');
  return [pickup, handoff.delivery && t('Delivery')].filter(Boolean).join(' · ') || NO_HANDOFF;
}

/** Returns the rules of a farm's days that its handoff has. */
const dayRulesOf = ({ openings, cutoff, closedDays, bookableDays }: Handoff): DayRules => ({
  openings,
  cutoff: cutoff ?? null,
  closedDays: closedDays ?? [],
  bookableDays,
});

/**
 * Returns the next day for which one can order, by the farm's clock: without closed days, and until its
 * cut-off or closing time. Undefined if the farm lists no hours and has no cut-off, or none comes soon.
 */
export function nextHandoff(
  handoff: Handoff,
  now: Date | number = clockMs(),
): PossibleWallDay | undefined {
  const rules = dayRulesOf(handoff);
  return keepsDays(rules) ? nextPossibleDay(rules, wallClockIn(handoff.timeZone, now)) : undefined;
}

/** Returns until when one can order: 'order until Fri 6 PM', 'order until 6 PM today'. */
export function formatUntil({ date, time }: WallMoment, today: string): string {
  const { text, half } = clock(time);
  const day = formatNearDay(date, today);
  const isNear = day === 'Today' || day === 'Tomorrow';
  return `order until ${isNear ? `${text}${half} ${midSentence(day)}` : `${day} ${text}${half}`}`;
}

/**
 * Returns when goods can be had next and until when to order, in one line: 'Next pickup Sat 8 AM–2 PM, order
 * until Fri 6 PM'. Undefined where {@link nextHandoff} is, and for a farm that offers neither way.
 */
export function nextHandoffSentence(
  handoff: Handoff,
  now: Date | number = clockMs(),
): string | undefined {
  const next = nextHandoff(handoff, now);
  const brief = nextHandoffBrief(handoff, now);
  if (!next || brief === undefined) return undefined;
  const { date, close, until } = next;
  const isLimited = handoff.cutoff != null && !(until.date === date && until.time === close);
  if (!isLimited) return brief;
  return `${brief}, ${formatUntil(until, wallClockIn(handoff.timeZone, now).date)}`;
}

/** Returns the same for a small card, without until when to order: 'Next pickup Sat 8 AM–2 PM'. */
export function nextHandoffBrief(
  handoff: Handoff,
  now: Date | number = clockMs(),
): string | undefined {
  const next = nextHandoff(handoff, now);
  if (!next || (!handoff.pickup && !handoff.delivery)) return undefined;
  const { date, open, close } = next;
  const hours = open !== null && close !== null ? ` ${formatHours({ open, close })}` : '';
  const day = midSentence(formatNearDay(date, wallClockIn(handoff.timeZone, now).date));
  return `Next ${handoff.pickup ? 'pickup' : 'delivery'} ${day}${hours}`;
}

/** Text with a house number and a comma is an address; 'The red gate' is not. */
const looksLikeAddress = (text: string): boolean => /\d/.test(text) && text.includes(',');

/**
 * Returns a link that searches the way to a pickup on a map, which the consumer opens. A location in free
 * words is looked for at the farm's own address. Undefined if neither is an address.
 */
export function directionsLink(location: string, farmAddress: string): string | undefined {
  const destination = looksLikeAddress(location) ? location : farmAddress;
  if (destination.trim() === '') return undefined;
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination })}`;
}
