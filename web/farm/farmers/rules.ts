import { WEEKDAYS, type Weekday, weekdays } from '#contract/farm/farmers/constants';
import { spansOf } from '#contract/farm/farmers/constants/hours';
import type {
  BusinessHours,
  FarmerCard,
  FarmerDetail,
  Handoff,
} from '#contract/farm/farmers/farmers';
import { listOf } from '#contract/platform/text/constants/formats';
import { isFoundIn } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { formatHours, weekdayName } from '../model/handoff.ts';

/** Where a farm may have a page of its own, as its profile names them. */
export const SOCIAL_MEDIA = ['facebook', 'instagram', 'twitter'] as const;

/**
 * Returns whether the names of the farm and the farmer and the towns where it is, or one can pick up there, have all the
 * words, by the rule of the server.
 */
export function isNamed(
  {
    farmName,
    name,
    address,
    handoff,
  }: Pick<FarmerCard, 'name' | 'farmName' | 'address' | 'handoff'>,
  words: string,
): boolean {
  const towns = handoff?.places?.map(({ town }) => town) ?? [];
  return isFoundIn([[farmName, name, address.city, ...towns].join(' ')], words);
}

/** A farm in a few words, as lists and its own page know it. */
export type FarmSummary = Pick<
  FarmerCard,
  '_id' | 'name' | 'farmName' | 'address' | 'handoff' | 'photo' | 'cover'
> & {
  /** Undefined until it is known, null where the farm does not say. */
  establishedYear?: number | null;
};

/** Returns what the head of a farm's page shows of it. */
export const summaryOf = ({ farmer, profile, handoff }: FarmerDetail): FarmSummary => ({
  ...farmer,
  farmName: profile.farmName,
  handoff: handoff ?? handoffOf(profile),
  photo: profile.photo,
  cover: profile.cover,
  establishedYear: profile.establishedYear,
});

/** A day on which a farm is open, with its wall-clock times. */
export type OpenDay = { day: Weekday; open: string; close: string };

/** Returns the days that have both an opening and a closing time, those with several hours as often. */
export function openDays(hours: BusinessHours): OpenDay[] {
  return weekdays().flatMap((day) => spansOf(hours[day]).map((span) => ({ day, ...span })));
}

/** Returns the hours of a day, of which a farm may have several: '8 AM–12 PM and 3–6 PM'. */
const formatAllHours = (days: readonly OpenDay[]): string => listOf(days.map(formatHours));

/** Returns the weekday of a day (`YYYY-MM-DD`), or undefined if it is none. */
function weekdayOf(date: string): Weekday | undefined {
  // `getUTCDay` starts with Sunday, WEEKDAYS with Monday; of no day it is NaN.
  return WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7];
}

/**
 * Returns a sentence about the hours on a day (`YYYY-MM-DD`), and the next opening if the farm is closed:
 * 'Closed on Sundays. Next: Mon 8 AM–6 PM.' Undefined if the farm lists no hours.
 */
export function hoursOn(hours: BusinessHours, date: string): string | undefined {
  const days = openDays(hours);
  const weekday = weekdayOf(date);
  if (days.length === 0 || !weekday) return undefined;
  const open = days.filter(({ day }) => day === weekday);
  if (open.length > 0)
    return t('Open {hours} on {weekday}.', {
      hours: formatAllHours(open),
      weekday: weekdayName(weekday),
    });
  const from = WEEKDAYS.indexOf(weekday);
  const ahead = [...WEEKDAYS.slice(from), ...WEEKDAYS.slice(0, from)];
  const next = ahead.find((name) => days.some(({ day }) => day === name));
  return (
    next &&
    t('Closed on {weekday}s. Next: {day} {hours}.', {
      weekday: weekdayName(weekday),
      day: weekdayName(next, 'weekdayShort'),
      hours: formatAllHours(days.filter(({ day }) => day === next)),
    })
  );
}

/** Greets somebody at an hour of the day. */
export function greeting(hour: number, name: string): string {
  if (hour >= 5 && hour < 12) return t('Good morning, {name}.', { name });
  return hour >= 12 && hour < 18
    ? t('Good afternoon, {name}.', { name })
    : t('Good evening, {name}.', { name });
}

/** Returns what there is to do: '44 orders to answer, 12 to pack.' */
export function formatTasks({ pending, accepted }: { pending: number; accepted: number }): string {
  if (pending === 0 && accepted === 0) return t("You're all caught up.");
  if (pending === 0)
    return t('{accepted, plural, one {# order} other {# orders}} to pack.', { accepted });
  if (accepted === 0)
    return t('{pending, plural, one {# order} other {# orders}} to answer.', { pending });
  return t(
    '{pending, plural, one {# order} other {# orders}} to answer, {accepted, number} to pack.',
    { pending, accepted },
  );
}

/** Returns how a farm's goods can be had, as its products and cards have it. */
export function handoffOf({
  acceptsPickup,
  acceptsDelivery,
  deliveryRadius,
  businessHours,
  timeZone,
}: FarmerDetail['profile']): Handoff {
  const openings: Handoff['openings'] = [];
  for (const { day, open, close } of openDays(businessHours)) {
    const same = openings.find((each) => each.open === open && each.close === close);
    if (same) same.days.push(day);
    else openings.push({ days: [day], open, close });
  }
  return { pickup: acceptsPickup, delivery: acceptsDelivery, deliveryRadius, openings, timeZone };
}
