import { ofMarket } from '#contract/platform/market/constants/market';
import { englishLocale } from '#contract/platform/text/constants/locale';

// Days are `YYYY-MM-DD` and times `HH:mm`, of a wall clock: both are read and written as UTC, so that no
// time zone shifts them. Where a day is compared with today, `today` is the day at that same clock.

const DAY_MS = 86_400_000;

const formatter = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  ofMarket(
    (market) => new Intl.DateTimeFormat(englishLocale(market), { ...options, timeZone: 'UTC' }),
  );

const monthAndDay = { month: 'short', day: 'numeric' } as const;

const dayStyles = {
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

/** Formats the days from one to another: 'Nov 23 – 29', 'Nov 30 – Dec 6', and '23 – 29 Nov' where the day comes first. */
export const formatWallDates = (from: string, to: string): string =>
  // A range over the turn of the year would name both years.
  from.slice(0, 4) === to.slice(0, 4)
    ? dayStyles
        .short()
        .formatRange(startOf(from), startOf(to))
        .replace(/\s?–\s?/, ' – ')
    : `${formatWallDate(from, 'short')} – ${formatWallDate(to, 'short')}`;

/** Formats a time without a time zone shift: '4:05 PM'. What is no time stays as it is. */
export function formatWallTime(time: string): string {
  const instant = Date.parse(`1970-01-01T${time.slice(0, 5)}:00Z`);
  return Number.isNaN(instant) ? time : clock().format(instant);
}

/** Formats the times from one to another: '10:00–10:30 AM', '11:30 AM–12:00 PM'; without an end '10:00 AM'. */
export function formatWallTimes(from: string, to: string | undefined): string {
  const start = formatWallTime(from);
  if (!to) return start;
  const end = formatWallTime(to);
  const half = /\s[ap]\.?m\.?$/i;
  const isSameHalf = half.exec(start)?.[0] === half.exec(end)?.[0] && from < to;
  return `${isSameHalf ? start.replace(half, '') : start}–${end}`;
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
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  if (days === -1) return 'Yesterday';
  return days > 1 && days < 7 ? dayStyles.weekdayShort().format(start) : formatDay(date, today);
}

/** Formats a day in full, after 'Today' and its like where that is said: 'Tomorrow, Sat, Nov 28, 2026'. */
export function formatFullDay(date: string, today: string, style: 'year' | 'long'): string {
  const isNear = [-1, 0, 1].some((days) => date.slice(0, 10) === addDays(today, days));
  return [isNear && formatNearDay(date, today), formatWallDate(date, style)]
    .filter(Boolean)
    .join(', ');
}

/** Returns what {@link formatNearDay} wrote for the middle of a sentence: 'today', but 'Sat'. */
export const midSentence = (words: string): string =>
  words.replace(/^(Today|Tomorrow|Yesterday)\b/, (word) => word.toLowerCase());
