import { isBefore, type WallMoment } from '#contract/farm/schedule/constants';
import { addDays } from '#contract/platform/time/constants';

/** A span of the farm's clock in which nobody of the farm is alerted; one that ends before it begins is over midnight. */
export interface QuietHours {
  /** `HH:mm` */
  from: string;
  /** `HH:mm`, exclusive. Hours that end when they begin are none. */
  to: string;
}

/** The quiet hours of a farm that has not chosen any. */
export const DEFAULT_QUIET_HOURS: QuietHours = { from: '21:00', to: '07:00' };

/**
 * Returns when the quiet hours that contain a moment of the farm's clock end, or null outside of them. On a night whose
 * clock is set back, only the server knows which of two moments of one name it is (`quietUntil`).
 */
export function quietEnd(
  quietHours: QuietHours | null,
  { date, time }: WallMoment,
): WallMoment | null {
  if (!quietHours) return null;
  const { from, to } = quietHours;
  if (from < to) return from <= time && time < to ? { date, time: to } : null;
  if (time < to && from !== to) return { date, time: to };
  return from <= time && from !== to ? { date: addDays(date, 1), time: to } : null;
}

/**
 * Returns from when a farm answers that is quiet now, by its clock. Null while it is not, and where one of `limits`, the
 * cut-off and the handover of what waits, comes before its quiet hours end: then it is alerted at once.
 */
export function answersFrom(
  quietHours: QuietHours | null,
  now: WallMoment,
  limits: readonly WallMoment[],
): WallMoment | null {
  const end = quietEnd(quietHours, now);
  return end && !limits.some((limit) => isBefore(limit, end)) ? end : null;
}
