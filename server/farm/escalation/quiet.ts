import { DEFAULT_QUIET_HOURS, type QuietHours } from '#contract/farm/escalation/constants/quiet';
import { addDays, wallClockIn } from '#contract/platform/time/constants';
import { instantOf } from '../../platform/time/clock.ts';

/**
 * Returns the instant at which the quiet hours that contain `at` end, or null outside of them. A `from` or `to` that the
 * farm's clock skips is the first instant after the gap; of one that it shows twice it is the first.
 */
export function quietUntil(quietHours: QuietHours | null, timeZone: string, at: Date): Date | null {
  if (!quietHours || quietHours.from === quietHours.to) return null;
  const { from, to } = quietHours;
  const today = wallClockIn(timeZone, at).date;
  // Last night's may go on. Tomorrow's have begun where a clock is set back from after midnight to before it.
  for (const days of [-1, 0, 1]) {
    const begins = addDays(today, days);
    const ends = from < to ? begins : addDays(begins, 1);
    const end = instantOf({ date: ends, time: to }, timeZone);
    if (instantOf({ date: begins, time: from }, timeZone) <= at && at < end) return end;
  }
  return null;
}

/** What `farmer_profiles.escalation` may hold of quiet hours; null explicitly is none. */
type StoredEscalation = { quietHours?: QuietHours | null } | null;

/** Returns the quiet hours of a farm by its column `escalation`: the default ones until it has chosen. */
export function quietHoursOf(escalation: unknown): QuietHours | null {
  const chosen = (escalation as StoredEscalation)?.quietHours;
  return chosen === undefined ? DEFAULT_QUIET_HOURS : chosen;
}
