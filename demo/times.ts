import { WEEKDAYS, type Weekday } from '#contract/farmers';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the time `ms` before another. */
export const before = (moment: Date, ms: number): Date => new Date(moment.getTime() - ms);

/** Returns the time `ms` after another. */
export const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/** Returns the calendar day (UTC) `days` after a time, for a date column. */
export function dayOf(moment: Date, days = 0): Date {
  return new Date(
    Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + days),
  );
}

/** Returns the weekday of a calendar day. */
export function weekdayOf(day: Date): Weekday {
  return WEEKDAYS[(day.getUTCDay() + 6) % 7] as Weekday;
}
