import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import type { Opening } from '#contract/farm/farmers/farmers';
import type { PlaceHours } from '../../../prisma/generated/client.ts';
import { openingsOf } from '../farmers/present.ts';

type Range = Pick<PlaceHours, 'weekday' | 'from' | 'to'>;

const byStart = (one: Range, other: Range): number =>
  one.weekday - other.weekday || (one.from < other.from ? -1 : 1);

/**
 * Returns when one can pick up at any of a farm's places, from the hours of those that are active. Hours that overlap or
 * touch are one range, whichever place they are of.
 */
export function pickupOpenings(hours: readonly Range[]): Opening[] {
  const ranges: { day: Weekday; open: string; close: string }[] = [];
  for (const { weekday, from, to } of [...hours].sort(byStart)) {
    const day = WEEKDAYS[weekday] ?? 'monday';
    const last = ranges.at(-1);
    if (last?.day !== day || from > last.close) ranges.push({ day, open: from, close: to });
    else if (to > last.close) last.close = to;
  }
  return openingsOf(ranges);
}
