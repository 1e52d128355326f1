import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import { dayIn } from '#contract/platform/time/constants';
import { instantOf } from '../server/platform/time/clock.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the time `ms` before another. */
export const before = (moment: Date, ms: number): Date => new Date(moment.getTime() - ms);

/** Returns the time `ms` after another. */
export const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/** Returns the calendar day of a time zone `days` after a moment, for a date column. */
export const dayOf = (moment: Date, timeZone: string, days = 0): Date =>
  after(new Date(dayIn(timeZone, moment)), days * DAY_MS);

/** Returns when a time zone's clock shows a time (`HH:mm`) on a calendar day. */
export const momentOf = (day: Date, time: string, timeZone: string): Date =>
  instantOf({ date: day.toISOString().slice(0, 10), time }, timeZone);

/** Returns the weekday of a calendar day. */
export function weekdayOf(day: Date): Weekday {
  return WEEKDAYS[(day.getUTCDay() + 6) % 7] as Weekday;
}
