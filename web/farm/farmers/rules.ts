import { WEEKDAYS, type Weekday, weekdays } from '#contract/farm/farmers/constants';
import type {
  BusinessHours,
  FarmerCard,
  FarmerDetail,
  Handoff,
} from '#contract/farm/farmers/farmers';
import { isFoundIn } from '#contract/platform/text/constants/names';
import { t } from '#contract/platform/text/constants/texts';
import { formatHours, weekdayName } from '../model/handoff.ts';

/** Where a farm may have a page of its own, as its profile names them. */
export const SOCIAL_MEDIA = ['facebook', 'instagram', 'twitter'] as const;

/** Returns whether the farm's and the farmer's name have all the words, by the rule of the server. */
export const isNamed = (
  { farmName, name }: Pick<FarmerCard, 'name' | 'farmName'>,
  words: string,
): boolean => isFoundIn([`${farmName} ${name}`], words);

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

/** Returns the days that have both an opening and a closing time. */
export function openDays(hours: BusinessHours): OpenDay[] {
  return weekdays()
    .map((day) => ({ day, ...hours[day] }))
    .filter(({ open, close }) => open !== '' && close !== '');
}

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
  const open = days.find(({ day }) => day === weekday);
  if (open)
    return t('Open {hours} on {weekday}.', {
      hours: formatHours(open),
      weekday: weekdayName(weekday),
    });
  const from = WEEKDAYS.indexOf(weekday);
  const ahead = [...WEEKDAYS.slice(from), ...WEEKDAYS.slice(0, from)];
  const next = ahead.flatMap((name) => days.filter(({ day }) => day === name))[0];
  return (
    next &&
    t('Closed on {weekday}s. Next: {day} {hours}.', {
      weekday: weekdayName(weekday),
      day: weekdayName(next.day, 'weekdayShort'),
      hours: formatHours(next),
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
