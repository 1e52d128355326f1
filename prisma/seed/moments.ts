import { WEEKDAYS, type Weekday } from '#contract/farmers';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The moment that lies `ms` before another. */
export const before = (moment: Date, ms: number): Date => new Date(moment.getTime() - ms);

/** The moment that lies `ms` after another. */
export const after = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms);

/** The calendar day of a moment, `days` later, as a date column takes it. */
export function dayOf(moment: Date, days = 0): Date {
  return new Date(
    Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + days),
  );
}

/** The weekday of a calendar day. */
export function weekdayOf(day: Date): Weekday {
  return WEEKDAYS[(day.getUTCDay() + 6) % 7] as Weekday;
}
