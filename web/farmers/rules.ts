import type { BusinessHours, FarmerCard, FarmerDetail, Weekday } from '#contract/farmers';
import { capitalized, formatWallTime } from '../lib/format.ts';

/** The days of the week in the order a farm lists them. Here because the contract brings all of zod. */
export const WEEK = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const satisfies readonly Weekday[];

/** Whether the words are part of the farm's or the farmer's name, whatever case they are in. */
export function isNamed(farmer: Pick<FarmerCard, 'name' | 'farmName'>, words: string): boolean {
  const sought = words.toLowerCase();
  return [farmer.farmName, farmer.name].some((name) => name.toLowerCase().includes(sought));
}

/** What a farm is called: its own name, or else the farmer's. */
export function titleOf({ farmer, profile }: FarmerDetail): string {
  return profile.farmName || farmer.name;
}

/** A day on which a farm is open, with its wall-clock times. */
export type OpenDay = { day: Weekday; open: string; close: string };

/** The days that have both an opening and a closing time. */
export function openDays(hours: BusinessHours): OpenDay[] {
  return WEEK.map((day) => ({ day, ...hours[day] })).filter(
    ({ open, close }) => open !== '' && close !== '',
  );
}

/** What a farm says of its hours on a day (`YYYY-MM-DD`); nothing where it lists no hours at all. */
export function hoursOn(hours: BusinessHours, date: string): string | undefined {
  const days = openDays(hours);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (days.length === 0 || Number.isNaN(weekday)) return undefined;
  // Sunday is the first day in the calendar's counting, and the last in ours.
  const name = WEEK[(weekday + 6) % 7];
  const day = days.find((each) => each.day === name);
  if (!day) return `The farm lists no hours for ${capitalized(name ?? '')}.`;
  return `Open ${formatWallTime(day.open)} – ${formatWallTime(day.close)} on ${capitalized(day.day)}.`;
}
