import { Temporal } from 'temporal-polyfill';
import { timeAt } from '#contract/platform/time/constants/clock';

/** The night of the next change of a zone's clock: its day, and the first time that it skips, or shows twice. */
export interface ClockChange {
  date: string;
  /** `HH:mm`. */
  time: string;
  minutes: number;
}

/**
 * Returns the next night from `after` on in which the clock of a time zone skips some time, or shows some twice.
 * @throws Error for a zone without such a night
 */
export function nextClockChange(
  timeZone: string,
  kind: 'skips' | 'repeats',
  after = new Date(),
): ClockChange {
  let at = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone);
  for (let tries = 0; tries < 4; tries++) {
    const change = at.getTimeZoneTransition('next');
    if (!change) break;
    const before = change.subtract({ nanoseconds: 1 });
    const minutes = (change.offsetNanoseconds - before.offsetNanoseconds) / 60e9;
    if (kind === 'skips' ? minutes > 0 : minutes < 0) {
      // The change shows the time after the gap, or the first that comes again.
      const wall = change.toPlainDateTime().subtract({ minutes: Math.max(0, minutes) });
      return {
        date: wall.toPlainDate().toString(),
        time: timeAt(wall.hour * 60 + wall.minute),
        minutes: Math.abs(minutes),
      };
    }
    at = change;
  }
  throw new Error(`The clock of ${timeZone} has no night that ${kind}`);
}
