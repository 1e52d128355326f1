import { Temporal } from 'temporal-polyfill';
import { noteClock } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';

/**
 * Returns the time of the database, by which all processes agree: the clock of a machine may be wrong. What a statement
 * compares, it compares with its own `now()`. What has no statement of its own takes `clockMs()`, which follows this
 * and the heartbeat.
 */
export async function readClock(db: Database | Transaction): Promise<Date> {
  const askedMs = Date.now();
  const [clock] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
  noteClock(clock.at.getTime(), askedMs, Date.now());
  return clock.at;
}

/** A wall clock's day `YYYY-MM-DD` and time `HH:mm`. */
interface WallClock {
  date: string;
  /** Left out where only the day is known. */
  time?: string;
}

/**
 * Returns the instant at which a time zone's calendar and clock show a day and time, or at which the day
 * begins where only the day is known. A time that the clock skips in spring is the first instant after the gap:
 * 02:30 is 03:00. Of a time that it shows twice in autumn it is the first. '24:00' is the end of the day.
 * @throws RangeError for an unknown zone, or a day or time that is none
 */
export function instantOf({ date, time }: WallClock, timeZone: string): Date {
  const day = Temporal.PlainDate.from(date, { overflow: 'reject' });
  if (time === undefined) return new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  const wall =
    time === '24:00'
      ? day.add({ days: 1 }).toPlainDateTime()
      : day.toPlainDateTime(Temporal.PlainTime.from(time, { overflow: 'reject' }));
  const earlier = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  // Of a skipped time the earlier reading lies before the gap, which ends at the next change of the clock.
  const shown = earlier.toPlainDateTime().equals(wall)
    ? earlier
    : (earlier.getTimeZoneTransition('next') ?? earlier);
  return new Date(shown.epochMilliseconds);
}

/** Returns the calendar day so many days after a day; it has no time zone. */
export const daysAfter = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();
