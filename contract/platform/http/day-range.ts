import { Day, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/**
 * The fields of a range of days, both included and each optional. The days are the market's, like those
 * that the dashboard counts by.
 */
export const dayRangeFields = { from: Day.optional(), to: Day.optional() };

export const DayRange = z.object(dayRangeFields);
export type DayRange = z.infer<typeof DayRange>;

/** Returns whether the range holds at least one day. */
export const isDayRange = ({ from, to }: DayRange): boolean => !from || !to || from <= to;

/** The refusal of a range that holds no day. */
export const NO_DAY_IN_RANGE = {
  path: ['to'],
  message: "The last day can't be before the first.",
};

const DAY_MS = 86_400_000;

/** Returns the schema of a range of at most so many days. */
export const dayRangeOf = (most: number) =>
  z
    .object(dayRangeFields)
    .refine(isDayRange, NO_DAY_IN_RANGE)
    .refine(
      // Also asked of dates that are none, which the fields refuse.
      ({ from, to }) => !from || !to || !(Date.parse(to) - Date.parse(from) >= most * DAY_MS),
      { path: ['to'], message: `Ask for at most ${most} days.` },
    );

/** A cursor whose sort key may be a name of any script. */
export const nameCursor = text(1000).optional();
