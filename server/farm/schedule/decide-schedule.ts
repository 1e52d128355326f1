import {
  CLOSED_DAYS_AHEAD_MAX,
  type Cutoff,
  type DayRules,
  type SharedHours,
} from '#contract/farm/schedule/constants';
import type { UpdateFarmSchedule } from '#contract/farm/schedule/schedule';
import type { FieldError } from '#contract/platform/http/http';
import { addDays, formatWallTime } from '#contract/platform/time/constants';

/** What a change makes of a farm's schedule. */
export interface ScheduleChange {
  cutoff: Cutoff | null;
  /** From today on, in order. */
  closedDays: string[];
}

export type ScheduleDecision = { change: ScheduleChange } | { refusal: FieldError[] };

/**
 * Decides what a change makes of a schedule. The rules: orders close before the farm does on at least one
 * day of the week; a closed day is neither over nor more than {@link CLOSED_DAYS_AHEAD_MAX} days ahead. A
 * day that was listed already and is over by now is taken off the list, not refused: midnight may come
 * while somebody edits. `today` is the farm's day.
 */
export function decideSchedule(
  before: DayRules,
  { cutoff = before.cutoff, exceptions }: Pick<UpdateFarmSchedule, 'cutoff' | 'exceptions'>,
  today: string,
): ScheduleDecision {
  const refusal: FieldError[] = [];
  const closing = cutoff !== before.cutoff && cutoff && lastClosingBefore(cutoff, before.openings);
  if (closing) {
    const message = `By then the farm is closed: it closes at ${formatWallTime(closing)} at the latest. Choose an earlier time.`;
    refusal.push({ path: 'cutoff.time', message });
  }
  const last = addDays(today, CLOSED_DAYS_AHEAD_MAX);
  for (const [index, { date }] of (exceptions ?? []).entries()) {
    const path = `exceptions.${index}.date`;
    if (date < today && !before.closedDays.includes(date)) {
      refusal.push({ path, message: 'Choose a day that is not over.' });
    }
    if (date > last) refusal.push({ path, message: 'Choose a day within the next two years.' });
  }
  if (refusal.length > 0) return { refusal };
  const days = exceptions?.map(({ date }) => date) ?? before.closedDays;
  return { change: { cutoff, closedDays: days.filter((date) => date >= today).sort() } };
}

/** Returns the latest closing time of a farm that is always closed at the cut-off of the same day. */
function lastClosingBefore(
  { daysBefore, time }: Cutoff,
  openings: readonly SharedHours[],
): string | undefined {
  if (daysBefore > 0 || openings.some(({ open, close }) => close <= open)) return undefined;
  const latest = openings
    .map(({ close }) => close)
    .sort()
    .at(-1);
  return latest !== undefined && time > latest ? latest : undefined;
}
