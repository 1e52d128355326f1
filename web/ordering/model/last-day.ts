import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';

// Until when all of a cart, or of an order, can be had.

/** The last day of the goods that end first, `YYYY-MM-DD`, and their name. */
export type LastDay = { day: string; name: string };

/** Returns whether goods can be had on a day; without a last day, or while it is not known, they can. */
export const fitsGoods = (date: string, lastDay: LastDay | null | undefined): boolean =>
  !lastDay || date <= lastDay.day;

/** Returns which of the goods ends first; null where none ends. */
export const firstToEnd = (
  goods: readonly { name: string; availableUntil: string | null }[],
): LastDay | null =>
  goods.reduce<LastDay | null>(
    (first, { name, availableUntil: day }) =>
      day !== null && !(first && first.day <= day) ? { day, name } : first,
    null,
  );

/** Says why a later day is too late. */
export const onlyUntil = ({ day, name }: LastDay): string =>
  t('{name} can be had until {day} only.', { name, day: formatWallDate(day, 'weekday') });

/** Says the same, and what to do. */
export const chooseEarlier = ({ day, name }: LastDay): string =>
  t('{name} can be had until {day} only. Choose an earlier day, or remove it.', {
    name,
    day: formatWallDate(day, 'weekday'),
  });

/** Says that no day is left. */
export const noDayLeft = ({ day, name }: LastDay): string =>
  t(
    '{name} can be had until {day} only, and no time until then is free. Remove it to choose a later day.',
    {
      name,
      day: formatWallDate(day, 'weekday'),
    },
  );
