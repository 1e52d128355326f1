import { farmNameOf, WEEKDAYS, type Weekday } from '#contract/constants/farmers';
import type { BusinessHours, FarmerCard, FarmerDetail, Handoff } from '#contract/farmers';
import { capitalized, formatWallTime } from '../lib/format.ts';

/** Returns whether the farm's or the farmer's name contains the text, ignoring case. */
export function isNamed(farmer: Pick<FarmerCard, 'name' | 'farmName'>, words: string): boolean {
  const sought = words.toLowerCase();
  return [farmer.farmName, farmer.name].some((name) => name.toLowerCase().includes(sought));
}

/** Returns the farm's name, or else the farmer's. */
export function titleOf({ farmer, profile }: FarmerDetail): string {
  return farmNameOf({ farmName: profile.farmName, name: farmer.name });
}

/** A day on which a farm is open, with its wall-clock times. */
export type OpenDay = { day: Weekday; open: string; close: string };

/** Returns the days that have both an opening and a closing time. */
export function openDays(hours: BusinessHours): OpenDay[] {
  return WEEKDAYS.map((day) => ({ day, ...hours[day] })).filter(
    ({ open, close }) => open !== '' && close !== '',
  );
}

/** Returns a sentence about the hours on a day (`YYYY-MM-DD`); undefined if the farm lists none. */
export function hoursOn(hours: BusinessHours, date: string): string | undefined {
  const days = openDays(hours);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
  if (days.length === 0 || Number.isNaN(weekday)) return undefined;
  // `getUTCDay` starts with Sunday, WEEKDAYS with Monday.
  const name = WEEKDAYS[(weekday + 6) % 7];
  const day = days.find((each) => each.day === name);
  if (!day) return `The farm lists no hours for ${capitalized(name ?? '')}.`;
  return `Open ${formatWallTime(day.open)} – ${formatWallTime(day.close)} on ${capitalized(day.day)}.`;
}

/** Returns how a farm's goods can be had, as its products and cards have it. */
export function handoffOf({
  acceptsPickup,
  acceptsDelivery,
  deliveryRadius,
  businessHours,
}: FarmerDetail['profile']): Handoff {
  const openings: Handoff['openings'] = [];
  for (const { day, open, close } of openDays(businessHours)) {
    const same = openings.find((each) => each.open === open && each.close === close);
    if (same) same.days.push(day);
    else openings.push({ days: [day], open, close });
  }
  return { pickup: acceptsPickup, delivery: acceptsDelivery, deliveryRadius, openings };
}
