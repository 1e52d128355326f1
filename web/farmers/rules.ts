import type { BusinessHours, FarmerCard, FarmerDetail, Weekday } from '#contract/farmers';

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
