import { Temporal } from 'temporal-polyfill';

/** A wall clock's day `YYYY-MM-DD` and time `HH:mm`. */
export interface WallClock {
  date: string;
  /** Left out where only the day is known. */
  time?: string;
}

/**
 * Returns the instant at which a time zone's calendar and clock show a day and time, or at which the day
 * begins where only the day is known. A time that the clock skips in spring comes as much later as it
 * skips: 02:30 is 03:30. Of a time that it shows twice in autumn it is the first.
 * @throws RangeError for an unknown zone, or a day or time that is none
 */
export function instantOf({ date, time }: WallClock, timeZone: string): Date {
  const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
  const zoned =
    time === undefined
      ? day.toZonedDateTime(timeZone)
      : day
          .toPlainDateTime(Temporal.PlainTime.from(time, { overflow: 'reject' }))
          .toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  return new Date(zoned.epochMilliseconds);
}

/** Returns the calendar day so many days after a day; it has no time zone. */
export const daysAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();
