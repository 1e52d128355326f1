import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { wordLocale } from '#contract/platform/text/constants/formats';
import { ofReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';

// Days and clocks of time zones, on the server and in the browser alike. Both use Intl, so that they agree
// on the day it is at a farm. Only the server computes an instant from a wall clock.

/** The zone of a market that names none, and of a farm without a profile. */
export const DEFAULT_TIME_ZONE = DEFAULT_MARKET.timeZone;

/** A clock is taken as right that differs by no more, in milliseconds: an answer names the whole second alone. */
const CLOCK_TOLERANCE_MS = 2000;

let behindMs = 0;

/**
 * Takes over the time of the clock that decides: the database's on the server, the server's in a browser. A machine's
 * own may be wrong by hours.
 * @param atMs what the other clock showed between these two times of this one
 * @returns how many milliseconds this machine's clock is ahead; 0 as far as that may be the way of the answer
 */
export function noteClock(atMs: number, askedMs: number, answeredMs: number): number {
  const aheadMs = askedMs > atMs ? askedMs - atMs : Math.min(0, answeredMs - atMs);
  behindMs = Math.abs(aheadMs) > CLOCK_TOLERANCE_MS ? -aheadMs : 0;
  return aheadMs;
}

/** Returns whether this machine's clock is wrong, as far as is known. */
export const isClockWrong = (): boolean => behindMs !== 0;

/** Returns the present time in milliseconds, by the clock that decides. Durations are measured by `Date.now()`. */
export const clockMs = (): number => Date.now() + behindMs;

const formats = new Map<string, Intl.DateTimeFormat>();

const makeFormat = (timeZone: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    ...(timeZone === undefined ? {} : { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });

/** Returns the format of a zone, or undefined if it is not known here: an old browser does not know the newest ones. */
function makeFormatIfKnown(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return makeFormat(timeZone);
  } catch {
    return undefined;
  }
}

/** Returns whether a zone of this name is known here. */
export const knowsTimeZone = (name: string): boolean => makeFormatIfKnown(name) !== undefined;

/** Returns the format of a zone; making one takes far longer than using it. */
function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  // The reader's own zone may change while a page is open, as on a journey.
  if (timeZone === undefined) return makeFormat(undefined);
  let format = formats.get(timeZone);
  if (!format) {
    format = makeFormatIfKnown(timeZone) ?? makeFormat(DEFAULT_TIME_ZONE);
    formats.set(timeZone, format);
  }
  return format;
}

/**
 * Returns what calendar and clock show in a time zone at an instant: day `YYYY-MM-DD` and time `HH:mm`.
 * Without a zone it is the reader's; in one that is not known here it is UTC's.
 * @throws RangeError for an invalid instant
 */
export function wallClockIn(
  timeZone: string | undefined,
  instant: Date | number = clockMs(),
): { date: string; time: string } {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    date: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  };
}

export const DAY_MS = 86_400_000;

/**
 * Returns the day `YYYY-MM-DD` that it is in a time zone, the reader's without one. It is the one function
 * that says which day is today.
 * @throws RangeError for an invalid instant
 */
export const dayIn = (timeZone: string | undefined, instant: Date | number = clockMs()): string =>
  wallClockIn(timeZone, instant).date;

// Days are `YYYY-MM-DD` and times `HH:mm`, of a wall clock: both are read and written as UTC, so that no
// time zone shifts them. Where a day is compared with today, `today` is the day at that same clock.

const formatter = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  ofReader(
    (market, language) =>
      new Intl.DateTimeFormat(wordLocale(market, language), { ...options, timeZone: 'UTC' }),
  );

const monthAndDay = { month: 'short', day: 'numeric' } as const;

/** How days are written. */
export const dayStyles = {
  /** 'Nov 28' */
  short: formatter(monthAndDay),
  /** 'Sat, Nov 28' */
  weekday: formatter({ ...monthAndDay, weekday: 'short' }),
  /** 'Sat, Nov 28, 2026' */
  year: formatter({ ...monthAndDay, weekday: 'short', year: 'numeric' }),
  /** 'Saturday, November 28, 2026' */
  long: formatter({ dateStyle: 'full' }),
  /** 'Saturday' */
  weekdayName: formatter({ weekday: 'long' }),
  /** 'Sat' */
  weekdayShort: formatter({ weekday: 'short' }),
};
const clock = formatter({ timeStyle: 'short' });

const startOf = (date: string): number => Date.parse(`${date.slice(0, 10)}T00:00:00Z`);

/** Returns the calendar day so many days after `date`. */
export const addDays = (date: string, days: number): string =>
  new Date(startOf(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Formats a day (or the start of an ISO time) in one style; what is no day stays as it is. */
export function formatWallDate(date: string, style: keyof typeof dayStyles): string {
  const start = startOf(date);
  return Number.isNaN(start) ? date : dayStyles[style]().format(start);
}

/** Formats a time without a time zone shift: '4:05 PM'. What is no time stays as it is. */
export function formatWallTime(time: string): string {
  const instant = Date.parse(`1970-01-01T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(instant) ? time : clock().format(instant);
}

/** Formats a day for a text that is read later too: 'Sat, Nov 28', with the year if it is not this one. */
export const formatDay = (date: string, today: string): string =>
  formatWallDate(date, date.slice(0, 4) === today.slice(0, 4) ? 'weekday' : 'year');

/**
 * Formats a day as people say it: 'Today', 'Tomorrow', 'Yesterday', the weekday within the coming week
 * ('Sat'), else as {@link formatDay}.
 */
export function formatNearDay(date: string, today: string): string {
  const start = startOf(date);
  if (Number.isNaN(start)) return date;
  const days = Math.round((start - startOf(today)) / DAY_MS);
  if (days === 0) return t('Today');
  if (days === 1) return t('Tomorrow');
  if (days === -1) return t('Yesterday');
  return days > 1 && days < 7 ? dayStyles.weekdayShort().format(start) : formatDay(date, today);
}
