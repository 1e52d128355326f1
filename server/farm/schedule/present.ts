import type { FarmSchedule } from '#contract/farm/schedule/schedule';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { dayRulesOf } from '../farmers/present.ts';

/** The columns of a farm's profile that make its schedule. */
export type ScheduleRow = Pick<
  FarmerProfile,
  | 'businessHours'
  | 'cutoffDaysBefore'
  | 'cutoffTime'
  | 'closedDays'
  | 'atCutoff'
  | 'bookableDays'
  | 'timeZone'
  | 'scheduleVersion'
>;

/** Presents a farm's schedule without the closed days that are over. `today` is the farm's day. */
export function presentSchedule(row: ScheduleRow, today: string): FarmSchedule {
  const { cutoff, closedDays } = dayRulesOf(row);
  return {
    mode: 'notice',
    cutoff,
    exceptions: closedDays
      .filter((date) => date >= today)
      .sort()
      .map((date) => ({ date, skip: true })),
    atCutoff: row.atCutoff,
    bookableDays: row.bookableDays,
    version: row.scheduleVersion,
  };
}
